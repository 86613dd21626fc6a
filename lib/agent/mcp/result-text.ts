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

const RESULT_BYTES_MAX = 200_000;

/**
 * What a server answered as the text of a tool result: its texts one below the other, and a line in brackets for what
 * is no text. Structured content stands in only where there is nothing else. At most 200 000 bytes; the rest is counted.
 */
export function resultText(result: { content?: unknown; structuredContent?: unknown }): string {
  const pieces = Array.isArray(result.content) ? (result.content as Piece[]) : [];
  const said = pieces.map(pieceText).join("\n");
  if (said !== "" || result.structuredContent === undefined) return boundedBytes(said, RESULT_BYTES_MAX);
  return boundedBytes(JSON.stringify(result.structuredContent) ?? "", RESULT_BYTES_MAX);
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

/** At most so many bytes of UTF-8, cut between two characters; a marker says how much is missing. */
export function boundedBytes(text: string, bytesMax: number): string {
  // No character takes more than three bytes for each of its code units.
  if (text.length * 3 <= bytesMax) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  let end = bytesMax;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return `${bytes.toString("utf8", 0, end)}\n[cut here: ${bytes.length - end} of ${bytes.length} bytes are not shown]`;
}
