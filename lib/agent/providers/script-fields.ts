import type { Parsed } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import { nearest } from "#lib/nearest.ts";
import { nestsDeeper } from "#lib/nesting.ts";

/** Engines recurse when they write JSON, and give up somewhere above this. */
const DEPTH_MAX = 200;

/** Ends the reading of a script; its message says which field and what was wanted there. */
class FieldProblem extends Error {}

/** Runs `read`, with what is wrong in any field as the problem: `demo.json: rules[0].when: unknown key …`. */
export function inFile<T>(file: string, read: () => T): Parsed<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    return { ok: false, problem: `${file}: ${error.message}` };
  }
}

/** One object of the file. A key is read by the kind of its value; null stands for one that is not there. */
export class Fields {
  readonly path: string;
  readonly #object: Readonly<Record<string, unknown>>;

  /** Refuses what is no object and any key outside `known`: a misspelt condition would hold for everything. */
  constructor(value: unknown, path: string, known: readonly string[]) {
    if (!isObject(value)) throw new FieldProblem(`${path || "the file"} must be an object`);
    this.path = path;
    this.#object = value;
    const stray = Object.keys(value).find((key) => !known.includes(key));
    if (stray === undefined) return;
    const meant = nearest(stray, known);
    const hint = meant === null ? `; known are ${known.join(", ")}` : `; did you mean "${meant}"?`;
    const where = path === "" ? "" : `${path}: `;
    throw new FieldProblem(`${where}unknown key ${JSON.stringify(stray.slice(0, 80))}${hint}`);
  }

  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  /** The value as it stands; undefined where there is none. */
  raw(key: string): unknown {
    return this.has(key) ? this.#object[key] : undefined;
  }

  text(key: string): string | null {
    return this.#read(key, "a text", (value) => typeof value === "string");
  }

  flag(key: string): boolean | null {
    return this.#read(key, "true or false", (value) => typeof value === "boolean");
  }

  object(key: string): Record<string, unknown> | null {
    const value = this.#read(key, "an object", isObject);
    if (nestsDeeper(value, DEPTH_MAX)) throw this.problem(key, "nests too deep");
    return value;
  }

  count(key: string, max: number): number | null {
    const isCount = (value: unknown): value is number =>
      typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= max;
    return this.#read(key, `a whole number from 0 to ${max}`, isCount);
  }

  oneOf<T extends string>(key: string, words: readonly T[]): T | null {
    const isWord = (value: unknown): value is T => words.some((word) => word === value);
    return this.#read(key, `one of ${words.map((word) => `"${word}"`).join(", ")}`, isWord);
  }

  /** Each element with its path; a list longer than `max` is refused. */
  list<T>(key: string, max: number, read: (value: unknown, path: string) => T): T[] {
    const values = this.#read(key, "a list", (value): value is unknown[] => Array.isArray(value)) ?? [];
    if (values.length > max) throw this.problem(key, `has more than ${max} entries`);
    return values.map((value, i) => read(value, `${this.at(key)}[${i}]`));
  }

  at(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  problem(key: string, what: string): Error {
    return new FieldProblem(`${this.at(key)} ${what}`);
  }

  #read<T>(key: string, wanted: string, fits: (value: unknown) => value is T): T | null {
    const value = this.raw(key);
    if (value === undefined) return null;
    if (fits(value)) return value;
    throw this.problem(key, `must be ${wanted}`);
  }
}
