import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hasCode, UserError } from "#lib/errors.ts";
import { isAlive } from "./leftovers.io.ts";

/**
 * Takes a journal for this process: two passes that go on from one would each run, and pay for, every case that is left.
 * A process that was killed has left its lock behind, which is passed over. Gives what ends it. Throws a UserError.
 */
export function lockJournal(file: string): () => void {
  const lock = `${file}.lock`;
  if (!take(lock)) {
    const holder = holderOf(lock);
    if (holder !== null)
      throw new UserError(
        "bad_input",
        `${file}: the evaluation is still running, as process ${holder}; if it is not, remove ${lock}`,
      );
    rmSync(lock, { force: true });
    if (!take(lock)) throw new UserError("bad_input", `${file}: another evaluation has just gone on with it`);
  }
  return () => rmSync(lock, { force: true });
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** The process that has it; null where there is none any more. In a container each start may have the same id as this. */
function holderOf(lock: string): number | null {
  try {
    const pid = Number(readFileSync(lock, "utf8"));
    return Number.isSafeInteger(pid) && pid > 0 && pid !== process.pid && isAlive(pid) ? pid : null;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
