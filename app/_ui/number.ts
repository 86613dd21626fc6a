import { count } from "#lib/format.ts";

/** A whole number, in groups of three from five digits on; `—` for null. */
export function grouped(n: number | null): string {
  const text = count(n);
  return /^-?\d{5,}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, "\u202f") : text;
}

/** A number with what it counts: `1 run`, `12 runs`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}
