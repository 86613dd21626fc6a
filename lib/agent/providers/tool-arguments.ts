import { withExactIds } from "#lib/json-text.ts";

/** The key under which argument text that is no JSON is kept as it came. */
export const MALFORMED_KEY = "__malformed_arguments";

/**
 * The input of a call from its argument text. Blank text means no arguments. JSON that is no object is passed on as it
 * is: it is the wrong shape, but it is not malformed. A number that cannot be held as it was written becomes a text: many
 * servers take one for the number, and one that does not says so, where a rounded one would be another record's.
 */
export function parseArguments(raw: string): { input: unknown; malformed: boolean } {
  if (raw.trim() === "") return { input: {}, malformed: false };
  try {
    JSON.parse(raw);
    return { input: JSON.parse(withExactIds(raw)), malformed: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { input: { [MALFORMED_KEY]: raw }, malformed: true };
  }
}

/**
 * The arguments of one call as they come, piece by piece. Once they are a whole object nothing can follow: what does is
 * the same said again, or belongs to another call.
 */
export class ArgumentPieces {
  #pieces: string[] = [];
  #whole: string | null = null;
  #depth = 0;
  #at: "start" | "object" | "string" | "escape" | "end" | "broken" = "start";

  add(piece: string): void {
    // What stood in the place of arguments that were to come.
    if (this.empty && beginsObject(piece)) {
      this.#pieces = [];
      this.#at = "start";
    }
    this.#pieces.push(piece);
    for (let i = 0; i < piece.length && this.#at !== "broken"; i += 1) this.#step(piece.charCodeAt(i));
    if (this.#at !== "end") this.#whole = null;
    else this.#whole ??= this.text().trim();
  }

  text(): string {
    return this.#pieces.join("");
  }

  /** Are they an object with nothing in it? */
  get empty(): boolean {
    return this.#whole === "{}";
  }

  /** Were they whole, and is this the whole of them once more? */
  repeatedBy(piece: string): boolean {
    return this.#whole !== null && this.#whole === piece.trim();
  }

  /** Were they whole, and does this begin other ones? */
  followedBy(piece: string): boolean {
    return this.#whole !== null && beginsObject(piece) && !this.repeatedBy(piece);
  }

  #step(unit: number): void {
    if (this.#at === "escape") this.#at = "string";
    else if (this.#at === "string") {
      if (unit === BACKSLASH) this.#at = "escape";
      else if (unit === QUOTE) this.#at = "object";
    } else if (unit === OPEN && this.#at !== "end") {
      this.#at = "object";
      this.#depth += 1;
    } else if (this.#at === "object") {
      if (unit === QUOTE) this.#at = "string";
      else if (unit === CLOSE) {
        this.#depth -= 1;
        if (this.#depth === 0) this.#at = "end";
      }
    } else if (unit > SPACE) this.#at = "broken";
  }
}

function beginsObject(text: string): boolean {
  return text.trimStart().startsWith("{");
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN = 0x7b;
const CLOSE = 0x7d;
