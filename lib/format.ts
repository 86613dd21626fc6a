import { type Rate, ratio } from "#lib/rate.ts";

/** What stands where there is no number: nothing happened, or the format cannot say. */
export const DASH = "—";

/**
 * A rate as a percentage: the quotient as a double, times 100, exact binary ties to the even digit; `—` when there
 * was nothing to count.
 */
export function percent(rate: Rate, decimals: 0 | 1): string {
  const share = ratio(rate);
  return share === null || !Number.isFinite(share) ? DASH : `${fixed(share * 100, decimals)}%`;
}

/** A whole number in plain digits, however large; `—` for null. */
export function count(n: number | null): string {
  if (n === null || !Number.isFinite(n)) return DASH;
  return Number.isInteger(n) ? BigInt(n).toString() : String(n);
}

/** A number with what it counts: `1 run`, `12 runs`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** US dollars with two decimals, ties to the even cent; `—` for null. */
export function money(usd: number | null): string {
  if (usd === null || !Number.isFinite(usd)) return DASH;
  const text = fixed(Math.abs(usd), 2);
  return usd < 0 && text !== "0.00" ? `-$${text}` : `$${text}`;
}

/** A sum of which parts are unknown: at least this much. */
export function lowerBoundMoney(usd: number | null): string {
  const text = money(usd);
  return text === DASH ? DASH : `≥ ${text}`;
}

const UNITS = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1000, name: "s" },
] as const;

/** A length of time in its two largest units: `38 ms`, `1.2 s`, `3 min 20 s`, `2 d 4 h`; `—` for null. */
export function duration(ms: number | null): string {
  if (ms === null || !Number.isFinite(ms)) return DASH;
  if (ms < 0) return `-${duration(-ms)}`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${fixed(ms / 1000, 1)} s`;
  // Rounded to the smaller of the two units first, so that 59 min 59.9 s reads as 1 h and never as 59 min 60 s.
  const step = ms < 3_599_500 ? 1000 : ms < 86_370_000 ? 60_000 : 3_600_000;
  const rounded = Math.round(ms / step) * step;
  const parts = UNITS.map((unit, i) => {
    const above = UNITS[i - 1]?.ms ?? Number.POSITIVE_INFINITY;
    return {
      n: Math.floor((above === Number.POSITIVE_INFINITY ? rounded : rounded % above) / unit.ms),
      name: unit.name,
    };
  });
  const first = parts.findIndex((part) => part.n > 0);
  return parts
    .slice(first, first + 2)
    .filter((part) => part.n > 0)
    .map((part) => `${count(part.n)} ${part.name}`)
    .join(" ");
}

/** A size in decimal units: `512 B`, `1.5 MB`; `—` for null. */
export function bytes(n: number | null): string {
  if (n === null || !Number.isFinite(n)) return DASH;
  const names = ["B", "kB", "MB", "GB", "TB", "PB"];
  let size = n;
  let unit = 0;
  while (size >= 999.95 && unit < names.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${unit === 0 ? count(size) : fixed(size, 1)} ${names[unit]}`;
}

// Control characters, line and paragraph separators, lone surrogates, and everything that Unicode says to draw as
// nothing (bidirectional marks among them), but not the joiners and variation selectors that scripts and emoji need.
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?!\u200c|\u200d|[\ufe00-\ufe0f]|[\u180b-\u180d]|\u180f)\p{Default_Ignorable_Code_Point}/gu;

// No writing stacks more than 30 marks on a letter (UAX #15, stream-safe text), and a pile cannot be broken over lines.
const PILED_UP = /(?<=\p{M}{30})\p{M}/gu;

/**
 * Untrusted text for a terminal or a line of a report: what could move the cursor, colour the screen, reorder or hide
 * letters is written as its code point (`\u{1b}`), so that one title stays one line and reads as what it is.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, codePoint).replace(PILED_UP, codePoint);
}

function codePoint(char: string): string {
  return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
}

/** A model's name for a reader; a run that ended before any model answered has none. */
export function modelName(model: string): string {
  return model === "" ? "(no model)" : visible(model);
}

/** Orders strings as their UTF-8 bytes would be: by code point, which JavaScript's `<` does not do. */
export function byteOrder(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rankOf(left) - rankOf(right);
  }
  return a.length - b.length;
}

/** UTF-16 puts surrogates below U+E000; the characters they stand for come after U+FFFF. */
function rankOf(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * `decimals` digits after the point, exact ties to the even digit. `toFixed` rounds the exact value, but ties away
 * from zero; a double is a tie exactly when twice its value in units of the last binary place that can tie is odd.
 */
export function fixed(value: number, decimals: number): string {
  if (Math.abs(value) >= 1e21) return `${BigInt(value)}.${"0".repeat(decimals)}`.replace(/\.$/, "");
  const text = value.toFixed(decimals);
  const tie = Math.abs(value * 2 ** (decimals + 1)) % 2 === 1;
  const last = Number(text.at(-1));
  return tie && last % 2 === 1 ? `${text.slice(0, -1)}${last - 1}` : text;
}
