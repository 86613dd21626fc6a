/** A content type reduced to what is safe to repeat: `type/subtype` in lower case, else `unknown type`. */
export type ContentType = { type: string; charset: string | null };

export function parseContentType(header: string | undefined): ContentType | null {
  if (header === undefined || header.trim() === "") return null;
  const type = /^\s*([\w.+-]{1,60}\/[\w.+-]{1,60})/.exec(header)?.[1]?.toLowerCase() ?? "unknown type";
  const charset = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(header)?.[1]?.toLowerCase() ?? null;
  return { type, charset };
}

/** Can it be given as text? Without a type the bytes have to say. */
export function isTextType(type: string): boolean {
  return (
    type.startsWith("text/") ||
    /[/+](json|xml|yaml|toml|javascript|ecmascript|csv|markdown|sql|graphql|ndjson|jsonlines)$/.test(type) ||
    /^application\/(x-(yaml|javascript|sh|ndjson|toml|www-form-urlencoded)|json5|ld\+json|jsonl)$/.test(type)
  );
}

/** What stores of files call whatever was uploaded without a type: it says nothing, so the bytes have to. */
export function saysNothing(type: string): boolean {
  return /^(application|binary)\/octet-stream$/.test(type);
}

export function isHtml(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

/**
 * By the mark that it begins with, else by the header's character set, else by what an HTML page or an XML document
 * says of itself in its first kilobyte, else UTF-8.
 */
export function decodeBody(body: Uint8Array, charset: string | null, type: string): string {
  return decoder(markOf(body) ?? charset ?? ownCharset(body, type) ?? "utf-8").decode(body);
}

/** The character set whose byte order mark stands at the start; null: there is none. */
export function markOf(body: Uint8Array): "utf-8" | "utf-16be" | "utf-16le" | null {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : null;
}

function ownCharset(body: Uint8Array, type: string): string | undefined {
  const head = Buffer.from(body.subarray(0, 1024)).toString("latin1");
  const isXml = /[/+]xml$/.test(type);
  const said =
    (isXml ? /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/.exec(head)?.[1] : undefined) ??
    (isHtml(type) ? /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(head)?.[1] : undefined);
  // What could be read there is no UTF-16, whatever it says.
  return said !== undefined && /^utf-?16/i.test(said) ? "utf-8" : said;
}

function decoder(label: string): TextDecoder {
  try {
    return new TextDecoder(label);
  } catch (error) {
    // A character set nobody knows is read as the one almost everybody uses.
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}

/** At most `bytesMax` bytes of UTF-8, cut at a line end where one is near. */
export function fitBytes(text: string, bytesMax: number): { text: string; cut: boolean } {
  if (Buffer.byteLength(text) <= bytesMax) return { text, cut: false };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytesMax));
  const lineEnd = text.lastIndexOf("\n", read);
  return { text: text.slice(0, lineEnd > Math.max(0, read - 2000) ? lineEnd : read), cut: true };
}
