import { type Parsed, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { SOURCE_KINDS } from "#lib/sources/discover.ts";
import { isZone, parseTime } from "#lib/time.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";

/** What the address of an answer for programs asks for. */
export type NumbersAsk = {
  /** null = everything the stores hold. */
  days: number | null;
  as_of_ms: number | null;
  zone: string;
  source: SourceKind | null;
  model: string | null;
};

const KEYS = ["days", "as_of", "zone", "source", "model"] as const;
type Key = (typeof KEYS)[number];

/** A hundred years, as on the command line. */
const DAYS_MAX = 36_500;
const TEXT_MAX = 500;

/**
 * The parameters among `keys`, the zone being the server's unless said. Unlike a page, which shows what it can and says
 * what it passed over, this refuses what it does not know: nobody reads a note beside a number. Throws UserError.
 */
export function numbersAsk(
  query: URLSearchParams,
  serverZone: string,
  given: { keys?: readonly Key[]; days?: number | null } = {},
): NumbersAsk {
  const { keys = KEYS, days = null } = given;
  const unknown = [...query.keys()].find((key) => !keys.some((known) => known === key));
  if (unknown !== undefined) throw wrong(`${quoted(unknown)} is no parameter here; use ${keys.join(", ")}`);
  const text = (key: Key): string | null => {
    const [value = "", ...more] = query.getAll(key);
    if (more.length > 0) throw wrong(`${key} stands there twice`);
    if (value.length > TEXT_MAX) throw wrong(`${key} is longer than ${TEXT_MAX} characters`);
    return value === "" ? null : value;
  };
  const zone = text("zone") ?? serverZone;
  if (!isZone(zone)) throw wrong(`zone=${quoted(zone)} is not a time zone; write one such as Europe/Zurich`);
  const asOf = text("as_of");
  return {
    days: daysOf(text("days"), days),
    as_of_ms: asOf === null ? null : instantOf(parseTime(asOf, zone)),
    zone,
    source: sourceOf(text("source")),
    model: text("model"),
  };
}

function daysOf(text: string | null, unlessSaid: number | null): number | null {
  if (text === null) return unlessSaid;
  if (text === "all") return null;
  const days = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && days > 0 && days <= DAYS_MAX) return days;
  throw wrong(`days=${quoted(text)} is not a number of days above 0, at most ${DAYS_MAX}, nor "all"`);
}

function sourceOf(text: string | null): SourceKind | null {
  if (text === null) return null;
  const kind = SOURCE_KINDS.find((known) => known === text);
  if (kind === undefined) throw wrong(`source=${quoted(text)} is not known; use ${SOURCE_KINDS.join(", ")}`);
  return kind;
}

function instantOf(parsed: Parsed<number>): number {
  if (parsed.ok) return parsed.value;
  throw wrong(`as_of: ${visible(parsed.problem)}`);
}

function wrong(problem: string): UserError {
  return new UserError("usage", problem);
}

function quoted(text: string): string {
  return `"${visible(text.slice(0, 60))}"`;
}
