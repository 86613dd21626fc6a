import { stat } from "node:fs/promises";
import path from "node:path";
import { readTriggers } from "#lib/trigger/store.io.ts";
import { ledgerFile, type StoreProblem } from "#lib/trigger/store.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { Unattended } from "./attempt.io.ts";
import { due, readFrom } from "./due.ts";
import { type Fired, fireDue } from "./fire.io.ts";
import { notedTriggers } from "./running.io.ts";

/** What one look at all triggers came to, in the order of their names; those of which nothing was due are left out. */
export type Tick = { fired: Fired[]; problems: StoreProblem[] };

/**
 * Looks at every trigger once and runs what is due, up to `at_once` of them side by side. Meant to be called every
 * minute; a call that comes while an earlier one still runs does what the earlier one has not begun.
 */
export async function tick(
  parts: Unattended,
  { zone, at_once, onFired }: { zone: string; at_once: number; onFired(fired: Fired): void },
): Promise<Tick> {
  const store = await readTriggers(parts.triggersDir);
  // Without the ledger nobody knows what has run already.
  if (store.problems.some(({ place }) => place === ledgerFile(store.place)))
    return { fired: [], problems: store.problems };
  const noted = new Set(notedTriggers(store.place));
  const read_from_ms = readFrom(store.ledger);
  const waiting: { trigger: Trigger; created_ms: number }[] = [];
  for (const trigger of store.triggers) {
    const created_ms = await createdMs(store.place, trigger);
    const owed = due(trigger, store.ledger.rows, { now_ms: Date.now(), zone, created_ms, read_from_ms });
    if (owed.run_ms !== null || owed.dropped !== null || noted.has(trigger.name))
      waiting.push({ trigger, created_ms });
  }
  const fired: Fired[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (parts.signal.aborted) return;
      const one = await fireDue(next.trigger, { zone, created_ms: next.created_ms }, parts);
      if (one.rows.length === 0 && one.busy === null) continue;
      fired.push(one);
      onFired(one);
    }
  };
  await allDone(Array.from({ length: Math.min(at_once, waiting.length) }, work));
  fired.sort((a, b) => (a.trigger < b.trigger ? -1 : 1));
  return { fired, problems: store.problems };
}

/** A file that does not say when it was created is taken to be as old as its last change. */
async function createdMs(place: string, { name, created_at }: Trigger): Promise<number> {
  if (created_at !== null) return Date.parse(created_at);
  try {
    return (await stat(path.join(place, `${name}.toml`))).mtimeMs;
  } catch {
    // It was read a moment ago and is gone: nothing of it is due any more.
    return Number.POSITIVE_INFINITY;
  }
}

/** Waits for all of them, also when one fails, so that no run is left without its row. */
async function allDone(tasks: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(tasks)) if (one.status === "rejected") throw one.reason;
}
