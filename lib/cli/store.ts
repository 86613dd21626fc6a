import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { Window } from "#lib/health/report.ts";
import { type Settings, settingsFrom } from "#lib/settings.ts";
import { discoverSources, type FoundSource } from "#lib/sources/discover.io.ts";
import { DEFAULT_LIMITS, type Limits, type Source } from "#lib/sources/source.ts";
import { DAY_MS, isoUtc, isZone, parseTime } from "#lib/time.ts";
import type { CommonFlags, WindowFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";

/** What a command reads, as its flags and the environment say. */
export type Store = {
  settings: Settings;
  /** The places that can be read. */
  sources: Source[];
  /** Every place that was looked at. */
  looked: FoundSource[];
  window: Window;
  limits: Limits;
  /** The exit code of a command that did its work: a store that could not be used is said by it. */
  code: number;
};

/** `zoneUnread`: no date is printed or read, so that nobody needs to load what knows zones (15 ms). */
export type Use = { zoneUnread?: boolean };

/**
 * Settles sources, window and zone. A store that stands there and cannot be read is named on standard error; the
 * others are read all the same. Throws UserError when there is nothing else to read.
 */
export async function openStore(io: CliIo, flags: WindowFlags, use: Use = {}): Promise<Store> {
  const settings = settle(io, flags, use);
  const window = windowOf(io, flags, settings.zone);
  const looked = await discoverSources(settings, flags.source.length > 0 ? flags.source : null);
  const sources = looked
    .filter(({ found, problem }) => found && problem === null)
    .map(({ source }) => source);
  const problems = looked.filter(({ problem }) => problem !== null).map(problemLine);
  if (sources.length === 0 && problems.length > 0)
    throw new UserError("bad_input", problems.join("\nmecha: "));
  for (const problem of problems) io.err(`mecha: ${problem}; left out\n`);
  return {
    settings,
    sources,
    looked,
    window,
    limits: limitsOf(window),
    code: problems.length > 0 ? EXIT.problem : EXIT.fine,
  };
}

/** The settings of this run, with the zone of `--zone` where it is given. */
export function settle(io: CliIo, flags: Partial<CommonFlags>, { zoneUnread = false }: Use = {}): Settings {
  // What is wrong with the server's settings is no concern of a command.
  const env = { ...io.env, PORT: undefined, MECHA_BIND: undefined, MECHA_ALLOWED_HOSTS: undefined };
  const around = { osHome: io.osHome, cwd: io.cwd, systemZone: io.systemZone };
  const parsed = settingsFrom(env, around);
  if (!parsed.ok) throw new UserError("bad_input", parsed.problem);
  const { zone } = parsed.value;
  // A machine may have a zone, or what it takes for one, that this runtime does not know.
  if (flags.zone === undefined) return { ...parsed.value, zone: zoneUnread || isZone(zone) ? zone : "UTC" };
  if (isZone(flags.zone)) return { ...parsed.value, zone: flags.zone };
  throw new UserError(
    "usage",
    `--zone: '${visible(flags.zone)}' is not a time zone; write one such as Europe/Zurich`,
  );
}

/** The zone of schedules that name none: this machine's, whatever zone a reader wants dates in. */
export function scheduleZone(io: CliIo): string {
  return settle(io, {}).zone;
}

/** The instant of `--as-of`, else now; ms since the epoch. */
export function asOf(io: CliIo, flags: Partial<CommonFlags>, zone: string): number {
  if (flags.asOf === undefined) return io.now_ms;
  const parsed = parseTime(flags.asOf, zone);
  if (!parsed.ok) throw new UserError("usage", `--as-of: ${visible(parsed.problem)}`);
  return parsed.value;
}

/** Said when no store was found at all: where mecha looked, and what to do about it. */
export function nothingFound(looked: readonly FoundSource[]): string {
  const width = Math.max(0, ...looked.map(({ source }) => source.kind.length));
  return [
    "No agent transcripts found. mecha looked in:",
    ...looked.map(({ source }) => `  ${source.kind.padEnd(width)}  ${visible(source.place)}`),
    "To read another place, name it with --source KIND=PATH, or set MECHA_HOME or CLAUDE_CONFIG_DIR.",
  ].join("\n");
}

function windowOf(io: CliIo, flags: WindowFlags, zone: string): Window {
  const end = asOf(io, flags, zone);
  const days = flags.days ?? null;
  return {
    days,
    since: days === null ? null : isoUtc(Math.round(end - days * DAY_MS)),
    limit: flags.limit ?? null,
    zone,
    as_of: isoUtc(end),
  };
}

function limitsOf(window: Window): Limits {
  return {
    ...DEFAULT_LIMITS,
    sessions_max: window.limit,
    since_ms: window.since === null ? null : Date.parse(window.since),
    as_of_ms: Date.parse(window.as_of),
  };
}

function problemLine({ source, problem }: FoundSource): string {
  return `store ${visible(source.place)} (${source.kind}): ${visible(problem ?? "")}`;
}
