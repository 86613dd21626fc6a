import { randomBytes } from "node:crypto";
import { linkSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";

/**
 * Writes a new trigger's file, whole or not at all, for its owner alone; gives its path. Throws a UserError when one of
 * that name is there, or when it cannot be written.
 */
export function createTriggerFile(triggersDir: string, name: string, text: string): string {
  const file = path.join(triggersDir, `${name}.toml`);
  const partial = path.join(triggersDir, `.${name}.${randomBytes(4).toString("hex")}.partial`);
  try {
    makeFolder(triggersDir, 0o700);
    writeFileSync(partial, text, { flag: "wx", mode: 0o600 });
    // Unlike a rename, a link never takes the place of a file that is there.
    linkSync(partial, file);
    return file;
  } catch (error) {
    if (hasCode(error, "EEXIST"))
      throw new UserError("bad_input", `there is a trigger ${name} already: ${file}`, { cause: error });
    throw new UserError("bad_input", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  } finally {
    rmSync(partial, { force: true });
  }
}
