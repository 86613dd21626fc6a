import { visible } from "#lib/format.ts";
import { METRICS, type Metric } from "#lib/health/tally.ts";
import { SOURCE_KINDS } from "#lib/sources/discover.ts";
import { isZone, PERS, type Per, parseTime } from "#lib/time.ts";
import { STOP_CAUSES, type StopCause } from "#lib/transcript/record.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";

/** Search parameters as a page gets them. */
export type Params = Readonly<Record<string, string | string[] | undefined>>;

/** What the address of every page with a window asks for. */
export type WindowAsk = {
  /** null = everything the stores hold. */
  days: number | null;
  asOfMs: number | null;
  zone: string;
  /** The zone as the address names it; null where the server's own is meant. */
  zoneAsked: string | null;
  source: SourceKind | null;
  model: string | null;
};

/** What the address of the health page asks for beside its window. */
export type HealthAsk = WindowAsk & {
  metric: Metric;
  /** null = what suits the span. */
  per: Per | null;
};

export const CAUSE_FILTERS = [...STOP_CAUSES, "unrecorded", "cut_short"] as const;
export type CauseFilter = StopCause | "unrecorded" | "cut_short";

export const SESSION_SORTS = ["created", "runs", "calls", "errors", "denied"] as const;
export type SessionSort = { by: (typeof SESSION_SORTS)[number]; descending: boolean };

/** What the address of the session list asks for beside its window. */
export type SessionsAsk = WindowAsk & {
  stopCause: CauseFilter | null;
  errors: boolean;
  failedEnd: boolean;
  /** Sub-agent sessions: with the others, alone, or left out. */
  subagents: "with" | "only" | "without";
  q: string;
  sort: SessionSort;
};

/** A value, and a line for each part of the address that could not be used and was passed over. */
export type Asked<T> = { ask: T; problems: string[] };

const TEXT_MAX = 500;
/** A hundred years: beyond it a date would leave the range of four-digit years. */
const DAYS_MAX = 36_500;

/** The health page's address; `days` is 30 unless it says otherwise. */
export function parseHealthAsk(params: Params, zone: string): Asked<HealthAsk> {
  const { ask, problems } = parseWindowAsk(params, zone, 30);
  const metric = oneOf(params, "metric", METRICS, problems) ?? "tool_error_rate";
  const per = oneOf(params, "per", PERS, problems);
  return { ask: { ...ask, metric, per }, problems };
}

/** The session list's address; it shows everything unless it says otherwise. */
export function parseSessionsAsk(params: Params, zone: string): Asked<SessionsAsk> {
  const { ask, problems } = parseWindowAsk(params, zone, null);
  return {
    ask: {
      ...ask,
      stopCause: oneOf(params, "stop_cause", CAUSE_FILTERS, problems),
      errors: paramText(params, "errors") === "1",
      failedEnd: paramText(params, "ended_on_failed_call") === "1",
      subagents: oneOf(params, "subagents", ["only", "without"] as const, problems) ?? "with",
      q: (paramText(params, "q") ?? "").trim(),
      sort: parseSort(paramText(params, "sort"), problems),
    },
    problems,
  };
}

/** The parts that all pages share. */
export function parseWindowAsk(
  params: Params,
  serverZone: string,
  daysUnlessSaid: number | null,
): Asked<WindowAsk> {
  const problems: string[] = [];
  const zone = parseZone(paramText(params, "zone"), serverZone, problems);
  return {
    ask: {
      days: parseDays(paramText(params, "days"), daysUnlessSaid, problems),
      asOfMs: parseAsOf(paramText(params, "as_of"), zone, problems),
      zone,
      zoneAsked: paramText(params, "zone") === zone ? zone : null,
      source: oneOf(params, "source", SOURCE_KINDS, problems),
      model: paramText(params, "model"),
    },
    problems,
  };
}

/** Buckets that give a line to read: not two points, and not a thousand. */
export function perFor(days: number): Per {
  if (days <= 14) return "day";
  return days <= 200 ? "week" : "month";
}

function parseDays(text: string | null, unlessSaid: number | null, problems: string[]): number | null {
  if (text === null) return unlessSaid;
  if (text === "all") return null;
  const days = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && days > 0 && days <= DAYS_MAX) return days;
  const used = unlessSaid === null ? "all time is shown" : `the last ${unlessSaid} days are shown`;
  problems.push(`days=${quoted(text)} is not a number of days, nor "all"; ${used}.`);
  return unlessSaid;
}

function parseZone(text: string | null, serverZone: string, problems: string[]): string {
  if (text === null) return serverZone;
  if (isZone(text)) return text;
  problems.push(`zone=${quoted(text)} is not a time zone; times are in ${serverZone}.`);
  return serverZone;
}

function parseAsOf(text: string | null, zone: string, problems: string[]): number | null {
  if (text === null) return null;
  const parsed = parseTime(text, zone);
  if (parsed.ok) return parsed.value;
  problems.push(`as_of: ${visible(parsed.problem)}.`);
  return null;
}

function parseSort(text: string | null, problems: string[]): SessionSort {
  const newestFirst: SessionSort = { by: "created", descending: true };
  if (text === null) return newestFirst;
  const descending = text.startsWith("-");
  const by = SESSION_SORTS.find((key) => key === text.slice(descending ? 1 : 0));
  if (by !== undefined) return { by, descending };
  problems.push(`sort=${quoted(text)} is no column of this list.`);
  return newestFirst;
}

function oneOf<T extends string>(
  params: Params,
  key: string,
  known: readonly T[],
  problems: string[],
): T | null {
  const text = paramText(params, key);
  if (text === null) return null;
  const value = known.find((one) => one === text);
  if (value === undefined) problems.push(`${key}=${quoted(text)} is not known; use ${known.join(", ")}.`);
  return value ?? null;
}

/** The first value of a key, cut to `max` characters; an empty one counts as absent. */
export function paramText(params: Params, key: string, max = TEXT_MAX): string | null {
  const value = params[key];
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === "" ? null : text.slice(0, max);
}

function quoted(text: string): string {
  return `"${visible(text.slice(0, 60))}"`;
}
