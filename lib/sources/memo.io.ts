import { Kept } from "./memo-kept.ts";
import { Team } from "./memo-team.io.ts";
import type { LookEnd, SessionList } from "./scan-read.ts";
import { DEFAULT_LIMITS, type Limits, type Scan, type Source } from "./source.ts";

export type MemoOptions = {
  /** An answer from memory is at most this old. */
  fresh_ms?: number;
  /** A clock that only goes forward, in ms. */
  now?: () => number;
};

export type AskOptions = { signal?: AbortSignal | undefined };

export type Memo = {
  /** As `scanRuns`; while nothing changed, the same object again, with a new `scanned_at`. */
  scan(source: Source, limits?: Partial<Limits>, options?: AskOptions): Promise<Scan>;
  /** As `listSessions`, from the same look at the files. */
  sessions(source: Source, limits?: Partial<Limits>, options?: AskOptions): Promise<SessionList>;
  /** Ends the threads. */
  close(): Promise<void>;
};

const FRESH_MS = 2_000;

/**
 * A scan that remembers what it read, for a process that is asked again and again. Nothing in it outlives the process or
 * is more than what the files said: it looks at all of them again when its last look is older than `fresh_ms`, and in
 * the background already when it is older than half of that, so that a page that is watched never waits.
 */
export function createMemo({ fresh_ms = FRESH_MS, now = () => performance.now() }: MemoOptions = {}): Memo {
  const team = new Team();
  const watched = new Map<string, Watched>();
  const watch = (source: Source, limits: Limits): Watched => {
    const name = JSON.stringify([source.kind, source.place, limits.line_bytes_max]);
    const known = watched.get(name) ?? new Watched(source, limits.line_bytes_max, { fresh_ms, now, team });
    watched.set(name, known);
    return known;
  };
  return {
    async scan(source, limits, options) {
      const bounds = { ...DEFAULT_LIMITS, ...limits };
      const kept = await watch(source, bounds).kept(options?.signal);
      return kept.scan(bounds);
    },
    async sessions(source, limits, options) {
      const bounds = { ...DEFAULT_LIMITS, ...limits };
      const kept = await watch(source, bounds).kept(options?.signal);
      return kept.list(bounds);
    },
    close: () => team.close(),
  };
}

/** One source, what is known of it, and when it was last looked at. */
class Watched {
  readonly #source: Source;
  readonly #lineBytesMax: number;
  readonly #freshMs: number;
  readonly #now: () => number;
  readonly #team: Team;
  readonly #kept: Kept;
  /** When the last finished look began, on the process's own clock. */
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | null = null;

  constructor(source: Source, lineBytesMax: number, shared: Required<MemoOptions> & { team: Team }) {
    this.#source = source;
    this.#lineBytesMax = lineBytesMax;
    this.#freshMs = shared.fresh_ms;
    this.#now = shared.now;
    this.#team = shared.team;
    this.#kept = new Kept(source);
  }

  async kept(signal: AbortSignal | undefined): Promise<Kept> {
    signal?.throwIfAborted();
    const age = this.#now() - this.#lookedAt;
    if (age > this.#freshMs / 2) this.#startLook();
    if (age > this.#freshMs && this.#looking !== null) await unlessAborted(this.#looking, signal);
    return this.#kept;
  }

  #startLook(): void {
    if (this.#looking !== null) return;
    this.#looking = this.#look().finally(() => {
      this.#looking = null;
    });
    // Who waits for it is told; when nobody does, the age stays, and the next one asked waits for a look of its own.
    this.#looking.catch(() => null);
  }

  async #look(): Promise<void> {
    const startedAt = this.#now();
    const scanned_at = new Date().toISOString();
    const end = await this.#lookOnce().catch(async (error: unknown) => {
      if (!this.#team.threaded) throw error;
      // A thread was lost, and what it knew of the files with it: all is read again, here.
      await this.#team.close();
      this.#kept.reset();
      return this.#lookOnce();
    });
    this.#kept.commit(end, { scanned_at, took_ms: this.#now() - startedAt });
    this.#lookedAt = startedAt;
  }

  #lookOnce(): Promise<LookEnd> {
    return this.#team.look(this.#source, this.#lineBytesMax, (reads) => this.#kept.prepare(reads));
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
