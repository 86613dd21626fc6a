import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { type CiGates, ciProblems } from "#lib/eval/ci-gates.ts";
import type { EvalRequest } from "#lib/eval/eval-request.ts";
import { githubSummary } from "#lib/eval/github-summary.ts";
import { headOf } from "#lib/eval/head.ts";
import { type JournalFile, resumeJournal, startJournal } from "#lib/eval/journal.io.ts";
import type { JournalEntry, JournalHead } from "#lib/eval/journal.ts";
import { junitXml } from "#lib/eval/junit.ts";
import { type Prepared, prepareEval } from "#lib/eval/prepare.io.ts";
import { reportOf } from "#lib/eval/report-of.ts";
import { readCard } from "#lib/eval/reports.io.ts";
import { type PassResult, runPass } from "#lib/eval/run-pass.io.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { scorecardText } from "#lib/eval/scorecard-text.ts";
import { prepareStaging, type Staging } from "#lib/eval/workspace.io.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { visible } from "#lib/format.ts";
import { resolvePlace } from "#lib/settings.ts";
import { isoUtc } from "#lib/time.ts";
import { abOutput, predictionOf } from "./eval-ab.ts";
import { fileNamed, resultsFolders } from "./eval-places.ts";
import { evalProgress } from "./eval-progress.ts";
import type { EvalFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { type OutFile, outFile, saidWritten, writeOut } from "./out-file.ts";
import { systemFrom } from "./run-prompt.ts";
import { settle } from "./store.ts";

const CASES = "eval/cases.jsonl";

/** `mecha eval`: runs a case set, in one arm or in two, and reports. The exit code is that of a regression gate. */
export async function evalRun(io: CliIo, cases: string | undefined, flags: EvalFlags): Promise<number> {
  const out = flags.out === undefined ? null : outFile(io, flags.out);
  const request = await requestOf(io, cases ?? CASES, flags, out);
  const gates = await gatesOf(io, flags);
  const prepared = await prepareEval(request, {
    settings: settle(io, {}, { zoneUnread: true }),
    env: io.env,
    cwd: io.cwd,
  });
  for (const warning of prepared.warnings) io.err(`mecha: ${visible(warning)}\n`);
  for (const { id, reason } of prepared.notScored)
    io.err(`mecha: ${visible(id)} is not run: ${visible(reason)}\n`);
  sayFixed(io, prepared);
  const pass = await runAll(io, prepared, flags, out);
  const arms = prepared.setup.arms.map((arm) => ({
    arm,
    report: reportOf(prepared.setup, arm, pass.result.runs.get(arm.key) ?? [], {
      case_set_sha256: prepared.case_set_sha256,
      fixture_sha256: prepared.fixture_sha256,
      created_at: pass.head.started_at,
      partial: pass.result.partial,
      wall_clock_ms: pass.wall_clock_ms,
      judge_usage: pass.result.judge.usage,
      not_scored: prepared.notScored,
    }),
  }));
  const [first, second] = arms;
  if (first === undefined) throw new Error("a pass has an arm");
  // Half of a comparison is none: what is finished stays in the journal, and no verdict is made of it.
  const judged = second === undefined || !pass.result.partial;
  const code = !judged
    ? EXIT.problem
    : second === undefined
      ? await oneArm(io, first.report, flags, out, gates, request.runsPerCase)
      : await abOutput(io, { a: first, b: second, prepared, head: pass.head }, flags, out);
  if (pass.result.partial) {
    const rest =
      pass.journal === null ? "" : `; go on with: mecha eval … --resume ${visible(pass.journal.file)}`;
    io.err(`mecha: broken off${judged ? ": the report is partial" : ": nothing is judged"}${rest}\n`);
    return EXIT.problem;
  }
  pass.journal?.remove();
  return code;
}

async function oneArm(
  io: CliIo,
  report: Report,
  flags: EvalFlags,
  out: OutFile | null,
  gates: CiGates,
  runsPerCase: number,
): Promise<number> {
  const problems = ciProblems(report, runsPerCase, gates);
  if (out !== null) await writeOut(out, writeReport(report), []);
  if (flags.junit !== undefined) await writeOut(outFile(io, flags.junit), junitXml(report), []);
  if (flags.githubSummary !== undefined)
    await appendSummary(io, flags.githubSummary, githubSummary(report, problems));
  const head = headOf(report.runs);
  if (flags.json)
    io.out(jsonText({ schema_version: 1, scorecard: JSON.parse(writeReport(report)).scorecard, problems }));
  else io.out(scorecardText(report, { failures: flags.failures === true }));
  if (out !== null) saidWritten(io, out);
  for (const problem of problems) io.err(`mecha: ${visible(problem)}\n`);
  if (report.runs.length === 0) io.err("mecha: no case was run: nothing was measured\n");
  else if (head.runs_errored === report.runs.length)
    io.err("mecha: every run ended in an error: nothing was measured\n");
  if (report.runs.length === 0 || head.runs_errored === report.runs.length || problems.length > 0)
    return EXIT.problem;
  // A gate that was asked for decides; without one, every case counts.
  if (gates.minPass !== null || gates.baseline !== null) return EXIT.fine;
  return head.passed < head.total || report.meta.not_scored.length > 0 ? EXIT.problem : EXIT.fine;
}

type Pass = { result: PassResult; head: JournalHead; journal: JournalFile | null; wall_clock_ms: number };

/** The pass itself, with its journal beside the report. Ctrl-C once finishes what is in flight; twice stops. */
async function runAll(io: CliIo, prepared: Prepared, flags: EvalFlags, out: OutFile | null): Promise<Pass> {
  const { setup, items } = prepared;
  const started = performance.now();
  const { head, finished, journal } = await journalOf(io, prepared, flags, out);
  const staging = await stagingFor(prepared);
  const finish = new AbortController();
  const stop = new AbortController();
  const progress = evalProgress(io, setup, items.length * setup.arms.length, finished);
  const unhook = io.onInterrupt(() => {
    finish.abort();
    progress.said("finishing what is in flight; Ctrl-C again stops at once");
  });
  try {
    const result = await runPass(setup, items, { staging, judge: prepared.judge }, finished, {
      finish: AbortSignal.any([finish.signal, io.signal]),
      stop: stop.signal,
      onStart: progress.started,
      onDone: (entry) => {
        journal?.add(relative(entry, out));
        progress.done(entry);
      },
    });
    return { result, head, journal, wall_clock_ms: Math.round(performance.now() - started) };
  } finally {
    unhook();
    progress.end();
    journal?.close();
    if (staging !== null && setup.keepWorkspaces)
      io.err(`mecha: the workspaces are in ${visible(staging.root)}\n`);
    else await staging?.clear();
  }
}

/** Transcripts are named as seen from the report, so that both can be moved together. */
function relative(entry: JournalEntry, out: OutFile | null): JournalEntry {
  const { transcript } = entry.result;
  if (transcript !== null && out !== null && path.isAbsolute(transcript))
    entry.result.transcript = path.relative(path.dirname(out.place), transcript);
  return entry;
}

async function stagingFor({ setup, items }: Prepared): Promise<Staging | null> {
  return items.some((item) => item.case.sandbox) ? prepareStaging(setup.fixture) : null;
}

async function journalOf(
  io: CliIo,
  prepared: Prepared,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<{ head: JournalHead; finished: JournalEntry[]; journal: JournalFile | null }> {
  if (flags.resume !== undefined) {
    const { journal, file } = await resumeJournal(path.resolve(io.cwd, flags.resume));
    if (journal.head.plan_sha256 !== prepared.plan_sha256) {
      file.close();
      throw new UserError(
        "bad_input",
        `${visible(flags.resume)}: ${differs(journal.head.plan, prepared.plan)}`,
      );
    }
    io.err(`mecha: ${journal.entries.length} finished run(s) are taken over\n`);
    return { head: journal.head, finished: journal.entries, journal: file };
  }
  const head: JournalHead = {
    journal: "mecha.eval/1",
    started_at: isoUtc(Date.now()),
    plan_sha256: prepared.plan_sha256,
    plan: prepared.plan,
    prediction: predictionOf(flags),
  };
  const journal = out === null ? null : startJournal(`${out.place}.journal.jsonl`, head);
  return { head, finished: [], journal };
}

function differs(before: Record<string, unknown>, now: Record<string, unknown>): string {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  const changed = keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(now[key]));
  return `it was started otherwise (${changed.join(", ")}), and two measurements make no report`;
}

function sayFixed(io: CliIo, { fixed, setup }: Prepared): void {
  if (fixed.length === 0) return;
  const reasons = [...new Set(fixed.map((one) => one.why))].map(visible).join("; ");
  io.err(`mecha: ${fixed.length} of ${setup.cases.length} cases cannot move: ${reasons}\n`);
}

async function requestOf(
  io: CliIo,
  cases: string,
  flags: EvalFlags,
  out: OutFile | null,
): Promise<EvalRequest> {
  const settings = settle(io, {}, { zoneUnread: true });
  const absolute = (name: string) => resolvePlace(name, io);
  const transcripts = flags.transcripts ?? (out === null ? undefined : `${out.place}.transcripts`);
  return {
    casesFile: absolute(cases),
    casesName: cases,
    tags: flags.tag,
    fixture: flags.fixture === undefined ? null : absolute(flags.fixture),
    runsPerCase: flags.runs,
    concurrency: flags.concurrency,
    overrides: flags.abConfig,
    abRules: flags.abRules === true,
    flags: await runFlags(io, flags),
    judge: { provider: flags.judgeProvider ?? null, model: flags.judgeModel ?? null },
    mcp: flags.mcpFile !== undefined ? { file: absolute(flags.mcpFile) } : flags.mcp ? "configured" : "none",
    askUser: flags.askUser,
    unconfined: flags.unconfined === true,
    keepWorkspaces: flags.keepWorkspaces === true,
    transcriptsDir: transcripts === undefined ? null : absolute(transcripts),
    learningDir: settings.learningDir,
  };
}

async function runFlags(io: CliIo, flags: EvalFlags): Promise<EvalRequest["flags"]> {
  const { provider, model, effort, system, maxTurns, maxOutputTokens, maxCost, compactAt, tool, thinking } =
    flags;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(system === undefined ? {} : { system: await systemFrom(io, system) }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(compactAt === undefined ? {} : { compactAt }),
    ...(tool.length === 0 ? {} : { tools: tool }),
    ...(thinking ? {} : { thinking: false as const }),
  };
}

async function gatesOf(io: CliIo, flags: EvalFlags): Promise<CiGates> {
  if ((flags.failOn !== undefined) !== (flags.baseline !== undefined))
    throw new UserError("usage", "--baseline and --fail-on regression go together");
  let baseline: Report | null = null;
  if (flags.baseline !== undefined) {
    const file = fileNamed(io, resultsFolders(io, []), flags.baseline);
    const card = await readCard(file.place, file.name);
    if (!card.ok) throw new UserError("bad_input", card.problem);
    baseline = card.value.report;
  }
  return { minPass: flags.minPass ?? null, maxFlaky: flags.maxFlaky ?? null, baseline };
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
    throw new UserError("bad_input", `${visible(name)} cannot be written: ${String(error)}`, {
      cause: error,
    });
  }
}
