/**
 * A strict JSON reader over bytes that builds nothing: it steps over values and says where they end. Every function
 * gives the index behind what it read, or -1 for anything that is not JSON, is cut off, or is too deep to be worth it;
 * the caller then takes the slow way.
 */

const PLAIN = 0;
const QUOTE = 1;
const ESCAPE = 2;
const CONTROL = 3;
const CLASS = new Uint8Array(256);
CLASS.fill(CONTROL, 0, 0x20);
CLASS[0x22] = QUOTE;
CLASS[0x5c] = ESCAPE;

const DEPTH_MAX = 64;

export const OPEN_BRACE = 0x7b;
export const CLOSE_BRACE = 0x7d;
export const OPEN_BRACKET = 0x5b;
export const CLOSE_BRACKET = 0x5d;
export const QUOTE_MARK = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;

/** The first index from `at` on that is no JSON white space; `end` when there is none. */
export function skipSpace(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end) {
    const byte = buf[i];
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return i;
    i += 1;
  }
  return end;
}

/** `at` stands on the opening quote. */
export function skipString(buf: Uint8Array, at: number, end: number): number {
  let i = at + 1;
  while (i < end) {
    const kind = CLASS[buf[i] as number];
    if (kind === PLAIN) {
      i += 1;
    } else if (kind === QUOTE) {
      return i + 1;
    } else if (kind === ESCAPE) {
      i = skipEscape(buf, i, end);
      if (i < 0) return -1;
    } else {
      return -1;
    }
  }
  return -1;
}

function skipEscape(buf: Uint8Array, at: number, end: number): number {
  if (at + 1 >= end) return -1;
  switch (buf[at + 1]) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return at + 2;
    case 0x75: // u
      for (let i = at + 2; i < at + 6; i += 1) if (i >= end || !isHex(buf[i] as number)) return -1;
      return at + 6;
    default:
      return -1;
  }
}

function isHex(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

/** `at` stands on the first byte of a value. */
export function skipValue(buf: Uint8Array, at: number, end: number, depth = 0): number {
  if (at >= end || depth > DEPTH_MAX) return -1;
  switch (buf[at]) {
    case QUOTE_MARK:
      return skipString(buf, at, end);
    case OPEN_BRACE:
      return skipObject(buf, at, end, depth);
    case OPEN_BRACKET:
      return skipArray(buf, at, end, depth);
    case 0x74:
      return skipWord(buf, at, end, TRUE);
    case 0x66:
      return skipWord(buf, at, end, FALSE);
    case 0x6e:
      return skipWord(buf, at, end, NULL);
    default:
      return skipNumber(buf, at, end);
  }
}

function skipObject(buf: Uint8Array, at: number, end: number, depth: number): number {
  let i = skipSpace(buf, at + 1, end);
  if (buf[i] === CLOSE_BRACE && i < end) return i + 1;
  while (i < end) {
    i = skipKey(buf, i, end);
    if (i < 0) return -1;
    i = skipValue(buf, i, end, depth + 1);
    if (i < 0) return -1;
    i = skipSpace(buf, i, end);
    if (i >= end) return -1;
    if (buf[i] === CLOSE_BRACE) return i + 1;
    if (buf[i] !== COMMA) return -1;
    i = skipSpace(buf, i + 1, end);
  }
  return -1;
}

/** From the opening quote of a key over its colon to the first byte of its value. */
function skipKey(buf: Uint8Array, at: number, end: number): number {
  if (at >= end || buf[at] !== QUOTE_MARK) return -1;
  const closed = skipString(buf, at, end);
  return closed < 0 ? -1 : skipColon(buf, closed, end);
}

/** From behind a key to the first byte of its value. */
export function skipColon(buf: Uint8Array, at: number, end: number): number {
  const i = skipSpace(buf, at, end);
  return i < end && buf[i] === COLON ? skipSpace(buf, i + 1, end) : -1;
}

function skipArray(buf: Uint8Array, at: number, end: number, depth: number): number {
  let i = skipSpace(buf, at + 1, end);
  if (buf[i] === CLOSE_BRACKET && i < end) return i + 1;
  while (i < end) {
    i = skipValue(buf, i, end, depth + 1);
    if (i < 0) return -1;
    i = skipSpace(buf, i, end);
    if (i >= end) return -1;
    if (buf[i] === CLOSE_BRACKET) return i + 1;
    if (buf[i] !== COMMA) return -1;
    i = skipSpace(buf, i + 1, end);
  }
  return -1;
}

const TRUE = bytesOf("true");
const FALSE = bytesOf("false");
const NULL = bytesOf("null");

function skipWord(buf: Uint8Array, at: number, end: number, word: Uint8Array): number {
  if (at + word.length > end) return -1;
  for (let i = 0; i < word.length; i += 1) if (buf[at + i] !== word[i]) return -1;
  return at + word.length;
}

function skipNumber(buf: Uint8Array, at: number, end: number): number {
  let i = buf[at] === 0x2d ? at + 1 : at;
  const whole = skipDigits(buf, i, end);
  if (whole === i || (buf[i] === 0x30 && whole > i + 1)) return -1;
  i = whole;
  if (i < end && buf[i] === 0x2e) {
    const fraction = skipDigits(buf, i + 1, end);
    if (fraction === i + 1) return -1;
    i = fraction;
  }
  if (i < end && (buf[i] === 0x65 || buf[i] === 0x45)) {
    const sign = buf[i + 1] === 0x2b || buf[i + 1] === 0x2d ? 1 : 0;
    const exponent = skipDigits(buf, i + 1 + sign, end);
    if (exponent === i + 1 + sign) return -1;
    i = exponent;
  }
  return i;
}

function skipDigits(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && (buf[i] as number) >= 0x30 && (buf[i] as number) <= 0x39) i += 1;
  return i;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
