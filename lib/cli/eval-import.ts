import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { kindWords } from "#lib/eval/classify.ts";
import { headOf } from "#lib/eval/head.ts";
import { type Imported, importRows } from "#lib/eval/import-rows.ts";
import { reliabilityOf } from "#lib/eval/reliability.ts";
import { REPORT_BYTES_MAX, readReport } from "#lib/eval/reports.io.ts";
import { scorecardText } from "#lib/eval/scorecard-text.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { visible } from "#lib/format.ts";
import { readText } from "#lib/read-whole.io.ts";
import { isoUtc } from "#lib/time.ts";
import { reliabilityText } from "./eval-reliability.ts";
import type { ImportFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { outFile, saidWritten, writeOut } from "./out-file.ts";

/** `mecha eval import`: another harness's trial rows as a scorecard. Exit code 1 when every run of it errored. */
export async function evalImport(io: CliIo, file: string, flags: ImportFlags): Promise<number> {
  const place = path.resolve(io.cwd, file);
  const imported = importRows(await textOf(place, file), {
    model: flags.model ?? null,
    provider: flags.provider ?? null,
    pass_at: flags.passAt,
    created_at: isoUtc(io.now_ms),
  });
  if (!imported.ok) throw await notRows(place, file, imported.problem);
  const { report } = imported.value;
  if (report.runs.length === 0) {
    throw new UserError("bad_input", `${visible(file)}: no row has a grade: there is nothing to score`);
  }
  const card = outFile(io, flags.out);
  await writeOut(card, writeReport(report), [place]);
  const notes = notesOn(imported.value);
  const head = headOf(report.runs);
  const { model, provider } = report;
  const repeated = head.runs_per_case > 1;
  const reliability = repeated ? reliabilityOf([{ name: flags.out, report: { ...report, head } }]) : null;
  if (flags.json) {
    const { place: file } = card;
    io.out(jsonText({ schema_version: 1, file, model, provider, head, reliability, notes }));
  } else {
    io.out(scorecardText(report, { failures: false }));
    if (reliability !== null) io.out(`\n${reliabilityText(reliability)}`);
    if (notes.length > 0) io.out(`\n${notes.map((note) => `note: ${note}\n`).join("")}`);
  }
  saidWritten(io, card);
  return head.runs_errored === report.runs.length ? EXIT.problem : EXIT.fine;
}

/** Somebody who hands in a card or a verdict is told so, and not which column it lacks. */
async function notRows(place: string, file: string, problem: string): Promise<UserError> {
  const { kind } = await readReport(place);
  const other = kind !== "rows" && kind !== "other_json" && kind !== "broken_json" && kind !== "empty";
  return new UserError(
    "bad_input",
    other
      ? `${visible(file)} is ${kindWords(kind)}: trial rows are imported`
      : `${visible(file)}: ${visible(problem)}`,
  );
}

function notesOn({ report, notes }: Imported): string[] {
  return [
    ...notes.map(visible),
    ...(report.model === "unknown" ? ["the rows name no model: --model NAME does"] : []),
    ...(report.runs.every((run) => run.error !== null) ? ["every run errored: nothing was measured"] : []),
  ];
}

async function textOf(place: string, name: string): Promise<string> {
  const text = await readText(place, REPORT_BYTES_MAX);
  if (!text.ok) throw new UserError("bad_input", `${visible(name)}: ${text.problem}`);
  return text.value;
}
