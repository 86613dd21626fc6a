import { isAlive } from "#lib/is-alive.io.ts";
import { type Lock, tryLock } from "#lib/process-lock.io.ts";
import { isoUtc } from "#lib/time.ts";
import { appendRow } from "#lib/trigger/append.io.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { readLedgerOf } from "#lib/trigger/store.io.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import { runAttempt, type Unattended } from "./attempt.io.ts";
import { type Due, due, latestMs, readFrom } from "./due.ts";
import { lostRow, overlapRow, staleRow } from "./row.ts";
import { clearRunning, lockFile, type Running, readRunning } from "./running.io.ts";

/** How many times a slot may be tried of which the process was killed. */
const ATTEMPTS_MAX = 2;
const LEDGER_WAIT_MS = 10_000;

/** What came of looking after one trigger: the rows that were written for it, oldest first. */
export type Fired = {
  trigger: string;
  rows: NewRow[];
  /** Another process is running it; since when, as far as that is told. */
  busy: { since: string | null } | null;
};

/** Everything that decides what is due. */
export type Schedule = {
  /** Zone of schedules that name none. */
  zone: string;
  /** Where a file does not tell when it was created. */
  created_ms: number;
};

/**
 * Runs what a trigger owes now, if anything. Any number of processes may do this at the same time: what is due is
 * decided by the ledger as it stands once the trigger's lock is held, and the lock is held until the row is written, so
 * that no slot is run twice.
 */
export async function fireDue(trigger: Trigger, schedule: Schedule, parts: Unattended): Promise<Fired> {
  const { triggersDir } = parts;
  const lock = await tryLock(lockFile(triggersDir, trigger.name));
  if (lock === null) return skipOverlap(trigger, schedule, triggersDir);
  return holding(lock, async () => {
    const rows: NewRow[] = [];
    const lost = await accountLost(triggersDir, trigger.name, rows);
    const now_ms = Date.now();
    const owed = await owedNow(trigger, schedule, triggersDir, now_ms);
    const again = owed.run_ms === null ? slotToRepeat(trigger, lost, now_ms) : null;
    const slot_ms = owed.run_ms ?? again;
    if (owed.dropped !== null)
      write(triggersDir, rows, staleRow(trigger, owed.dropped, { now: isoUtc(now_ms), run_ms: owed.run_ms }));
    if (slot_ms === null) clearRunning(triggersDir, trigger.name);
    else if (!parts.signal.aborted)
      rows.push(await runAttempt(trigger, { slot_ms, attempt: again === null ? 1 : ATTEMPTS_MAX }, parts));
    return { trigger: trigger.name, rows, busy: null };
  });
}

/** Runs a trigger because a person wants it to, whatever its schedule and state; its slots are left alone. */
export async function fireByHand(trigger: Trigger, parts: Unattended): Promise<Fired> {
  const { triggersDir } = parts;
  const lock = await tryLock(lockFile(triggersDir, trigger.name));
  if (lock === null) return { trigger: trigger.name, rows: [], busy: busyNow(triggersDir, trigger.name) };
  return holding(lock, async () => {
    const rows: NewRow[] = [];
    await accountLost(triggersDir, trigger.name, rows);
    rows.push(await runAttempt(trigger, { slot_ms: null, attempt: 1 }, parts));
    return { trigger: trigger.name, rows, busy: null };
  });
}

async function holding<T>(lock: Lock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function write(triggersDir: string, rows: NewRow[], row: NewRow): void {
  appendRow(triggersDir, row);
  rows.push(row);
}

async function owedNow(
  trigger: Trigger,
  schedule: Schedule,
  triggersDir: string,
  now_ms: number,
): Promise<Due> {
  const ledger = await readLedgerOf(triggersDir);
  return due(trigger, ledger.rows, { ...schedule, now_ms, read_from_ms: readFrom(ledger) });
}

/**
 * A run that is noted though nobody holds the lock: its process was killed. Gives it where it left no row of its own; it
 * is written down then, unless whoever did so before was killed in turn. The note stays until the next run's takes its
 * place or there is none to come, so that the second try is not lost the same way.
 */
async function accountLost(triggersDir: string, trigger: string, rows: NewRow[]): Promise<Running | null> {
  const lost = readRunning(triggersDir, trigger);
  if (lost === null) return null;
  const ledger = await readLedgerOf(triggersDir);
  const known = ledger.rows.findLast(
    (row) => row.trigger === trigger && row.started_at === lost.started_at && row.slot_ms === lost.slot_ms,
  );
  if (known === undefined) write(triggersDir, rows, lostRow(lost));
  return known === undefined || known.finished_at === null ? lost : null;
}

/** Once more, and not for ever: a run that takes the machine down with it would do so every minute. */
function slotToRepeat(trigger: Trigger, lost: Running | null, now_ms: number): number | null {
  if (lost === null || lost.slot_ms === null || lost.attempt >= ATTEMPTS_MAX) return null;
  return trigger.enabled && now_ms - lost.slot_ms <= latestMs(trigger) ? lost.slot_ms : null;
}

/** Its run of an earlier slot is still going: the slot that has come meanwhile is accounted for, by one process. */
async function skipOverlap(trigger: Trigger, schedule: Schedule, triggersDir: string): Promise<Fired> {
  const nothing = { trigger: trigger.name, rows: [], busy: busyNow(triggersDir, trigger.name) };
  const lock = await tryLock(lockFile(triggersDir, ".ledger"), LEDGER_WAIT_MS);
  if (lock === null) return nothing;
  return holding(lock, async () => {
    const now_ms = Date.now();
    const owed = await owedNow(trigger, schedule, triggersDir, now_ms);
    const slot_ms = owed.run_ms ?? owed.dropped?.last_ms ?? null;
    const running = readRunning(triggersDir, trigger.name);
    // Whoever has just taken the lock may not have noted its run yet; a note of the dead says nothing about the living.
    if (slot_ms === null || running === null || !isAlive(running.pid)) return nothing;
    if (slot_ms <= (running.slot_ms ?? Number.NEGATIVE_INFINITY)) return nothing;
    // The slot that a run by hand began in is not one that came while it was going.
    if (slot_ms < Date.parse(running.started_at)) return nothing;
    const row = overlapRow(trigger.name, slot_ms, isoUtc(now_ms), running.started_at);
    appendRow(triggersDir, row);
    return { ...nothing, rows: [row] };
  });
}

function busyNow(triggersDir: string, trigger: string): Fired["busy"] {
  const running = readRunning(triggersDir, trigger);
  return { since: running !== null && isAlive(running.pid) ? running.started_at : null };
}
