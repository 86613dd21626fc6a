import { setMaxListeners } from "node:events";
import { sumUsage } from "./head.ts";
import { type ArmKey, type Item, type Job, jobKey, jobsOf } from "./items.ts";
import type { JournalEntry, JudgeCost } from "./journal.ts";
import type { Judge } from "./judge.io.ts";
import { runPool } from "./pool.ts";
import { type Ran, runItem } from "./run-item.io.ts";
import type { CaseRun } from "./scorecard.ts";
import type { EvalArm, EvalSetup } from "./setup.ts";
import type { Staging } from "./workspace.io.ts";

export type PassWatch = {
  /** Aborts: start nothing more, and finish what is in flight. */
  finish: AbortSignal;
  /** Aborts: stop at once. What is in flight is not finished and not counted. */
  stop: AbortSignal;
  onStart(job: Job): void;
  /** A job is finished and graded. Awaited before its result counts: what it throws ends the pass. */
  onDone(entry: JournalEntry): void;
};

export type PassResult = {
  /** By arm, in the order of the items, each job at most once. */
  runs: Map<ArmKey, CaseRun[]>;
  /** Some job was not run. */
  partial: boolean;
  /** Of all judgments, those of earlier parts of the pass included; null where one is unknown, and where there are none. */
  judge: JudgeCost;
  /** How long the pass ran, its earlier parts included. */
  clock_ms: number;
};

/**
 * Runs every job that is not finished yet. Each finished one is told once, when it is graded and judged; so a pass that
 * dies and is taken up again counts every job exactly once.
 */
export async function runPass(
  setup: EvalSetup,
  items: readonly Item[],
  tools: { staging: Staging | null; judge: Judge | null },
  finished: readonly JournalEntry[],
  watch: PassWatch,
): Promise<PassResult> {
  const arms = new Map(setup.arms.map((arm) => [arm.key, arm]));
  const done = new Map(finished.map((one) => [jobKey(one.arm, one.result.id, one.result.run), one]));
  const all = jobsOf(items, [...arms.keys()]);
  const isOpen = (job: Job) => !done.has(keyOf(job));
  const judgeNext = oneByOne();
  const clock = clockFrom(finished);
  const runJob = async (job: Job): Promise<void> => {
    watch.onStart(job);
    const arm = arms.get(job.arm) as EvalArm;
    const ran = await runItem(setup, arm, job.item, tools.staging, watch.stop);
    const judge = await judgeRun(job.item, ran, tools.judge, judgeNext, watch.stop);
    if (watch.stop.aborted) return;
    const entry = { arm: job.arm, result: ran.run, judge, clock_ms: clock() };
    watch.onDone(entry);
    done.set(keyOf(job), entry);
  };
  // As many runs as are in flight listen to it, and all of them stop listening.
  setMaxListeners(0, watch.stop);
  const stopped = () => watch.finish.aborted || watch.stop.aborted;
  await runPool(all.filter(isOpen), setup.concurrency, runJob, stopped);
  const runsOf = (key: ArmKey) =>
    items.flatMap((item) => done.get(jobKey(key, item.case.id, item.run))?.result ?? []);
  return {
    runs: new Map([...arms.keys()].map((key) => [key, runsOf(key)])),
    partial: all.some(isOpen),
    judge: judgeCost([...done.values()]),
    clock_ms: clock(),
  };
}

function keyOf({ arm, item }: Job): string {
  return jobKey(arm, item.case.id, item.run);
}

/** Goes on from where the earlier parts of the pass had come to, in ms. */
function clockFrom(finished: readonly JournalEntry[]): () => number {
  const started = performance.now();
  const before = finished.reduce((most, { clock_ms }) => Math.max(most, clock_ms), 0);
  return () => Math.round(before + performance.now() - started);
}

/** Asks the judge where the case has a rubric; a run that errored has an answer to judge too: the empty one. */
export async function judgeRun(
  { case: { prompts, expect } }: Item,
  { run, answer }: Ran,
  judge: Judge | null,
  inTurn: ReturnType<typeof oneByOne>,
  signal: AbortSignal,
): Promise<JudgeCost | null> {
  if (expect.judge === null || judge === null || signal.aborted) return null;
  const task = { prompts, rubric: expect.judge, answer };
  const { check, took } = await inTurn(() => judge.grade(task, signal));
  run.checks.push(check);
  run.passed &&= check.passed;
  return took;
}

/** One judgment of unknown cost makes the sum unknown: a part of it would read as the whole. */
function judgeCost(entries: readonly JournalEntry[]): JudgeCost {
  const costs = entries.flatMap(({ judge }) => judge ?? []);
  const usages = costs.flatMap(({ usage }) => usage ?? []);
  const dollars = costs.flatMap(({ cost_usd }) => cost_usd ?? []);
  return {
    usage: costs.length === 0 || usages.length < costs.length ? null : sumUsage(usages),
    cost_usd:
      costs.length === 0 || dollars.length < costs.length ? null : dollars.reduce((sum, one) => sum + one, 0),
  };
}

/** Judgments come one after the other, so that a judge on the same machine is not asked by all runs at once. */
export function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
