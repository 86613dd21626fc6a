import { messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";
import { appendLine } from "#lib/transcript/append.io.ts";
import { ledgerLine, type NewRow } from "./ledger-line.ts";
import { ledgerFile } from "./store.ts";

/**
 * Adds a row to the ledger of a triggers folder, whole and in one write, and makes folder and file for their owner alone
 * where they are missing. Throws a UserError when it cannot be written: a run that nobody hears of must not pass for none.
 */
export function appendRow(triggersDir: string, row: NewRow): void {
  const line = ledgerLine(row);
  const file = ledgerFile(triggersDir);
  try {
    makeFolder(triggersDir, 0o700);
    appendLine(file, line, "create");
  } catch (error) {
    const told = `the ledger ${file} cannot be written: ${messageOf(error)}`;
    throw new UserError("bad_input", told, { cause: error });
  }
}
