import path from "node:path";
import type { Db } from "#db/client.ts";
import { messageOf, UserError } from "#lib/errors.ts";
import { type Look, type LookOptions, lookNow, standingSince } from "#lib/notify/look.io.ts";
import { prepare, type Subject, sendNew } from "#lib/notify/notify.io.ts";
import type { Plan } from "#lib/notify/plan.ts";
import { knownOf } from "#lib/notify/sent.io.ts";
import { parseTarget, type Target, targetKey } from "#lib/notify/target.ts";
import { tryLock } from "#lib/process-lock.io.ts";
import type { Settings } from "#lib/settings.ts";
import { discoverSources, type FoundSource } from "#lib/sources/discover.io.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { NotifyFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { withProgress } from "./scan.ts";
import { asOf, nothingFound, scheduleZone, settle } from "./store.ts";
import { fromDb, verdictDb } from "./verdict-db.ts";

/** `mecha notify`: the one command that sends anything on its own account. */
export async function notify(io: CliIo, flags: NotifyFlags): Promise<number> {
  const started = performance.now();
  const target = targetOf(io, flags);
  const settings = settle(io, flags);
  const selected = flags.source.length > 0 ? flags.source : null;
  const key = targetKey(target, selected ?? settings.sourceSpecs);
  const look = (): Promise<Subject> => {
    // Taken only now: a run that waited for another must not look at an older state than that one did.
    const now_ms = Math.round(io.now_ms + performance.now() - started);
    return subjectOf(io, flags, { settings, selected, now_ms });
  };
  if (flags.dryRun) return dryRun(io, flags, { target, key, subject: await look() });
  const plan = await withNotifyDb(verdictDb(io), (db, folder) =>
    oneAtATime(folder, async () => sendNew(db, { target, key, format: flags.format }, await look(), sleep)),
  );
  if (flags.json) io.out(jsonText(summaryOf(target, plan, true)));
  else if (plan.fresh.length + plan.resolved.length > 0) io.out(`${sentLine(target, plan)}\n`);
  return EXIT.fine;
}

/** Longer than a run that tries as often and waits as long as it may. */
const LOCK_WAIT_MS = 300_000;

/** The lock is beside the database and not in it: over seconds of network nobody else has to wait. */
async function oneAtATime<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const lock = await tryLock(path.join(folder, "notify.lock"), LOCK_WAIT_MS);
  if (lock === null)
    throw new UserError("bad_input", "another mecha notify is still at work; nothing was sent");
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function dryRun(
  io: CliIo,
  flags: NotifyFlags,
  { target, key, subject }: { target: Target; key: string; subject: Subject },
): Promise<number> {
  const known = (await fromDb(io, (db) => knownOf(db, key))) ?? [];
  const { plan, body } = await prepare(known, subject, flags.format);
  const message: unknown = body === null ? null : JSON.parse(body);
  if (flags.json) io.out(jsonText({ ...summaryOf(target, plan, false), message }));
  else if (body === null) io.out("nothing to tell\n");
  else io.out(jsonText(message));
  return EXIT.fine;
}

/** The address of the flag, else of the environment. What is wrong with it is said without it. */
function targetOf(io: CliIo, flags: NotifyFlags): Target {
  const named = flags.to === undefined ? "MECHA_NOTIFY_URL" : "--to";
  const text = flags.to ?? io.env.MECHA_NOTIFY_URL ?? "";
  if (flags.to === undefined && text.trim() === "")
    throw new UserError("usage", "where to? Name the address with --to, or in MECHA_NOTIFY_URL");
  const parsed = parseTarget(text);
  if (!parsed.ok) throw new UserError("usage", `${named}: ${parsed.problem}`);
  return parsed.value;
}

/** Looks at everything once. */
async function subjectOf(
  io: CliIo,
  flags: NotifyFlags,
  { settings, selected, now_ms }: { settings: Settings; selected: string[] | null; now_ms: number },
): Promise<Subject> {
  const as_of_ms = flags.asOf === undefined ? now_ms : asOf(io, flags, settings.zone);
  const sources = await discoverSources(settings, selected);
  const scheduled = { ...settings, zone: scheduleZone(io) };
  const scanning = <T>(work: (options: LookOptions) => Promise<T>): Promise<T> =>
    withProgress(io, (optionsFor) =>
      work({ as_of_ms, scan: (source, limits) => scanRuns(source, limits, optionsFor(source)) }),
    );
  const look = await scanning((options) => lookNow(scheduled, sources, options));
  warnOfNothing(io, sources, look);
  return {
    look,
    since: (findings) => scanning((options) => standingSince(findings, scheduled, sources, options)),
    as_of_ms,
    now_ms,
  };
}

/** Silence over nothing at all would be taken for health. */
function warnOfNothing(io: CliIo, sources: readonly FoundSource[], look: Look): void {
  if (sources.every(({ found }) => !found) && look.findings.length + look.triggers === 0)
    io.err(`${nothingFound(sources)}\n`);
}

async function withNotifyDb<T>(file: string, use: (db: Db, folder: string) => Promise<T>): Promise<T> {
  const { openDb } = await import("#db/client.ts");
  const { db, close } = openDb(file);
  try {
    return await use(db, path.dirname(file));
  } catch (error) {
    if (!(error instanceof Error && error.name === "SqliteError")) throw error;
    throw new UserError("bad_input", `the database ${file} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    close();
  }
}

function summaryOf({ shown }: Target, plan: Plan, sent: boolean) {
  const { fresh, resolved, left_out, held_back } = plan;
  return {
    schema_version: 1,
    to: shown,
    sent: sent && fresh.length + resolved.length > 0,
    new: fresh.map(({ key }) => key),
    resolved: resolved.map(({ key }) => key),
    left_out,
    held_back,
  };
}

function sentLine({ shown }: Target, { fresh, resolved, left_out }: Plan): string {
  const more = left_out.new + left_out.resolved;
  const rest = more === 0 ? "" : `; ${more} more with the next run`;
  return `sent to ${shown}: ${fresh.length} new, ${resolved.length} resolved${rest}`;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
