import { emptyCoverage } from "#lib/transcript/coverage.ts";
import type { Adapter, FoldResult } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";
import {
  addOthers,
  assemble,
  type Candidate,
  candidateOf,
  configInterner,
  newestFirst,
  select,
} from "./scan-assemble.ts";
import type { FileRead, LookEnd, SessionList } from "./scan-read.ts";
import type { Limits, Scan, Source } from "./source.ts";

/** Windows kept at once; the one that was asked for the longest ago goes first. */
const VIEWS_MAX = 32;

/** What is known of one source, and the scans drawn from it. */
export class Kept {
  readonly #source: Source;
  readonly #adapter: Adapter;
  #intern = configInterner();
  #sessions = new Map<string, Candidate>();
  /** Files that are no sessions, or could not be read. */
  #others = new Map<string, FileRead>();
  #pending: { read: FileRead; candidate: Candidate | null }[] = [];
  #walked = { others: 0, unreadable: 0 };
  #looked = { scanned_at: "", took_ms: 0 };
  #order: Order | null = null;
  #views = new Map<string, Scan>();
  #lists = new Map<string, SessionList>();

  constructor(source: Source) {
    this.#source = source;
    this.#adapter = adapterOf(source.kind);
  }

  /** Takes in a portion of what changed. Nothing of it shows before `commit`: no answer mixes two looks. */
  prepare(reads: readonly FileRead[]): void {
    this.#intern(reads);
    for (const read of reads)
      this.#pending.push({ read, candidate: candidateOf(this.#source, this.#adapter, read) });
  }

  /** A look has ended. When it found nothing new, every answer given before stays the same object. */
  commit(end: LookEnd, looked: { scanned_at: string; took_ms: number }): void {
    const { others, unreadable, removed } = end;
    const same = others === this.#walked.others && unreadable === this.#walked.unreadable;
    if (!same || removed.length > 0 || this.#pending.length > 0) {
      this.#walked = { others, unreadable };
      this.#apply(removed);
      this.#looked = looked;
    }
    this.#looked.scanned_at = looked.scanned_at;
  }

  /** Forgets everything: the next look tells it anew. */
  reset(): void {
    this.#sessions.clear();
    this.#others.clear();
    this.#pending = [];
    this.#walked = { others: 0, unreadable: 0 };
    this.#apply([]);
  }

  /** The scan inside the limits: the same object as long as neither files nor what is inside has changed. */
  scan(limits: Limits): Scan {
    const order = this.#ordered();
    const name = order.nameOf(limits);
    const scan = this.#views.get(name) ?? this.#draw(order, limits);
    remember(this.#views, name, scan);
    scan.scanned_at = this.#looked.scanned_at;
    return scan;
  }

  list(limits: Limits): SessionList {
    const order = this.#ordered();
    const name = order.nameOf(limits);
    const list = this.#lists.get(name) ?? this.#drawList(order, limits);
    remember(this.#lists, name, list);
    return list;
  }

  #apply(removed: readonly string[]): void {
    for (const relative of removed) {
      this.#sessions.delete(relative);
      this.#others.delete(relative);
    }
    for (const { read, candidate } of this.#pending) {
      this.#sessions.delete(read.relative);
      this.#others.delete(read.relative);
      if (candidate === null) this.#others.set(read.relative, read);
      else this.#sessions.set(read.relative, candidate);
    }
    this.#pending = [];
    this.#order = null;
    this.#views.clear();
    this.#lists.clear();
  }

  #ordered(): Order {
    this.#order ??= new Order([...this.#sessions.values()].sort(newestFirst), this.#adapter.stampsRuns);
    return this.#order;
  }

  #draw(order: Order, limits: Limits): Scan {
    const selected = select(order.candidates, limits, this.#adapter.stampsRuns);
    const { sessions, runs, coverage } = assemble(selected, this.#adapter, limits);
    addOthers(coverage, [...this.#others.values()]);
    coverage.files_not_sessions += this.#walked.others;
    coverage.sessions_unreadable += this.#walked.unreadable;
    const { provenance } = this.#adapter;
    return { source: this.#source, provenance, sessions, runs, coverage, ...this.#looked };
  }

  #drawList(order: Order, limits: Limits): SessionList {
    const { candidates, cutoff, capped } = select(order.candidates, limits, false);
    const coverage = { ...emptyCoverage(), sessions_cutoff: cutoff, sessions_capped: capped };
    coverage.sessions_read = candidates.length;
    addOthers(coverage, [...this.#others.values()]);
    coverage.files_not_sessions += this.#walked.others;
    coverage.sessions_unreadable += this.#walked.unreadable;
    return { sessions: candidates.map(({ head }) => head), coverage };
  }
}

function remember<T>(kept: Map<string, T>, name: string, value: T): void {
  kept.delete(name);
  kept.set(name, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= VIEWS_MAX) break;
    kept.delete(oldest);
  }
}

/** The sessions in order, with what it takes to see that two windows hold the same. */
class Order {
  readonly candidates: readonly Candidate[];
  readonly #created: Float64Array;
  readonly #started: Float64Array;

  constructor(candidates: readonly Candidate[], stampsRuns: boolean) {
    this.candidates = candidates;
    this.#created = Float64Array.from(candidates, ({ created_ms }) => created_ms).reverse();
    this.#started = Float64Array.from(
      stampsRuns ? candidates.flatMap(({ read }) => timesOf(read.fold)) : [],
    ).sort();
  }

  /** A window by what falls outside it: moving its edges past nothing leaves it the same window. */
  nameOf({ since_ms, as_of_ms, sessions_max }: Limits): string {
    return [this.#created, this.#started]
      .flatMap((times) => [
        since_ms === null ? 0 : countWhile(times, (time) => time < since_ms),
        as_of_ms === null ? times.length : countWhile(times, (time) => time <= as_of_ms),
      ])
      .concat(sessions_max ?? -1)
      .join(" ");
  }
}

function timesOf(fold: FoldResult | null): number[] {
  if (fold === null) return [];
  const times = fold.runs.map((run) => Date.parse(run.started_at));
  return times.concat([...fold.unfinished, ...fold.provider_errors].map((time) => Date.parse(time)));
}

/** How many of the ascending `times` pass, when those that do stand first. */
function countWhile(times: Float64Array, passes: (time: number) => boolean): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(times[middle] ?? 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
