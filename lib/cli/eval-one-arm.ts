import path from "node:path";
import { messageOf, UserError } from "#lib/errors.ts";
import { type CaseResult, casesOf, isFlaky, passedAll } from "#lib/eval/cases.ts";
import { type CiGates, ciProblems } from "#lib/eval/ci-gates.ts";
import { githubSummary } from "#lib/eval/github-summary.ts";
import { junitXml } from "#lib/eval/junit.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { scorecardText } from "#lib/eval/scorecard-text.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { visible } from "#lib/format.ts";
import type { EvalFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { type OutFile, outFile, saidWritten, writeOut } from "./out-file.ts";

/** One arm: written, printed and held against what was asked of it. Gives the exit code of a regression gate. */
export async function oneArm(
  io: CliIo,
  report: Report,
  flags: EvalFlags,
  out: OutFile | null,
  gates: CiGates,
): Promise<number> {
  const problems = [...emptyProblems(report), ...ciProblems(report, gates)];
  // Printed first: what was measured is seen also where it cannot be written.
  if (flags.json) io.out(jsonText({ schema_version: 1, ...scoreJson(report), problems }));
  else io.out(scorecardText(report, { failures: flags.failures === true }));
  if (out !== null) {
    await writeOut(out, writeReport(report), []);
    saidWritten(io, out);
  }
  if (flags.junit !== undefined) await writeOut(outFile(io, flags.junit), junitXml(report), []);
  if (flags.githubSummary !== undefined)
    await appendSummary(io, flags.githubSummary, githubSummary(report, problems));
  for (const problem of problems) io.err(`mecha: ${visible(problem)}\n`);
  return problems.length > 0 || failing(report, gates) ? EXIT.problem : EXIT.fine;
}

/** A pass that says nothing of its model fails, whatever was asked of it. */
function emptyProblems({ runs }: Report): string[] {
  if (runs.length === 0) return ["no case was run: nothing was measured"];
  return runs.every((run) => run.error !== null) ? ["every run ended in an error: nothing was measured"] : [];
}

/**
 * Where a share or a baseline was asked for, it alone decides. A limit on flaky cases says that some may be: then it is
 * the cases that never passed which fail. Else every case has to have passed.
 */
function failing({ runs, meta }: Report, { minPass, maxFlaky, baseline }: CiGates): boolean {
  if (minPass !== null || baseline !== null) return false;
  const passes = (one: CaseResult) => passedAll(one) || (maxFlaky !== null && isFlaky(one));
  return meta.not_scored.length > 0 || !casesOf(runs).every(passes);
}

/** The scorecard as its file has it, and what failed. */
function scoreJson(report: Report): object {
  const { scorecard } = JSON.parse(writeReport(report)) as { scorecard: object };
  const failed = report.runs
    .filter((run) => !run.passed)
    .map(({ id, run, error, checks, transcript }) => ({
      id,
      run,
      error,
      checks: checks.filter((check) => !check.passed).map(({ name, detail }) => ({ name, detail })),
      transcript,
    }));
  return { scorecard, failed };
}

/** A pipeline names the file in a variable of its own; several steps write to one. */
async function appendSummary(io: CliIo, given: string | true, text: string): Promise<void> {
  const name = given === true ? io.env.GITHUB_STEP_SUMMARY : given;
  if (name === undefined || name === "")
    throw new UserError("usage", "--github-summary: GITHUB_STEP_SUMMARY is not set; name a file");
  const { appendFile } = await import("node:fs/promises");
  try {
    await appendFile(path.resolve(io.cwd, name), text);
  } catch (error) {
    throw new UserError("bad_input", `${visible(name)} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
