import { abJson, judgeArms } from "#lib/eval/ab.ts";
import { rulesAb, rulesText } from "#lib/eval/ab-rules.ts";
import { abText } from "#lib/eval/ab-text.ts";
import type { JournalHead } from "#lib/eval/journal.ts";
import type { Prediction } from "#lib/eval/prediction.ts";
import type { Prepared } from "#lib/eval/prepare.io.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import type { EvalArm } from "#lib/eval/setup.ts";
import { visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import pkg from "../../package.json" with { type: "json" };
import type { EvalFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { type OutFile, saidWritten, writeOut } from "./out-file.ts";
import { fromDb, storeVerdict, verdictDb } from "./verdict-db.ts";

export type AbPass = {
  a: { arm: EvalArm; report: Report };
  b: { arm: EvalArm; report: Report };
  prepared: Prepared;
  head: JournalHead;
};

/**
 * What is predicted before the first arm runs: what the flags say, else what a stored proposal of this very change says
 * that nothing has measured yet; null where nobody predicted anything. Where it is from is said.
 */
export async function predictionOf(
  io: CliIo,
  { predicts, because, class: kind, abConfig }: EvalFlags,
): Promise<Prediction | null> {
  const given = { because: because ?? null, class: kind ?? "config", made_at: isoUtc(Date.now()) };
  if (predicts !== undefined) return { metric: predicts, ...given, proposal: null };
  const { proposedFor } = await import("#lib/diagnose/proposed.io.ts");
  const found = abConfig.length === 0 ? null : await fromDb(io, (db) => proposedFor(db, abConfig.join(" ")));
  if (found === null)
    return because === undefined && kind === undefined ? null : { metric: null, ...given, proposal: null };
  const { id, created_at, proposal } = found;
  io.err(
    `mecha: predicted by the stored proposal ${visible(id)} of ${created_at}: ${proposal.metric} falls\n`,
  );
  return {
    metric: proposal.metric,
    because: because ?? (proposal.rationale === "" ? null : proposal.rationale),
    class: kind ?? proposal.class,
    made_at: created_at,
    proposal: id,
  };
}

/** Two arms: judged and printed; neither is a scorecard. A finding, not a failure: the exit code is 0 whatever it says. */
export async function abOutput(
  io: CliIo,
  pass: AbPass,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<number> {
  return flags.abRules ? rulesOutput(io, pass, flags, out) : configOutput(io, pass, flags, out);
}

async function configOutput(
  io: CliIo,
  { a, b, prepared, head }: AbPass,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<number> {
  // What was written down when the pass began holds, also when it was taken up again with other words.
  const judged = judgeArms(
    { a: { label: a.arm.label, report: a.report }, b: { label: b.arm.label, report: b.report } },
    {
      overrides: prepared.overrides,
      prediction: head.prediction,
      holdout_in: flags.holdoutIn,
      created_at: isoUtc(Date.now()),
      made_by: `mecha ${pkg.version}`,
    },
  );
  if (!judged.ok) {
    // As final as a verdict: whoever went on with this pass would find the same runs done.
    io.err(`mecha: ${visible(judged.problem)}\n`);
    return EXIT.problem;
  }
  const { document } = judged.value;
  const problem = await storeVerdict(io, document);
  const json = abJson(judged.value);
  if (out !== null) await writeOut(out, `${JSON.stringify(json, null, 2)}\n`, []);
  if (flags.json) io.out(jsonText(json));
  else {
    io.out(abText(judged.value));
    if (problem === null)
      io.out(`\n  stored      ${visible(verdictDb(io))}\n  page        /verdicts/${document.id}\n`);
  }
  if (out !== null) saidWritten(io, out);
  if (problem === null) return EXIT.fine;
  io.err(`mecha: the verdict is not stored: ${problem}\n`);
  return EXIT.problem;
}

async function rulesOutput(
  io: CliIo,
  { a, b }: AbPass,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<number> {
  const result = rulesAb(a.report, b.report);
  if (out !== null) await writeOut(out, `${JSON.stringify(result, null, 2)}\n`, []);
  io.out(flags.json ? jsonText(result) : rulesText(result));
  if (out !== null) saidWritten(io, out);
  return EXIT.fine;
}
