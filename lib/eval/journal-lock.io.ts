import { rmSync } from "node:fs";
import { UserError } from "#lib/errors.ts";
import { tryLock } from "#lib/process-lock.io.ts";

/**
 * Takes a journal for this process: two passes that go on from one would each run, and pay for, every case that is left.
 * Gives what ends it. Throws a UserError while another process has it.
 */
export async function lockJournal(file: string): Promise<() => void> {
  const place = `${file}.lock`;
  const lock = await tryLock(place);
  if (lock === null)
    throw new UserError("bad_input", `${file}: another process is still running this evaluation`);
  return () => {
    // It stands among a person's results. Whoever comes next has no journal any more, or one that nobody works on.
    rmSync(place, { force: true });
    lock.release();
  };
}
