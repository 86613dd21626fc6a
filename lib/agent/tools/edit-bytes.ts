import type { Parsed } from "#lib/errors.ts";

export type Edited = { content: Uint8Array; line: number };

/**
 * Replaces the one place where `before` stands. It works on bytes, so whatever else the file holds, a byte order mark
 * or bytes that are no UTF-8 among it, stays as it is. Places that overlap count as several.
 *
 * Where every line of the file ends in CRLF, the line ends of both texts are taken as CRLF too: models write LF.
 */
export function editBytes(file: Uint8Array, before: string, after: string): Parsed<Edited> {
  const content = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const ends = onlyCrlf(content) ? (text: string) => text.replace(/\r?\n/g, "\r\n") : (text: string) => text;
  const old = Buffer.from(ends(withoutMark(before)));
  if (old.length === 0) return { ok: false, problem: "`old` is empty; it must be text of the file" };
  const fresh = Buffer.from(ends(withoutMark(after)));
  if (old.equals(fresh)) return { ok: false, problem: "`old` and `new` are the same; nothing to change" };
  const at = content.indexOf(old);
  const places = at === -1 ? 0 : countFrom(content, old, at);
  if (places !== 1) return { ok: false, problem: unfit(places) };
  return {
    ok: true,
    value: {
      content: Buffer.concat([content.subarray(0, at), fresh, content.subarray(at + old.length)]),
      line: linesBefore(content, at) + 1,
    },
  };
}

const COUNTED_MAX = 1000;

function countFrom(content: Buffer, old: Buffer, first: number): number {
  let places = 0;
  for (let at = first; at !== -1 && places < COUNTED_MAX; at = content.indexOf(old, at + 1)) places += 1;
  return places;
}

function unfit(places: number): string {
  if (places === 0)
    return "`old` does not occur in it (0 times); copy it from fs_read, spaces and line ends included";
  const times = places === COUNTED_MAX ? `${COUNTED_MAX} times or more` : `${places} times`;
  return `\`old\` occurs ${times}; add lines around it until it occurs once`;
}

/** `fs_read` shows a file without its mark, and a model may add one of its own; the file's stays. */
function withoutMark(text: string): string {
  return text.startsWith("\ufeff") ? text.slice(1) : text;
}

function onlyCrlf(content: Buffer): boolean {
  const first = content.indexOf(0x0a);
  if (first === -1) return false;
  for (let at = first; at !== -1; at = content.indexOf(0x0a, at + 1))
    if (content[at - 1] !== 0x0d) return false;
  return true;
}

function linesBefore(content: Buffer, end: number): number {
  let lines = 0;
  for (let at = content.indexOf(0x0a); at !== -1 && at < end; at = content.indexOf(0x0a, at + 1)) lines += 1;
  return lines;
}
