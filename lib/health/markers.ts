import { byteOrder } from "#lib/format.ts";
import { stampMs } from "#lib/time.ts";
import type { Provenance, RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import { PROVENANCES } from "./tally.ts";

export type ConfigKey = keyof RunConfig;
export type ConfigValue = string | number | boolean | null;

/** A change of what runs were launched with, for a mark on a chart. */
export type Marker = {
  /** RFC 3339: when the first run under `to` started. */
  at: string;
  provenance: Provenance;
  /** The model whose runs changed; null for a change of the model itself. */
  model: string | null;
  key: ConfigKey | "model";
  from: ConfigValue;
  to: ConfigValue;
  /** `switched`: most runs use `to` from here on. `appeared`: first seen, after a run under `from`. */
  kind: "switched" | "appeared";
  /** Older changes of the same key and model that are not among the markers. */
  earlier_left_out: number;
};

/** Markers of one key of one model: more would hide the line they explain. */
const PER_KEY_MAX = 20;
/** How many recent runs decide what "most runs use" means, and how many of them the new value needs. */
const RECENT = 20;
const NEEDED = 15;

/**
 * The changes of model and settings in a list of rows (any order), oldest first; sub-agents are left out.
 *
 * Two set-ups used side by side alternate from run to run, and a marker for each would say nothing. So a value is
 * marked when it is first seen, and again only when it takes over: when it holds 15 of the last 20 runs against the
 * value that did so before. Two values used equally get there by luck in about one look of fifty; a clean switch does
 * on its fifteenth run and is dated back to its first. A take-over that begins where the value first appears is one
 * marker, not two. A key that is new in most runs (a prompt with the date in it) is no setting: its newest change stands
 * for all of them. At most 20 markers a key; `earlier_left_out` says how many went.
 */
export function configChanges(rows: readonly RunRow[]): Marker[] {
  const timed = rows.filter((row) => !row.subagent).map((row) => ({ row, ms: stampMs(row.started_at) }));
  timed.sort((a, b) => a.ms - b.ms || byteOrder(a.row.session_id, b.row.session_id) || a.row.run - b.row.run);
  const markers = PROVENANCES.flatMap((provenance) => {
    const own = timed.flatMap(({ row }) => (row.provenance === provenance ? [row] : []));
    const models = changesOf(own.map((row) => ({ at: row.started_at, value: row.model })));
    return [
      ...models.map((change) => ({ ...change, provenance, model: null, key: "model" as const })),
      ...[...byModel(own)].flatMap(([model, runs]) => settingChanges(provenance, model, runs)),
    ];
  });
  return markers.sort((a, b) => stampMs(a.at) - stampMs(b.at) || byteOrder(a.model ?? "", b.model ?? ""));
}

type Seen = { at: string; value: ConfigValue };
type Change = Pick<Marker, "at" | "from" | "to" | "kind" | "earlier_left_out">;

function settingChanges(provenance: Provenance, model: string, runs: readonly RunRow[]): Marker[] {
  return changingKeys(runs).flatMap((key) => {
    const seen: Seen[] = [];
    for (const { started_at, config } of runs) {
      const value = config?.[key];
      if (value !== undefined) seen.push({ at: started_at, value });
    }
    return changesOf(seen).map((change) => ({ ...change, provenance, model, key }));
  });
}

/** Keys with more than one value: rows share their config objects, so few of them have to be looked at. */
function changingKeys(runs: readonly RunRow[]): ConfigKey[] {
  const values = new Map<ConfigKey, Set<ConfigValue>>();
  for (const config of new Set(runs.map((run) => run.config))) {
    for (const [name, value] of Object.entries(config ?? {})) {
      const key = name as ConfigKey;
      const known = values.get(key) ?? new Set();
      values.set(key, known.add(value));
    }
  }
  return [...values].filter(([, known]) => known.size > 1).map(([key]) => key);
}

function changesOf(seen: readonly Seen[]): Change[] {
  const [first] = seen;
  if (first === undefined) return [];
  const known = new Set([first.value]);
  const changes: Change[] = [];
  const recent = new Recent();
  let leader = first.value;
  let before = first.value;
  for (const one of seen) {
    recent.add(one);
    if (!known.has(one.value)) {
      known.add(one.value);
      changes.push({ at: one.at, from: before, to: one.value, kind: "appeared", earlier_left_out: 0 });
    }
    before = one.value;
    const start = one.value === leader ? null : recent.since(one.value);
    if (start === null) continue;
    addSwitch(changes, { at: start, from: leader, to: one.value, kind: "switched", earlier_left_out: 0 });
    leader = one.value;
  }
  return bounded(changes, known.size * 2 > seen.length && seen.length >= RECENT ? 1 : PER_KEY_MAX);
}

/** The last runs, and how often each value is among them. */
class Recent {
  readonly #runs: Seen[] = [];
  readonly #counts = new Map<ConfigValue, number>();

  add(run: Seen): void {
    this.#runs.push(run);
    this.#count(run.value, 1);
    const gone = this.#runs.length > RECENT ? this.#runs.shift() : undefined;
    if (gone !== undefined) this.#count(gone.value, -1);
  }

  /** Since when a value has held enough of them; null when it does not. */
  since(value: ConfigValue): string | null {
    if ((this.#counts.get(value) ?? 0) < NEEDED) return null;
    return this.#runs.find((run) => run.value === value)?.at ?? null;
  }

  #count(value: ConfigValue, by: number): void {
    const n = (this.#counts.get(value) ?? 0) + by;
    if (n === 0) this.#counts.delete(value);
    else this.#counts.set(value, n);
  }
}

function bounded(changes: readonly Change[], max: number): Change[] {
  const earlier_left_out = Math.max(0, changes.length - max);
  return changes.slice(earlier_left_out).map((change) => ({ ...change, earlier_left_out }));
}

/** A value that takes over from its first run on keeps its one marker, and what that run's predecessor used. */
function addSwitch(changes: Change[], change: Change): void {
  const i = changes.findLastIndex(
    (one) => one.to === change.to && one.kind === "appeared" && one.at === change.at,
  );
  const appeared = changes[i];
  if (appeared === undefined) changes.push(change);
  else changes[i] = { ...appeared, kind: "switched" };
}

function byModel(rows: readonly RunRow[]): Map<string, RunRow[]> {
  const models = new Map<string, RunRow[]>();
  for (const row of rows) {
    const runs = models.get(row.model);
    if (runs === undefined) models.set(row.model, [row]);
    else runs.push(row);
  }
  return models;
}
