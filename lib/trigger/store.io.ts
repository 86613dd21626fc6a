import { constants } from "node:fs";
import { type FileHandle, open, opendir } from "node:fs/promises";
import path from "node:path";
import { isCompanion } from "#lib/companion-file.ts";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { byteOrder } from "#lib/format.ts";
import { emptyLedger, type Ledger, parseLedger } from "./ledger.ts";
import { ledgerFile, type StoreProblem, type TriggerStore } from "./store.ts";
import { isTriggerName, parseTrigger, TRIGGER_NAME_RULE, type Trigger } from "./trigger.ts";

const TRIGGERS_MAX = 1000;
const NAMES_MAX = 20_000;
const TRIGGER_BYTES_MAX = 256 * 1024;
const LEDGER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Reads every trigger file of a folder and the end of its ledger (64 MB; what stands before is counted). A missing
 * folder is an empty one. A file that cannot be used is a problem of its own and stops nothing else.
 */
export async function readTriggers(place: string): Promise<TriggerStore> {
  const problems: StoreProblem[] = [];
  const names = await triggerFiles(place, problems);
  const triggers: Trigger[] = [];
  for (const name of names) {
    const file = path.join(place, name);
    // It was listed a moment ago: what is missing now is the target of a link.
    await guarded(file, problems, "missing is a problem", async () => {
      const trigger = await readTrigger(file, problems);
      if (trigger !== null) triggers.push(trigger);
    });
  }
  let ledger = emptyLedger();
  const unreadable = problems.some((one) => one.place === place && names.length === 0);
  if (!unreadable) {
    await guarded(ledgerFile(place), problems, "missing is fine", async () => {
      ledger = await readLedger(ledgerFile(place));
    });
  }
  return { place, triggers, problems, ledger };
}

/** Names of the `.toml` files, in byte order and bounded. */
async function triggerFiles(place: string, problems: StoreProblem[]): Promise<string[]> {
  const names: string[] = [];
  let seen = 0;
  await guarded(place, problems, "missing is fine", async () => {
    for await (const entry of await opendir(place)) {
      seen += 1;
      if (seen > NAMES_MAX) break;
      if (entry.name.endsWith(".toml") && !isCompanion(entry.name)) names.push(entry.name);
    }
  });
  names.sort(byteOrder);
  const left = names.length - TRIGGERS_MAX;
  if (seen > NAMES_MAX)
    problems.push({ place, problem: `more than ${NAMES_MAX} files; the rest was not looked at` });
  if (left > 0)
    problems.push({ place, problem: `more than ${TRIGGERS_MAX} triggers; ${left} were not read` });
  return names.slice(0, TRIGGERS_MAX);
}

async function readTrigger(file: string, problems: StoreProblem[]): Promise<Trigger | null> {
  const name = path.basename(file, ".toml");
  if (!isTriggerName(name)) {
    problems.push({ place: file, problem: TRIGGER_NAME_RULE });
    return null;
  }
  const bytes = await withFile(file, async (handle, size) => {
    if (size > TRIGGER_BYTES_MAX) throw new Error(`larger than ${TRIGGER_BYTES_MAX} bytes`);
    return readRange(handle, 0, size);
  });
  const parsed = parseTrigger(name, new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  if (parsed.ok) return parsed.value;
  problems.push({ place: file, problem: parsed.problem });
  return null;
}

/**
 * The ledger of a triggers folder, or its newest 64 MB; empty where there is none. Throws a UserError where it cannot be
 * read: who decides what to run must not take that for an empty one.
 */
export async function readLedgerOf(place: string): Promise<Ledger> {
  const file = ledgerFile(place);
  try {
    return await readLedger(file);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return emptyLedger();
    throw new UserError("bad_input", `the ledger ${file} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function readLedger(file: string): Promise<Ledger> {
  return withFile(file, async (handle, size) => {
    const start = Math.max(0, size - LEDGER_BYTES_MAX);
    return parseLedger(await readRange(handle, start, size - start), start);
  });
}

/** Opens a regular file; a pipe or a device under the same name is refused without waiting for it. */
async function withFile<T>(file: string, use: (handle: FileHandle, size: number) => Promise<T>): Promise<T> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error("not a regular file");
    return await use(handle, stats.size);
  } finally {
    await handle.close();
  }
}

/** Reads up to `length` bytes; fewer when the file has shrunk meanwhile. */
async function readRange(handle: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function guarded(
  place: string,
  problems: StoreProblem[],
  rule: "missing is fine" | "missing is a problem",
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (hasCode(error, "ENOENT") && rule === "missing is fine") return;
    problems.push({ place, problem: messageOf(error) });
  }
}
