import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import { type Prepared, prepareEval } from "#lib/eval/prepare.io.ts";
import { reportOf } from "#lib/eval/report-of.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import type { EvalArm } from "#lib/eval/setup.ts";
import { visible } from "#lib/format.ts";
import { abOutput } from "./eval-ab.ts";
import { oneArm } from "./eval-one-arm.ts";
import { checkOutputs } from "./eval-outputs.ts";
import { type Pass, runAll, wayOn } from "./eval-pass.ts";
import { gatesOf, requestOf } from "./eval-request.ts";
import type { EvalFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { hasPlaceBeside, outFile } from "./out-file.ts";
import { settle } from "./store.ts";

/** `mecha eval`: runs a case set, in one arm or in two, and reports. The exit code is that of a regression gate. */
export async function evalRun(io: CliIo, cases: string | undefined, flags: EvalFlags): Promise<number> {
  const out = flags.out === undefined ? null : outFile(io, flags.out);
  const beside = out !== null && (await hasPlaceBeside(out)) ? out : null;
  const request = await requestOf(io, cases ?? EVAL_DEFAULTS.casesFile, flags, beside);
  await checkOutputs(io, flags, request, out);
  const gates = await gatesOf(io, flags);
  const settings = settle(io, {}, { zoneUnread: true });
  const prepared = await prepareEval(request, { settings, env: io.env, cwd: io.cwd });
  sayBefore(io, prepared);
  const pass = await runAll(io, prepared, flags, beside);
  const [first, second] = prepared.setup.arms.map((arm) => ({ arm, report: armReport(prepared, pass, arm) }));
  if (first === undefined) throw new Error("a pass has an arm");
  if (second === undefined) {
    const code = await told(io, pass, () => oneArm(io, first.report, flags, out, gates));
    return ended(io, pass, "the report is partial") ? code : EXIT.problem;
  }
  // Half of a comparison is none: what is finished stays in the journal, and no verdict is made of it.
  if (pass.result.partial) {
    ended(io, pass, "nothing is judged");
    return EXIT.problem;
  }
  const arms = { a: first, b: second, prepared, head: pass.head };
  const code = await told(io, pass, () => abOutput(io, arms, flags, out));
  ended(io, pass, "");
  return code;
}

/** Results that could not be written are not lost: they stand in the journal. */
async function told(io: CliIo, { journal }: Pass, output: () => Promise<number>): Promise<number> {
  try {
    return await output();
  } catch (error) {
    if (journal !== null) io.err(`mecha: ${wayOn(journal.file)}\n`);
    throw error;
  }
}

function armReport(prepared: Prepared, { result, head }: Pass, arm: EvalArm): Report {
  return reportOf(prepared.setup, arm, result.runs.get(arm.key) ?? [], {
    case_set_sha256: prepared.case_set_sha256,
    fixture_sha256: prepared.fixture_sha256,
    created_at: head.started_at,
    partial: result.partial,
    wall_clock_ms: result.clock_ms,
    judge: result.judge,
    not_scored: prepared.notScored,
  });
}

/** Whether every job is done. A journal that is of no use any more goes; else the way on is said. */
function ended(io: CliIo, { result, journal }: Pass, consequence: string): boolean {
  if (!result.partial) {
    journal?.remove();
    return true;
  }
  io.err(`mecha: broken off: ${consequence}${journal === null ? "" : `; ${wayOn(journal.file)}`}\n`);
  return false;
}

function sayBefore(io: CliIo, prepared: Prepared): void {
  for (const warning of prepared.warnings) io.err(`mecha: ${visible(warning)}\n`);
  for (const { id, reason } of prepared.notScored)
    io.err(`mecha: ${visible(id)} is not run: ${visible(reason)}\n`);
  sayFixed(io, prepared);
}

function sayFixed(io: CliIo, { fixed, setup }: Prepared): void {
  if (fixed.length === 0) return;
  const reasons = [...new Set(fixed.map((one) => one.why))].map(visible).join("; ");
  io.err(`mecha: ${fixed.length} of ${setup.cases.length} cases cannot move: ${reasons}\n`);
}
