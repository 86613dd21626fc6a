import path from "node:path";
import { UserError } from "#lib/errors.ts";
import type { GateOptions } from "#lib/eval/gate-arms.ts";
import { judgeFiles } from "#lib/eval/gate-files.io.ts";
import { visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";
import { isoUtc, parseTime } from "#lib/time.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { verdictText } from "#lib/verdict/text.ts";
import { viewOf } from "#lib/verdict/view.ts";
import { fileNameOf } from "#lib/verdict/words.ts";
import pkg from "../../package.json" with { type: "json" };
import { fileNamed, type NamedFile, resultsFolders } from "./eval-places.ts";
import type { GateFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { settle } from "./store.ts";
import { storeVerdict, verdictDb } from "./verdict-db.ts";
import { outDocument } from "./verdict-document.ts";

/** `mecha gate A B`: judges two arms and stores the verdict. Any verdict is exit code 0; one that is not stored is 1. */
export async function gate(
  io: CliIo,
  baseline: string,
  candidate: string,
  flags: GateFlags,
): Promise<number> {
  const options = optionsOf(io, flags);
  const folders = resultsFolders(io, flags.results);
  const [a, b] = labelled(fileNamed(io, folders, baseline), fileNamed(io, folders, candidate));
  const judged = await judgeFiles(a, b, options, (line) => io.err(`mecha: ${line}\n`));
  if (!judged.ok) throw new UserError("bad_input", judged.problem);
  const document = judged.value;
  const problem = await storeVerdict(io, document);
  if (flags.json) outDocument(io, document);
  else io.out(`${verdictText(viewOf(document))}${problem === null ? storedLines(io, document) : ""}`);
  if (document.arms.baseline.sha256 === document.arms.candidate.sha256) {
    io.err("mecha: both files hold the same: nothing was compared\n");
  }
  if (problem === null) return EXIT.fine;
  io.err(`mecha: the verdict is not stored: ${problem}\nmecha: gate --json > FILE keeps it\n`);
  return EXIT.problem;
}

function optionsOf(io: CliIo, flags: GateFlags): GateOptions {
  const { metric, predicts } = flags;
  if (metric !== undefined && predicts !== undefined && metric !== predicts) {
    throw new UserError(
      "usage",
      `--metric ${metric}: the predicted counter is judged, and --predicts names ${predicts}`,
    );
  }
  return {
    change_class: flags.class,
    change: flags.change ?? null,
    metric: predicts ?? metric ?? null,
    predicted: predicts !== undefined,
    rationale: flags.because ?? null,
    made_at: predictedAt(io, flags),
    holdout_in: flags.holdoutIn,
    created_at: isoUtc(io.now_ms),
    made_by: `mecha ${pkg.version}`,
  };
}

function predictedAt(io: CliIo, { predictedAt: time, predicts }: GateFlags): string | null {
  if (time === undefined) return null;
  if (predicts === undefined)
    throw new UserError("usage", "--predicted-at: nothing is predicted without --predicts");
  const parsed = parseTime(time, settle(io, {}).zone);
  if (!parsed.ok) throw new UserError("usage", `--predicted-at: ${visible(parsed.problem)}`);
  return isoUtc(parsed.value);
}

/** Arms are called by their files, as shortly as tells them apart. */
function labelled(a: NamedFile, b: NamedFile) {
  const stem = ({ name }: NamedFile) => path.basename(name).replace(/\.jsonl?$/, "");
  const short = stem(a) !== stem(b);
  const label = (file: NamedFile) => ({ ...file, label: short ? stem(file) : file.name });
  return [label(a), label(b)] as const;
}

/** Where the verdict is now, and how it becomes a file that anybody can check. */
function storedLines(io: CliIo, document: VerdictDocument): string {
  const { id } = document;
  const file = fileNameOf(viewOf(document));
  const save = ["mecha", "verdict", "export", id.slice(0, 12), "--json", ...(file === null ? [] : [file])];
  return [
    `  stored      ${visible(verdictDb(io))}`,
    `  page        /verdicts/${id}`,
    `  save as     ${shellLine(save)}`,
    "",
  ].join("\n");
}
