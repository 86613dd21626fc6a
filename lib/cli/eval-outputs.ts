import { stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { type EvalRequest, fixtureIn } from "#lib/eval/eval-request.ts";
import { visible } from "#lib/format.ts";
import { fileNamed, resultsFolders } from "./eval-places.ts";
import type { EvalFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { checkOut, type OutFile, outFile } from "./out-file.ts";

/**
 * Looks at every place that a pass will write to before it begins: none may be a folder, what is read, another one of
 * them, or inside of the fixture, which is what is measured. Throws a UserError.
 */
export async function checkOutputs(
  io: CliIo,
  flags: EvalFlags,
  request: EvalRequest,
  out: OutFile | null,
): Promise<void> {
  const { junit, githubSummary: summary } = flags;
  const outs = [
    ...(out === null ? [] : [out]),
    ...(junit === undefined ? [] : [outFile(io, junit)]),
    ...(typeof summary === "string" && summary !== "" ? [outFile(io, summary)] : []),
  ];
  await checkTranscripts(request);
  const inputs = inputsOf(io, flags, request);
  const taken = new Set<string>();
  for (const one of outs) {
    const target = await checkOut(one, inputs);
    if (target === null) continue;
    if (taken.has(target)) throw new UserError("usage", `${visible(one.name)} would be written twice`);
    if (isInside(fixtureIn(request), one.place))
      throw new UserError(
        "usage",
        `${visible(one.name)} is inside of the fixture, which is what is measured: write to another place`,
      );
    taken.add(target);
  }
}

/** A folder that can be made when the first run begins; what else stands under its name would end the pass there. */
async function checkTranscripts({ transcriptsDir }: EvalRequest): Promise<void> {
  if (transcriptsDir === null) return;
  const found = await stat(transcriptsDir).catch((error: unknown) => {
    if (hasCode(error, "ENOENT")) return null;
    throw new UserError("bad_input", `${transcriptsDir}: no place for transcripts: ${messageOf(error)}`);
  });
  if (found !== null && !found.isDirectory())
    throw new UserError("bad_input", `${transcriptsDir}: transcripts go into a folder, and this is none`);
}

function inputsOf(io: CliIo, flags: EvalFlags, { casesFile, mcp }: EvalRequest): string[] {
  return [
    casesFile,
    ...(typeof mcp === "object" ? [mcp.file] : []),
    ...(flags.baseline === undefined ? [] : [fileNamed(io, resultsFolders(io, []), flags.baseline).place]),
    ...(flags.resume === undefined ? [] : [path.resolve(io.cwd, flags.resume)]),
  ];
}

function isInside(folder: string, place: string): boolean {
  const inside = path.relative(folder, place);
  return inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside);
}
