import type { Coverage } from "#lib/transcript/coverage.ts";
import type { SessionHead } from "#lib/transcript/run-row.ts";
import type { FoldResult, Head } from "./adapter.ts";
import type { LineCounts } from "./scan-lines.ts";
import type { Resume } from "./scan-session.ts";
import type { Sieved } from "./scan-sieve.ts";
import type { Bounds } from "./scan-view.ts";

/** What says whether a file is still the one that was read. Never its name alone, never its content. */
export type FileKey = { dev: number; ino: number; size: number; mtime_ms: number; ctime_ms: number };

/** What reading one file gave. Plain data: it crosses threads. */
export type FileRead = {
  relative: string;
  /** null: it could not be opened. */
  key: FileKey | null;
  /** `gone`: it vanished between listing and opening, which is no loss. `sieved`: it waits to be worked out. */
  found: "session" | "none" | "unreadable" | "gone" | "sieved";
  head: Head | null;
  /** null when only the header was read. */
  fold: FoldResult | null;
  /** What was picked out of a sieved file; null when it has to be read where it is worked out. */
  sieved: Sieved | null;
  /** Reading broke off (a failing disk): the rows before that count, and so does the failure. */
  cut_short: boolean;
  counts: LineCounts;
  resume: Resume | null;
};

/** How much of a file is wanted. */
export type Want =
  | { kind: "head"; bounds: Bounds }
  | { kind: "runs"; bounds: Bounds }
  /** As `runs`, the runs left to be worked out elsewhere where the format is sparse. */
  | { kind: "sieve"; bounds: Bounds }
  /** As `runs`; and how to go on later, from `resume` if there is one. */
  | { kind: "keep"; bounds: Bounds; resume: Resume | null };

/** Sessions by their headers alone. Of `coverage`, `sessions_read` counts the sessions listed. */
export type SessionList = { sessions: SessionHead[]; coverage: Coverage };

/** What a repeated look at a source found, beside the files that changed. */
export type LookEnd = { removed: string[]; others: number; unreadable: number };
