import { isObject } from "#lib/json-text.ts";

/**
 * What a server answered as the text of a tool result: its texts one below the other, and a line in brackets for what
 * is no text. Structured content stands in only where there is nothing else. It is given whole: the limits that hold for
 * every result count what they leave out from there. Servers stray from the protocol's shapes: what is words is words.
 */
export function resultText(result: { [key: string]: unknown }): string {
  const { content, structuredContent, toolResult } = result;
  const pieces = Array.isArray(content)
    ? content
    : content === undefined || content === null
      ? []
      : [content];
  const said = pieces.map(pieceText).join("\n");
  if (said !== "") return said;
  // The second name is that of the protocol's first version.
  return wordsOf(structuredContent ?? toolResult);
}

function pieceText(piece: unknown): string {
  if (!isObject(piece)) return wordsOf(piece);
  const { type, text, uri, name, mimeType, data } = piece;
  switch (type) {
    case "text":
      return wordsOf(text);
    case "image":
    case "audio":
      return `[${type} ${textOf(mimeType)}, ${base64Bytes(data)} bytes, not shown]`;
    case "resource_link":
      return `[link to ${textOf(uri)}${textOf(name) === "" ? "" : `: ${textOf(name)}`}]`;
    case "resource":
      return resourceText(piece.resource);
    default:
      return typeof text === "string" ? text : `[${textOf(type) || "a piece of no kind"}, not shown]`;
  }
}

/** A text as it is, and any other value as JSON; nothing where there is none. */
function wordsOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function resourceText(resource: unknown): string {
  const { uri, mimeType, text, blob } = (resource ?? {}) as { [key: string]: unknown };
  if (typeof text === "string") return `[resource ${textOf(uri)}]\n${text}`;
  return `[resource ${textOf(uri)}, ${textOf(mimeType) || "unknown type"}, ${base64Bytes(blob)} bytes, not shown]`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function base64Bytes(data: unknown): number {
  return typeof data === "string" ? Math.floor((data.replace(/=+$/, "").length * 3) / 4) : 0;
}
