import path from "node:path";
import { verificationText, verifyFile } from "#lib/verdict/verdict-file.io.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";

/** `mecha verdict verify`: every file worked out again. Exit code 1 when anything in any of them disagrees. */
export async function verdictVerify(io: CliIo, files: readonly string[], flags: JsonFlag): Promise<number> {
  const checked = [];
  for (const file of files) {
    const found = await verifyFile(path.resolve(io.cwd, file));
    checked.push({ file, ...found });
    if (!flags.json) io.out(verificationText(file, found));
  }
  if (flags.json) io.out(jsonText({ schema_version: 1, files: checked }));
  return checked.every(({ ok }) => ok) ? EXIT.fine : EXIT.problem;
}
