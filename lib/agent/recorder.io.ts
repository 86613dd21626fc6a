import { rmSync } from "node:fs";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { appendRecords, ChangedFile, createSession } from "#lib/transcript/append.io.ts";
import type { Config, Message, Meta, Outcome, Taint, TranscriptRecord } from "#lib/transcript/record.ts";
import type { Answerer } from "./model.ts";
import type { LoopEvent } from "./parts.ts";

/** How a run ended, as far as its records say it. */
export type RunEnd = { failure: string | null; outcome: Outcome; conversation: { taint: Taint } };

/**
 * Writes what happens in a session to its file, as it happens, one whole line each. Every method throws a UserError with
 * one line that names the file when it cannot: a run whose transcript cannot be written has to end.
 */
export type Recorder = {
  readonly file: string;
  /** A run begins: the configured model answers again, whoever answered last. */
  begin(): void;
  /** Keeps the events that are records: messages, rewrites, and another model that answers. */
  note(event: LoopEvent): void;
  /** A message from outside a run, such as the results that a killed run still owed. */
  message(message: Message): void;
  rewrite(messages: readonly Message[]): void;
  taint(taint: Taint): void;
  /** The records that close a run. A run that failed has no outcome: it did not finish. */
  end(run: RunEnd): void;
};

export type RecordOrder = "summary" | "chat";

/**
 * Records into the end of an existing session's file. `configOf` gives the record of the run's configuration for whoever
 * answers; one is written at once, before anything else. `bytes`: those of the file as its conversation was read; what
 * anything else adds to it then or later ends the recording.
 */
export function recordInto(
  file: string,
  primary: Answerer,
  configOf: (answerer: Answerer) => Config,
  order: RecordOrder,
  bytes: number | null = null,
): Recorder {
  let answering = primary;
  let size = bytes;
  const write = (...records: TranscriptRecord[]): void => {
    size = append(file, records, size);
  };
  // Rows belong to the model that the last config record before them names.
  const attribute = (answerer: Answerer): void => {
    if (answerer.provider === answering.provider && answerer.model === answering.model) return;
    write({ record: "config", ...configOf(answerer) });
    answering = answerer;
  };
  write({ record: "config", ...configOf(primary) });
  return {
    file,
    begin: () => attribute(primary),
    note(event) {
      if (event.type === "message") write({ record: "message", ...event.message });
      else if (event.type === "rewrite") write({ record: "rewrite", messages: [...event.messages] });
      else if (event.type === "answerer") attribute(event.answerer);
    },
    message: (message) => write({ record: "message", ...message }),
    rewrite: (messages) => write({ record: "rewrite", messages: [...messages] }),
    taint: (taint) => write({ record: "taint", ...taint }),
    end: (run) => write(...closing(run, order)),
  };
}

/** Starts a session's file with its header; gives the path. Throws UserError, as every method of a recorder does. */
export function startSession(dir: string, meta: Meta): string {
  try {
    return createSession(dir, meta);
  } catch (error) {
    // A header that did not fit would be a file that is no session.
    if (hasCode(error, "ENOSPC") || hasCode(error, "EDQUOT"))
      rmSync(path.join(dir, `${meta.id}.jsonl`), { force: true });
    const what = `start a session in ${dir}`;
    if (!hasCode(error, "ENOENT")) throw cannotWrite(what, error);
    // Its parent is there: some file systems, such as /proc, have no place for another folder and call that missing.
    throw new UserError("bad_input", `cannot ${what}: no folder can be made there`, { cause: error });
  }
}

/** In the order in which its readers expect them from a run that ends with its process, and from a chat. */
function closing({ failure, outcome, conversation }: RunEnd, order: RecordOrder): TranscriptRecord[] {
  const taint: TranscriptRecord = { record: "taint", ...conversation.taint };
  const row: TranscriptRecord[] = failure === null ? [{ record: "outcome", ...outcome }] : [];
  if (order === "chat") return [...row, taint];
  return [taint, { record: "summary", usage: outcome.usage, turns: outcome.turns }, ...row];
}

function append(file: string, records: readonly TranscriptRecord[], bytes: number | null): number {
  try {
    return appendRecords(file, records, bytes);
  } catch (error) {
    if (error instanceof ChangedFile)
      throw new UserError(
        "bad_input",
        `cannot go on with the transcript ${file}: ${error.message}; mecha chat --resume reads it anew`,
        { cause: error },
      );
    throw cannotWrite(`write the transcript ${file}`, error);
  }
}

/** What a person can act on is theirs to read; a record that its readers would drop is our own mistake. */
function cannotWrite(what: string, error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return error;
  return new UserError("bad_input", `cannot ${what}: ${reason(error)}`, { cause: error });
}

const REASONS: Record<string, string> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the file system is read-only",
  EACCES: "you may not write there",
  EPERM: "you may not write there",
  ENOENT: "it is gone",
  ENOTDIR: "a part of the path is no folder",
  EISDIR: "it is a folder",
  EFBIG: "it would be larger than files may be",
};

function reason(error: Error): string {
  const known = Object.entries(REASONS).find(([code]) => hasCode(error, code));
  return known === undefined ? messageOf(error) : known[1];
}
