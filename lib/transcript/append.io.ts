import { chmodSync, closeSync, constants, fstatSync, openSync, readSync, writeSync } from "node:fs";
import path from "node:path";
import { makeFolder } from "#lib/make-folder.io.ts";
import type { Meta, TranscriptRecord } from "./record.ts";
import { recordLine } from "./written.ts";

const NEWLINE = 0x0a;
const SAFE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/**
 * Starts a session: `<dir>/<id>.jsonl` with its header, readable by its owner only, in a folder of the owner only.
 * Gives the path of the file. Throws when the file exists, or when the id would not stay inside the folder.
 */
export function createSession(dir: string, meta: Meta): string {
  if (!SAFE_ID.test(meta.id))
    throw new Error(`not a session id that can name a file: ${JSON.stringify(meta.id)}`);
  makeFolder(dir, 0o700);
  // It may have been there before, with other rights.
  chmodSync(dir, 0o700);
  const file = path.join(dir, `${meta.id}.jsonl`);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;
  withFile(file, flags, (fd) => writeAll(fd, recordLine({ record: "meta", ...meta })));
  return file;
}

/** The file is not as its writer left it. */
export class ChangedFile extends Error {
  constructor() {
    super("something else has written to it meanwhile");
  }
}

/**
 * Adds records to the end of a session in one write, as `appendLine` does, and gives the bytes the file then has.
 * `bytes`: what it has to have before, null for any; throws a ChangedFile where it has another size or is no file any
 * more, for a second writer's conversation must not be mixed into this one.
 */
export function appendRecords(
  file: string,
  records: readonly TranscriptRecord[],
  bytes: number | null = null,
): number {
  const lines = Buffer.concat(records.map(recordLine));
  return withFile(file, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK, (fd) => {
    const stats = fstatSync(fd);
    if (!stats.isFile() || (bytes !== null && stats.size !== bytes)) throw new ChangedFile();
    return stats.size + writeAfter(fd, lines);
  });
}

/**
 * Adds a whole line, its newline included, to the end of a file in one write, so that writers side by side do not mix
 * and a reader sees all of it or a line without an end. Where an earlier line has no end, it gets one first.
 */
export function appendLine(file: string, line: Buffer, whenMissing: "fail" | "create" = "fail"): void {
  const create = whenMissing === "create" ? constants.O_CREAT : 0;
  withFile(file, constants.O_RDWR | constants.O_APPEND | create, (fd) => writeAfter(fd, line));
}

/** Gives the bytes that were written. */
function writeAfter(fd: number, line: Buffer): number {
  const whole = endsInNewline(fd) ? line : Buffer.concat([Buffer.from([NEWLINE]), line]);
  writeAll(fd, whole);
  return whole.length;
}

function withFile<T>(file: string, flags: number, use: (fd: number) => T): T {
  const fd = openSync(file, flags, 0o600);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

function endsInNewline(fd: number): boolean {
  const { size } = fstatSync(fd);
  const last = Buffer.alloc(1);
  return size === 0 || readSync(fd, last, 0, 1, size - 1) === 0 || last[0] === NEWLINE;
}

/** A full disk can cut a write short. What is there then is a torn line, which the next append gives its end. */
function writeAll(fd: number, line: Buffer): void {
  for (let at = 0; at < line.length; ) at += writeSync(fd, line, at);
}
