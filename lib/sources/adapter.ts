import type { Provenance, RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";

/** What the file itself says about its session; the scanner adds where it stands. */
export type Head = Omit<SessionHead, "source" | "provenance" | "path" | "bytes">;

/** One decoded JSON object. */
export type JsonObject = { [key: string]: unknown };

/** Looks for the session header at the start of one file. */
export type HeadReader = {
  /**
   * The next object of the file, or `null` for a line that cannot be decoded or is over the byte cap. Blank lines are
   * not shown. `text` is the exact source of the object.
   * Gives the header, `"more"` to be shown the next one, or `"none"` when the file is no session.
   * It must give up (`"none"`) after a bounded number of objects.
   */
  take(value: JsonObject | null, text: string): Head | "more" | "none";
  /** The file ended before `take` decided. */
  end(): Head | null;
};

/** Judges one line of which only a part is held at a time. */
export type PartsJudge = {
  part(buf: Uint8Array, start: number, end: number): void;
  /** What `skips` would say of the whole line. */
  skips(): boolean;
};

/** The runs of one session so far. Rows stand in file order and are numbered from 1, whatever window is asked for. */
export type FoldResult = {
  runs: RunRow[];
  /** `started_at` of runs that have not finished: no row, counted in coverage. */
  unfinished: string[];
  /** `started_at` of runs that a provider error ended: no row, counted in coverage. */
  provider_errors: string[];
  /**
   * What each of the above is recognised by when another file holds a copy of it under another session id, in the same
   * order. Absent: session and start are all there is.
   */
  marks?: { runs: string[]; unfinished: string[]; provider_errors: string[] };
};

/**
 * One transcript format. The scanner finds files, cuts lines, skips, decodes, bounds and counts; the adapter only says
 * which lines matter and what they add up to.
 *
 * `State` is plain data (what `structuredClone` copies: objects, arrays, Map, Set; no functions or class instances),
 * because it crosses threads, and because the memo goes on with it when a file has only grown.
 */
export interface Adapter<State = unknown> {
  kind: SourceKind;
  provenance: Provenance;
  /** Levels of folders below the place in which sessions may stand; 0 = only the place itself. */
  depth: number;
  /**
   * True: each row has a time of its own, so a session that began before the window may hold rows inside it, and two
   * files may hold the same run (same `session_id` and `started_at`), which then counts once.
   * False: every row has the time of its session.
   */
  stampsRuns: boolean;
  /** May this file be a session? `relative` is its path below the place, with `/`. By name only; nothing is opened. */
  accepts(relative: string): boolean;
  /** A reader for the header of the file at `relative`. */
  head(relative: string): HeadReader;
  /**
   * A short cut: the header that stands in the file's first line; null to use `head`. `text` is the line as Latin-1, that
   * is, byte for byte.
   */
  headText?(text: string): Head | null;
  /**
   * True: wanted lines are a small part of a file, so that a helping thread only picks them out, and one thread works out
   * all the runs. False: decoding is most of the work, and each thread does its own.
   */
  sparse: boolean;
  /** True: its writers may be killed in the middle of a record, and the next one goes on in the same line. */
  tears: boolean;
  /** The state before the first line of the file. The fold is shown every line, those of the header too. */
  start(head: Head): State;
  /**
   * Must the line in `buf[start, end)` be decoded? A byte test in place: no slices, no strings. The line may start with
   * white space. Objects glued behind an unwanted one are asked for one by one.
   */
  wants(buf: Uint8Array, start: number, end: number): boolean;
  /**
   * Is the line in `buf[start, end)` of no use, nor anything glued behind its first object? Asked of every line, before
   * all else: what passes here is copied and looked at again. Where it is not sure, and without it, the line is looked at.
   */
  skips?(buf: Uint8Array, start: number, end: number): boolean;
  /** As `skips`, for a line too long to be held; asked for anew for each. */
  skipsParts?(): PartsJudge;
  /**
   * As `skips`, for line after line: where in `buf[start, filled)` the first one starts that it does not pass over, because
   * it may be of use, or is longer than `lineBytesMax`, or does not end before `filled`, where a newline stands.
   */
  skim?(buf: Uint8Array, start: number, filled: number, lineBytesMax: number): number;
  /**
   * Adds one decoded object, in file order; `text` is its exact source, for what JSON.parse cannot show (`3.0`, a
   * key given twice). False: no record this format knows; the scanner counts the line in `lines_unknown`.
   */
  record(state: State, value: JsonObject, text: string): boolean;
  /**
   * A short cut for the plainest lines: adds what stands in `text[start, end)`, with the same effect as decoding it. False:
   * nothing was done, decode it. `text` is Latin-1, that is, byte for byte.
   */
  recordText?(state: State, text: string, start: number, end: number): boolean;
  /**
   * When one object of the file was written, in ms; null when it does not say. The latest of the last few objects tells
   * whether a file can hold a run inside a window without reading all of it. Only with `stampsRuns`.
   */
  timeOf?(value: JsonObject): number | null;
  /** What the state adds up to. Called as often as needed; it must leave the state as it was. */
  finish(state: State): FoldResult;
}
