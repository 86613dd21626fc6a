/** A piece of a drawing. A page turns it into elements, a file into text: the drawing is the same. */
export type SvgNode = { tag: string; attrs: Record<string, string | number>; children: (SvgNode | string)[] };

export function node(
  tag: string,
  attrs: Record<string, string | number> = {},
  children: (SvgNode | string)[] = [],
): SvgNode {
  return { tag, attrs, children };
}

/** The drawing as SVG text, everything in it escaped. */
export function svgText({ tag, attrs, children }: SvgNode): string {
  const written = Object.entries(attrs).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
  const inner = children.map((child) => (typeof child === "string" ? escapeXml(child) : svgText(child)));
  return `<${tag}${written.join("")}>${inner.join("")}</${tag}>`;
}

const ENTITIES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text for HTML or XML, in content and in quoted attributes alike. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
