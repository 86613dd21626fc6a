import { closeSync, fsync, openSync, rmSync, truncateSync, writeSync } from "node:fs";
import { stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import { utf8 } from "#lib/utf8.ts";
import { type Journal, type JournalEntry, type JournalHead, journalLine, parseJournal } from "./journal.ts";
import { lockJournal } from "./journal-lock.io.ts";

/** Finished jobs on disk, one line each, so that a pass that dies loses none of them. */
export type JournalFile = {
  file: string;
  add(entry: JournalEntry): void;
  /** Waits for the disk. */
  close(): Promise<void>;
  /** The report is written: the journal has done its work. */
  remove(): void;
};

const BYTES_MAX = 512 * 1024 * 1024;

/** Starts a journal; one that stands there belongs to a pass that was not finished, and is not written over. */
export async function startJournal(file: string, head: JournalHead): Promise<JournalFile> {
  try {
    makeFolder(path.dirname(file));
    const fd = openSync(file, "ax", 0o644);
    append(fd, journalLine(head));
    return journalOn(fd, file, await lockJournal(file));
  } catch (error) {
    throw new UserError(
      "bad_input",
      hasCode(error, "EEXIST")
        ? `${file}: an evaluation that was not finished; go on with --resume ${file}, or remove the file`
        : `${file} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Reads a journal, and goes on writing behind its last whole line. Throws a UserError. */
export async function resumeJournal(file: string): Promise<{ journal: Journal; file: JournalFile }> {
  const there = await stat(file).catch(() => null);
  const unlock = there === null ? () => undefined : await lockJournal(file);
  try {
    return await resume(file, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function resume(file: string, unlock: () => void): Promise<{ journal: Journal; file: JournalFile }> {
  const read = await readWhole(file, BYTES_MAX);
  if (!read.ok) throw new UserError("bad_input", `${file}: ${read.problem}`);
  const whole = read.value.lastIndexOf(0x0a) + 1;
  const text = utf8(read.value.subarray(0, whole));
  const parsed: ReturnType<typeof parseJournal> =
    text === null ? { ok: false, problem: `${file}: it is not UTF-8` } : parseJournal(text, file);
  if (!parsed.ok) throw new UserError("bad_input", parsed.problem);
  try {
    // The torn end of the last line would swallow the next one.
    if (whole < read.value.length) truncateSync(file, whole);
    const fd = openSync(file, "a");
    return {
      journal: { ...parsed.value, torn: whole < read.value.length },
      file: journalOn(fd, file, unlock),
    };
  } catch (error) {
    throw new UserError("bad_input", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

function journalOn(fd: number, file: string, unlock: () => void): JournalFile {
  const disk = flusher(fd);
  let open = true;
  return {
    file,
    add(entry) {
      try {
        append(fd, journalLine(entry));
      } catch (error) {
        throw new UserError("bad_input", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
      }
      disk.flush();
    },
    async close() {
      if (!open) return;
      open = false;
      await disk.settled();
      closeSync(fd);
      unlock();
    },
    remove() {
      rmSync(file, { force: true });
    },
  };
}

/** At the end of the file, wherever that is by now: of two passes that go on at once, neither writes over the other. */
function append(fd: number, text: string): void {
  const line = Buffer.from(text);
  for (let done = 0; done < line.length; ) done += writeSync(fd, line, done);
}

/**
 * Between two waits for the disk, in ms. Nobody can make a file while a file system is at that, and each run makes one
 * for its transcript: waiting without a break, they would wait for each other.
 */
const PAUSE_MS = 250;

/**
 * What is written survives the end of the process at once, and that of the machine a moment later: the disk is waited
 * for beside the runs and not by each of them, with one request for all lines that came meanwhile.
 */
function flusher(fd: number): { flush(): void; settled(): Promise<void> } {
  const closing = new AbortController();
  let wanted = false;
  let running: Promise<void> | null = null;
  const work = async (): Promise<void> => {
    while (wanted) {
      wanted = false;
      // A file system that cannot promise it (a pipe, some network ones) has the lines all the same.
      await new Promise<void>((resolve) => fsync(fd, () => resolve()));
      // Cut short when the journal is closed.
      await sleep(PAUSE_MS, null, { signal: closing.signal }).catch(() => undefined);
    }
    running = null;
  };
  return {
    flush() {
      wanted = true;
      running ??= work();
    },
    async settled() {
      closing.abort();
      while (running !== null) await running;
    },
  };
}
