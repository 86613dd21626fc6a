import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import type { Parsed } from "#lib/errors.ts";

/**
 * Absolute path of a program: of one that is written with a slash, from `cwd`; else the first of its name in PATH.
 * Looked up here because a shell that cannot find it would only say so on the server's own standard error.
 */
export function findProgram(command: string, cwd: string, searchPath: string | undefined): Parsed<string> {
  if (command === "") return { ok: false, problem: "its command is empty" };
  if (command.includes("/")) {
    const file = path.resolve(cwd, command);
    return isProgram(file) ? { ok: true, value: file } : { ok: false, problem: `${file} is no program` };
  }
  const folders = (searchPath ?? "").split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const found = folders.map((folder) => path.join(folder, command)).find(isProgram);
  if (found !== undefined) return { ok: true, value: found };
  return { ok: false, problem: `no program ${JSON.stringify(command)} is in PATH` };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Not there, or not to be run: the same to whoever asks.
    return false;
  }
}
