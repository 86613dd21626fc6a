import { parseInstant } from "#lib/time.ts";
import type { Taint } from "#lib/transcript/record.ts";

/** Takes typed values out of an object and remembers whether any of them was wrong. */
export class Taker {
  bad = false;
  readonly #fields: ReadonlyMap<string, unknown>;

  constructor(fields: ReadonlyMap<string, unknown>) {
    this.#fields = fields;
  }

  wrong<T>(stand_in: T): T {
    this.bad = true;
    return stand_in;
  }

  text(key: string, absent?: string): string {
    const value = this.#fields.has(key) ? this.#fields.get(key) : absent;
    return typeof value === "string" ? value : this.wrong("");
  }

  maybeText(key: string): string | null {
    const value = this.#fields.get(key) ?? null;
    return value === null ? null : this.text(key);
  }

  count(key: string): number {
    const value = this.#fields.has(key) ? this.#fields.get(key) : 0;
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : this.wrong(0);
  }

  maybeNumber(key: string): number | null {
    const value = this.#fields.get(key) ?? null;
    return value === null || (typeof value === "number" && Number.isFinite(value)) ? value : this.wrong(null);
  }

  flag(key: string): boolean {
    const value = this.#fields.has(key) ? this.#fields.get(key) : false;
    return typeof value === "boolean" ? value : this.wrong(false);
  }

  instant(key: string): number | null {
    const value = this.#fields.get(key) ?? null;
    if (value === null) return null;
    return (typeof value === "string" ? parseInstant(value) : null) ?? this.wrong(null);
  }

  oneOf<T extends string>(key: string, known: readonly T[]): T | null {
    const value = this.#fields.get(key) ?? null;
    return value === null ? null : (known.find((one) => one === value) ?? this.wrong(null));
  }

  taint(key: string): Taint {
    if (!this.#fields.has(key)) return { private: false, untrusted: false };
    const value = this.#fields.get(key);
    if (typeof value !== "object" || value === null) return this.wrong({ private: false, untrusted: false });
    const legs = new Taker(new Map<string, unknown>(Object.entries(value)));
    const taint = { private: legs.flag("private"), untrusted: legs.flag("untrusted") };
    return legs.bad ? this.wrong(taint) : taint;
  }
}
