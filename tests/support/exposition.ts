export type ReadSample = { name: string; labels: Record<string, string>; value: number };
export type ReadFamily = { name: string; type: string; help: string; samples: ReadSample[] };

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
const NUMBER = /^(NaN|[+-]Inf|[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?)$/;

/**
 * Reads Prometheus' text format 0.0.4 and throws at the first thing that a scraper may refuse: a line that is no
 * sample, a family that is cut in two, help or type that come late or twice, two samples with the same labels, an
 * escape that does not exist, a missing end of the last line.
 */
export function readExposition(text: string): ReadFamily[] {
  if (text === "") return [];
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, ReadFamily>();
  const seen = new Set<string>();
  let open: ReadFamily | null = null;
  for (const line of text.slice(0, -1).split("\n")) {
    const comment = /^# (HELP|TYPE) (\S+) (.*)$/s.exec(line);
    if (comment !== null) {
      const [, kind, name = "", rest = ""] = comment;
      if (kind === "HELP") {
        if (families.has(name)) throw new Error(`${name} comes twice`);
        open = { name, type: "", help: unescaped(rest, false), samples: [] };
        families.set(name, open);
      } else {
        if (open?.name !== name || open.type !== "" || open.samples.length > 0)
          throw new Error(`the type of ${name} is out of place`);
        if (!["gauge", "counter", "untyped"].includes(rest)) throw new Error(`${rest} is no type`);
        open.type = rest;
      }
      continue;
    }
    const sample = readSample(line);
    if (open?.name !== sample.name || open.type === "") throw new Error(`out of its family: ${line}`);
    const id = JSON.stringify([sample.name, Object.entries(sample.labels).sort()]);
    if (seen.has(id)) throw new Error(`two samples of ${id}`);
    seen.add(id);
    open.samples.push(sample);
  }
  return [...families.values()];
}

/** The value of the one sample that has these labels. */
export function sampleOf(
  families: readonly ReadFamily[],
  name: string,
  labels: Record<string, string>,
): number | undefined {
  return families
    .find((family) => family.name === name)
    ?.samples.find((sample) => Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    ?.value;
}

function readSample(line: string): ReadSample {
  const head = /^([^\s{]+)(\{)?/.exec(line);
  const name = head?.[1] ?? "";
  if (!NAME.test(name)) throw new Error(`no name: ${JSON.stringify(line)}`);
  let at = head?.[0].length ?? 0;
  const labels: Record<string, string> = {};
  if (head?.[2] !== undefined) {
    while (line[at] !== "}") {
      const label = /^([^=]*)="((?:[^"\\]|\\.)*)"(,|(?=\}))/s.exec(line.slice(at));
      if (label === null) throw new Error(`no label: ${JSON.stringify(line.slice(at))}`);
      const [whole, key = "", value = ""] = label;
      if (!LABEL.test(key) || key in labels) throw new Error(`a bad label: ${key}`);
      labels[key] = unescaped(value, true);
      at += whole.length;
    }
    at += 1;
  }
  const value = line.slice(at);
  if (!value.startsWith(" ") || !NUMBER.test(value.slice(1))) throw new Error(`no number: ${value}`);
  return { name, labels, value: numberOf(value.slice(1)) };
}

function numberOf(text: string): number {
  return Number(text.replace("Inf", "Infinity"));
}

function unescaped(text: string, quotes: boolean): string {
  return text.replace(/\\(.?)/gs, (_, char: string) => {
    if (char === "\\" || (quotes && char === '"')) return char;
    if (char === "n") return "\n";
    throw new Error(`no escape: \\${char}`);
  });
}
