import { mended } from "#lib/utf8.ts";

/** Search parameters to set (or, with null, to leave out) in an address. */
export type Change = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** The path with these parameters, those that are null, false or empty left out. */
export function hrefTo(path: string, change: Change): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(change)) {
    if (value == null || value === false || value === "") continue;
    query.set(key, value === true ? "1" : String(value));
  }
  const text = query.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** The page of one session; the id is data, never a path. */
export function sessionHref(id: string, source: string, more: Change = {}): string {
  return hrefTo(`/sessions/${pathPart(id)}`, { source, ...more });
}

/** Any text as one part of a path. Half a surrogate pair has no UTF-8, and stands there as a replacement character. */
export function pathPart(text: string): string {
  return encodeURIComponent(mended(text));
}

/** A part of a path as the framework hands it on, which may still be encoded. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone % is no encoding, so the part is what it is.
    return part;
  }
}
