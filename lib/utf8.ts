/** The text of UTF-8 bytes, without a byte order mark; null when they are none. */
export function utf8(content: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(content);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** A text that UTF-8 can hold: half a character, which JavaScript allows, is replaced. */
export function mended(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}

/** Plain data in which every text is mended, names of keys too. */
export function mendedValue<T>(value: T): T {
  return mendedData(value) as T;
}

function mendedData(value: unknown): unknown {
  if (typeof value === "string") return mended(value);
  if (Array.isArray(value)) return value.map(mendedData);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [mended(key), mendedData(part)]));
}

/** For JSON.stringify: writes only such texts. */
export function mendedTexts(_key: string, value: unknown): unknown {
  return typeof value === "string" ? mended(value) : value;
}

/** The last place at or before `at` that is inside no character of these UTF-8 bytes. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > 0 && start > at - 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}

/** The first `max` UTF-16 units of a text, or one less where that would cut a character in two. */
export function startOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

/** The last `max` UTF-16 units of a text, or one less where that would cut a character in two. */
export function endOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(text.length - max).replace(/^[\udc00-\udfff]/, "");
}

/** A text, or so much of its beginning and a mark that there is more. */
export function clipped(text: string, max: number): string {
  return text.length <= max ? text : `${startOf(text, max)}…`;
}
