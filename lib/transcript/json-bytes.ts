const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;

/** The first place in `buf[at, end)` that is not white space (JSON's, and the rarer ASCII ones), or `end`. */
export function skipSpace(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(buf[i])) i++;
  return i;
}

/** The place before which `buf[start, end)` has only white space left, or `start`. */
export function trimEnd(buf: Uint8Array, start: number, end: number): number {
  let i = end;
  while (i > start && isSpace(buf[i - 1])) i--;
  return i;
}

/**
 * Where the JSON object that starts at `start` ends (exclusive), by counting braces outside strings; -1 when it does
 * not start with `{` or never ends. The object need not be valid: this only cuts.
 */
export function objectEnd(buf: Uint8Array, start: number, end: number): number {
  if (buf[start] !== OPEN) return -1;
  let depth = 0;
  for (let i = start; i < end; i++) {
    const byte = buf[i];
    if (byte === QUOTE) {
      i = stringEnd(buf, i, end);
    } else if (byte === OPEN) {
      depth++;
    } else if (byte === CLOSE && --depth === 0) {
      return i + 1;
    }
  }
  return -1;
}

/**
 * Where behind `start` an object begins that is whole and has nothing but further objects behind it, though what stands
 * before it never ended; -1 when there is none. One that is a part of what stands before it is none.
 */
export function objectBehind(buf: Uint8Array, start: number, end: number): number {
  // Each place costs a look at what is behind it; a line made of nothing else must not take its square.
  let budget = 8 * (end - start);
  for (let at = start + 1; at < end && budget > 0; at++) {
    if (buf[at] !== OPEN || isInside(buf[at - 1]) || !startsMember(buf, at, end)) continue;
    const stop = objectEnd(buf, at, end);
    budget -= (stop < 0 ? end : stop) - at;
    const next = stop < 0 ? -1 : skipSpace(buf, stop, end);
    if (next === end || (next > 0 && buf[next] === OPEN)) return at;
  }
  return -1;
}

/** Is it what stands before an object that is a value in another, or before its first key? */
function isInside(byte: number | undefined): boolean {
  return byte === OPEN || byte === 0x5b || byte === 0x3a || byte === 0x2c;
}

/** Does an object start at `start` that has a key, and a colon behind it? */
function startsMember(buf: Uint8Array, start: number, end: number): boolean {
  if (!startsObject(buf, start, end)) return false;
  const key = stringEnd(buf, skipSpace(buf, start + 1, end), Math.min(end, start + 1 + KEY_MAX));
  return buf[key] === QUOTE && buf[skipSpace(buf, key + 1, end)] === 0x3a;
}

const KEY_MAX = 256;

/** Does an object that holds something start at `start`, as far as the quote of its first key tells? */
export function startsObject(buf: Uint8Array, start: number, end: number): boolean {
  return start < end && buf[start] === OPEN && buf[skipSpace(buf, start + 1, end)] === QUOTE;
}

/** The first place in `buf[at, end)` behind empty objects and white space, or `end`. */
export function skipEmpty(buf: Uint8Array, at: number, end: number): number {
  let i = skipSpace(buf, at, end);
  while (i < end && buf[i] === OPEN) {
    const next = skipSpace(buf, i + 1, end);
    if (next === end || buf[next] !== CLOSE) break;
    i = skipSpace(buf, next + 1, end);
  }
  return i;
}

/**
 * Looks for where one object may end and another start: a closing brace, an opening one and a quote, with white space or
 * nothing between them. Inside strings too, where it means nothing; but there a quote is mostly escaped, and outside
 * them valid JSON has none. Bytes come part by part.
 */
export class SeamSearch {
  found = false;
  /** The last bytes were a closing brace, or that and an opening one, with white space behind each. */
  #after: "close" | "open" | null = null;

  part(buf: Uint8Array, start: number, end: number): void {
    for (let i = start; i < end && !this.found; i++) {
      if (this.#after === null) {
        while (i < end && buf[i] !== CLOSE) i++;
        if (i < end) this.#after = "close";
      } else if (!isSpace(buf[i])) {
        this.#step(buf[i]);
      }
    }
  }

  #step(byte: number | undefined): void {
    if (this.#after === "open" && byte === QUOTE) this.found = true;
    else if (byte === CLOSE) this.#after = "close";
    else this.#after = this.#after === "close" && byte === OPEN ? "open" : null;
  }
}

/** The place of the quote that closes the string opened at `start`, or `end`. */
function stringEnd(buf: Uint8Array, start: number, end: number): number {
  let i = start + 1;
  while (i < end && buf[i] !== QUOTE) i += buf[i] === BACKSLASH ? 2 : 1;
  return Math.min(i, end);
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}
