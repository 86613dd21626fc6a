/** One piece of a server's answer, as far as it is put into words here. */
type Piece = {
  type: string;
  text?: unknown;
  data?: unknown;
  mimeType?: unknown;
  uri?: unknown;
  name?: unknown;
  resource?: unknown;
};

/**
 * What a server answered as the text of a tool result: its texts one below the other, and a line in brackets for what
 * is no text. Structured content stands in only where there is nothing else. It is given whole: the limits that hold for
 * every result count what they leave out from there.
 */
export function resultText(result: { content?: unknown; structuredContent?: unknown }): string {
  const pieces = Array.isArray(result.content) ? (result.content as Piece[]) : [];
  const said = pieces.map(pieceText).join("\n");
  if (said !== "" || result.structuredContent === undefined) return said;
  return JSON.stringify(result.structuredContent) ?? "";
}

function pieceText(piece: Piece): string {
  switch (piece.type) {
    case "text":
      return textOf(piece.text);
    case "image":
    case "audio":
      return `[${piece.type} ${textOf(piece.mimeType)}, ${base64Bytes(piece.data)} bytes, not shown]`;
    case "resource_link":
      return `[link to ${textOf(piece.uri)}${piece.name === undefined ? "" : `: ${textOf(piece.name)}`}]`;
    case "resource":
      return resourceText(piece.resource);
    default:
      return `[${piece.type}, not shown]`;
  }
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
