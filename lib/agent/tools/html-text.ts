import { decodeEntities } from "./html-entities.ts";

/** Elements whose content is no text for a reader. */
const SILENT = new Set(["script", "style", "template", "svg", "math", "iframe", "object", "canvas"]);
/** Elements that stand on lines of their own; those of `APART` with an empty line around them. */
const APART = new Set(["p", "pre", "blockquote", "title", "h1", "h2", "h3", "h4", "h5", "h6"]);
const BLOCK = new Set(
  "address article aside body dd details div dl dt fieldset figcaption figure footer form header hr html legend li main nav ol option section select summary table textarea tr ul".split(
    " ",
  ),
);

/**
 * A page as text: one pass over its tags, nothing rendered. Scripts and styles go, blocks become lines, list items
 * get a dash, links keep their address, text in `pre` its white space. Time grows with the length of the page alone.
 */
export function htmlText(html: string, base: string): string {
  const out = new PageText(base);
  const unclosed = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    out.text(html.slice(at, open === -1 ? html.length : open));
    if (open === -1) break;
    at = takeTag(html, open, out, unclosed);
  }
  return out.done();
}

/**
 * Handles what starts at the `<` and gives the index after it. `unclosed`: elements of which no end is ahead, so that it
 * is looked for once.
 */
function takeTag(html: string, open: number, out: PageText, unclosed: Set<string>): number {
  // From its own dashes on: `<!-->` is a whole comment.
  if (html.startsWith("<!--", open)) return after(html, "-->", open + 2);
  if (/^[!?]/.test(html.charAt(open + 1))) return after(html, ">", open + 2);
  const name = /^\/?[a-zA-Z][^\s/>]{0,40}/.exec(html.slice(open + 1, open + 43))?.[0].toLowerCase();
  if (name === undefined) {
    out.text("<");
    return open + 1;
  }
  const end = tagEnd(html, open + 1 + name.length);
  if (SILENT.has(name)) return afterSilent(html, name, end, unclosed);
  out.tag(name, html.slice(open + 1 + name.length, end));
  return end;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/** After the `>` that ends the tag; one inside quotes does not. */
function tagEnd(html: string, from: number): number {
  let quote = "";
  for (let i = from; i < html.length; i += 1) {
    const char = html.charAt(i);
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === ">") return i + 1;
    else if ((char === '"' || char === "'") && html.charAt(i - 1) === "=") quote = char;
  }
  return html.length;
}

/** A slash ends the tag of a drawing or a formula; that of any other only where nothing else ever does. */
function afterSilent(html: string, name: string, end: number, unclosed: Set<string>): number {
  const slash = html[end - 2] === "/";
  if (slash && (name === "svg" || name === "math" || unclosed.has(name))) return end;
  const close = closing(html, name, end);
  if (!slash || close < html.length) return close;
  unclosed.add(name);
  return end;
}

function closing(html: string, name: string, from: number): number {
  const close = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  close.lastIndex = from;
  const found = close.exec(html);
  return found === null ? html.length : after(html, ">", found.index);
}

class PageText {
  readonly #base: string;
  readonly #parts: string[] = [];
  /** Line ends that come before the next text. */
  #breaks = 0;
  #pre = 0;
  #link: string | null = null;
  #linkHasText = false;

  constructor(base: string) {
    this.#base = base;
  }

  text(raw: string): void {
    if (raw === "") return;
    const decoded = decodeEntities(raw);
    const blank = decoded.trim() === "";
    this.#linkHasText ||= !blank;
    if (this.#pre > 0) this.#put(decoded);
    // White space between two blocks is only how the page was typed.
    else if (!blank || this.#breaks === 0) this.#put(decoded.replace(/[ \t\r\n\f]+/g, " "));
  }

  tag(tag: string, attributes: string): void {
    const opens = !tag.startsWith("/");
    const name = opens ? tag : tag.slice(1);
    if (name === "a") this.#endLink();
    if (name === "br") this.#breaks = Math.min(2, this.#breaks + 1);
    else if (APART.has(name)) this.#breaks = 2;
    else if (BLOCK.has(name)) this.#breaks = Math.max(1, this.#breaks);
    if (name === "pre") this.#pre = Math.max(0, this.#pre + (opens ? 1 : -1));
    if (opens) this.#open(name, attributes);
  }

  done(): string {
    this.#endLink();
    return this.#parts
      .join("")
      .split("\n")
      .map((line) => line.trimEnd().replace(/^ (?! )/, ""))
      .join("\n")
      .trim();
  }

  #put(text: string): void {
    if (this.#breaks > 0 && this.#parts.length > 0) this.#parts.push("\n".repeat(this.#breaks));
    this.#breaks = 0;
    this.#parts.push(text);
  }

  #open(name: string, attributes: string): void {
    if (name === "a") this.#startLink(attributes);
    else if (name === "li") this.#put("- ");
    else if (name === "td" || name === "th") this.#put(" | ");
    else if (/^h[1-6]$/.test(name)) this.#put(`${"#".repeat(Number(name.charAt(1)))} `);
    else if (name === "img") this.#image(attributes);
  }

  #startLink(attributes: string): void {
    const href = attribute(attributes, "href");
    if (href === null || href.startsWith("#") || !URL.canParse(href, this.#base)) return;
    const url = new URL(href, this.#base);
    if (url.protocol !== "http:" && url.protocol !== "https:") return;
    this.#link = url.href;
    this.#linkHasText = false;
  }

  #endLink(): void {
    if (this.#link !== null && this.#linkHasText && this.#link.length <= 500)
      this.#parts.push(` (${this.#link})`);
    this.#link = null;
  }

  #image(attributes: string): void {
    const alt = attribute(attributes, "alt")?.trim();
    if (!alt) return;
    this.#linkHasText = true;
    this.#put(`[image: ${alt}]`);
  }
}

/** The attributes of one tag are read by hand only where one of them is wanted. */
function attribute(attributes: string, name: string): string | null {
  const short = attributes.slice(0, 4000);
  const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, "i").exec(
    short,
  );
  const raw = found?.[1] ?? found?.[2] ?? found?.[3];
  return raw === undefined ? null : decodeEntities(raw).trim();
}
