export type Xml = { name: string; attributes: Record<string, string>; children: Xml[]; text: string };

/**
 * A strict reader of the XML that has no document type, comments or processing instructions: it throws where a real one
 * would. Only for tests.
 */
export function parseXml(source: string): Xml {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 forbids
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u.test(source))
    throw new Error("no XML character");
  const root: Xml = { name: "", attributes: {}, children: [], text: "" };
  const open = [root];
  const tokens = source.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, "").matchAll(/<[^>]*>|[^<]+/g);
  let taken = 0;
  for (const [token] of tokens) {
    taken += token.length;
    const here = open.at(-1) as Xml;
    if (!token.startsWith("<")) here.text += decoded(token);
    else if (token.startsWith("</")) {
      if (token !== `</${here.name}>` || open.length === 1) throw new Error(`unexpected ${token}`);
      open.pop();
    } else {
      const child = element(token);
      here.children.push(child);
      if (!token.endsWith("/>")) open.push(child);
    }
  }
  const [only, ...more] = root.children;
  if (open.length !== 1 || only === undefined || more.length > 0 || root.text.trim() !== "")
    throw new Error("not one element");
  if (taken === 0) throw new Error("empty");
  return only;
}

function element(token: string): Xml {
  const parts = /^<([A-Za-z]+)((?: [A-Za-z]+="[^"<]*")*)\/?>$/.exec(token);
  if (parts === null) throw new Error(`no tag: ${token}`);
  const pairs = [...(parts[2] ?? "").matchAll(/ ([A-Za-z]+)="([^"]*)"/g)];
  const names = pairs.map(([, name]) => name);
  if (new Set(names).size !== names.length) throw new Error(`an attribute twice: ${token}`);
  const attributes = Object.fromEntries(pairs.map(([, name = "", value = ""]) => [name, decoded(value)]));
  return { name: parts[1] ?? "", attributes, children: [], text: "" };
}

const ENTITIES: Record<string, string> = {
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
  "&quot;": '"',
  "&apos;": "'",
};

function decoded(text: string): string {
  return text.replace(/&[^;]{0,10};?/g, (entity) => {
    const char = ENTITIES[entity];
    if (char === undefined) throw new Error(`no entity: ${entity}`);
    return char;
  });
}
