import { resolvePlace } from "#lib/settings.ts";
import { isZone } from "#lib/time.ts";
import { EFFORT_WORDS, type Effort, parseEffort } from "./effort.ts";
import { isTable, type Reading, type Rule } from "./read-table.ts";

/** A text with something in it. */
export const text: Rule<string> = {
  expected: "a text in quotes, and not empty",
  read: (written) => (typeof written === "string" && written.trim() !== "" ? written : undefined),
};

/** A text that may be empty. */
export const anyText: Rule<string> = {
  expected: "a text in quotes",
  read: (written) => (typeof written === "string" ? written : undefined),
};

export const flag: Rule<boolean> = {
  expected: "true or false",
  read: (written) => (typeof written === "boolean" ? written : undefined),
};

export const texts = listOf(text, "a list of texts");

/**
 * A whole number. Above 2^53 - 1 no count of ours gets, and none is exact: a larger limit stands as that number, which
 * is no limit either, unless `max` is smaller.
 */
export function whole(min: number, max: number | null = null): Rule<number> {
  const most = max === null ? 2n ** 64n - 1n : BigInt(max);
  const range = max === null ? `from ${min} up` : `from ${min} to ${max}`;
  return {
    expected: `a whole number ${range}`,
    read: (written) => {
      if (typeof written !== "bigint" || written < BigInt(min) || written > most) return undefined;
      return Math.min(Number(written), Number.MAX_SAFE_INTEGER);
    },
  };
}

/** A number, with or without a fraction; `above`: zero itself is of no use. */
export function amount(lowest: "from 0 up" | "above 0"): Rule<number> {
  return {
    expected: `a number ${lowest}`,
    read: (written) => {
      const value = typeof written === "bigint" ? Number(written) : written;
      if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
      return value > 0 || (value === 0 && lowest === "from 0 up") ? Math.abs(value) : undefined;
    },
  };
}

export function oneOf<const W extends string>(words: readonly W[]): Rule<W> {
  return {
    expected: orList(words.map((word) => JSON.stringify(word))),
    read: (written) => words.find((word) => word === written),
  };
}

export function listOf<T>(rule: Rule<T>, expected: string): Rule<T[]> {
  return {
    expected,
    read: (written) => {
      if (!Array.isArray(written)) return undefined;
      const items: T[] = [];
      for (const one of written) {
        const item = rule.read(one);
        if (item === undefined) return undefined;
        items.push(item);
      }
      return items;
    },
  };
}

/** A text of one shape. The message never repeats what was written: it may be a secret in the wrong place. */
export function shaped(shape: RegExp, expected: string): Rule<string> {
  return {
    expected,
    read: (written) => (typeof written === "string" && shape.test(written) ? written : undefined),
  };
}

/** A path; `~` is the home folder, a relative one stands in the folder of the file it is written in. */
export function place({ around }: Reading): Rule<string> {
  return {
    expected: "a path in quotes",
    read: (written) =>
      typeof written === "string" && written.trim() !== "" && !written.includes("\0")
        ? resolvePlace(written, around)
        : undefined,
  };
}

/**
 * A program: by its name, to be looked for in PATH, or, as soon as there is a slash in it, by its path as `place` reads
 * one. Left as it is, that would be looked for in the workspace: whoever wrote the files there would choose the program.
 */
export function program({ around }: Reading): Rule<string> {
  return {
    expected: text.expected,
    read: (written) => {
      const word = text.read(written);
      return word?.includes("/") ? resolvePlace(word, around) : word;
    },
  };
}

export const effort: Rule<Effort> = {
  expected: EFFORT_WORDS,
  read: (written) => (typeof written === "string" ? (parseEffort(written) ?? undefined) : undefined),
};

export const zone: Rule<string> = {
  expected: "a time zone, such as Europe/Zurich",
  read: (written) => (typeof written === "string" && isZone(written) ? written : undefined),
};

/** Where a server is. What stands before an `@` or after a `?` would be sent to, and shown in, places that a key is not. */
export const httpUrl: Rule<string> = {
  expected: "an http or https address without user, password, query or fragment",
  read: (written) => {
    if (typeof written !== "string" || !/^https?:\/\/[^\s]+$/i.test(written)) return undefined;
    const url = URL.canParse(written) ? new URL(written) : null;
    const plain = url !== null && url.username === "" && url.password === "" && !/[?#]/.test(written);
    return plain ? written.replace(/\/+$/, "") : undefined;
  },
};

const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
export const variable = shaped(VARIABLE, "the name of an environment variable");
export const variables = listOf(variable, "a list of names of environment variables");

export const variableValues: Rule<Record<string, string>> = {
  expected: "a table of environment variables, each with a text",
  read: (written) => {
    if (!isTable(written)) return undefined;
    const pairs = Object.entries(written).filter((pair): pair is [string, string] => {
      const [name, value] = pair;
      return VARIABLE.test(name) && typeof value === "string" && !value.includes("\0");
    });
    return pairs.length === Object.keys(written).length ? Object.fromEntries(pairs) : undefined;
  },
};

/** Host names, in lower case, in any script; `*.` before one is kept. */
export const hosts: Rule<string[]> = {
  expected: "a list of host names, such as example.org",
  read: (written) =>
    listOf(shaped(/^(\*\.|\.)?[\p{L}\p{N}_:[\].-]+$/u, ""), "")
      .read(written)
      ?.map((host) => host.toLowerCase()),
};

/** A text that may stand in an HTTP header: a key with a line end in it would be a header of its own. */
export const secret = shaped(/^[\x21-\x7e]+$/, "a text of visible ASCII characters without spaces");

function orList(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
