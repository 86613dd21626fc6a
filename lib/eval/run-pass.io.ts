import type { Usage } from "#lib/transcript/record.ts";
import { sumUsage } from "./head.ts";
import { type ArmKey, type Item, type Job, jobKey, jobsOf } from "./items.ts";
import type { JournalEntry } from "./journal.ts";
import type { Judge } from "./judge.io.ts";
import { runPool } from "./pool.ts";
import { runItem } from "./run-item.io.ts";
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
  /** Of the judge, in this part of the pass; null when unknown or none. */
  judge: { usage: Usage | null; judgments: number };
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
  const keyOf = ({ arm, item }: Job) => jobKey(arm, item.case.id, item.run);
  const open = all.filter((job) => !done.has(keyOf(job)));
  const usages: (Usage | null)[] = [];
  const judgeNext = oneByOne();
  await runPool(
    open,
    setup.concurrency,
    async (job) => {
      watch.onStart(job);
      const arm = arms.get(job.arm) as EvalArm;
      const { run, answer } = await runItem(setup, arm, job.item, tools.staging, watch.stop);
      const { judge: rubric } = job.item.case.expect;
      if (rubric !== null && tools.judge !== null && !watch.stop.aborted) {
        const { judge } = tools;
        const task = { prompts: job.item.case.prompts, rubric, answer };
        const judged = await judgeNext(() => judge.grade(task, watch.stop));
        run.checks.push(judged.check);
        run.passed &&= judged.check.passed;
        usages.push(judged.usage);
      }
      if (watch.stop.aborted) return;
      const entry = { arm: job.arm, result: run };
      watch.onDone(entry);
      done.set(keyOf(job), entry);
    },
    () => watch.finish.aborted || watch.stop.aborted,
  );
  const runs = new Map<ArmKey, CaseRun[]>();
  for (const key of arms.keys())
    runs.set(
      key,
      items.flatMap((item) => done.get(jobKey(key, item.case.id, item.run))?.result ?? []),
    );
  return {
    runs,
    partial: all.some((job) => !done.has(keyOf(job))),
    judge: { usage: usages.includes(null) ? null : sumUsage(usages), judgments: usages.length },
  };
}

/** Judgments come one after the other, so that a judge on the same machine is not asked by all runs at once. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  };
}
