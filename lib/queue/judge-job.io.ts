import { asc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { caseResults } from "#db/schema.ts";
import type { Parsed } from "#lib/errors.ts";
import { judgeArms } from "#lib/eval/ab.ts";
import { type ArmKey, jobKey } from "#lib/eval/items.ts";
import { parseRun } from "#lib/eval/parse-report.ts";
import { reportOf } from "#lib/eval/report-of.ts";
import type { CaseRun, Report } from "#lib/eval/scorecard.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { isoUtc } from "#lib/time.ts";
import pkg from "../../package.json" with { type: "json" };
import { changedSince, experimentRow, type PreparedCache, type Ready } from "./prepared.io.ts";
import type { Job, JobResult } from "./queue.ts";

/** Every case run has ended: builds both reports and judges them against each other, once. */
export async function judgeJob(open: () => Db, cache: PreparedCache, job: Job): Promise<JobResult> {
  const { experimentId } = job;
  if (experimentId === null) throw new Error("a verdict belongs to an experiment");
  const result = await cache.using(experimentId, async (ready): Promise<JobResult> => {
    const stored = storedRuns(open(), experimentId);
    if (!stored.ok) return { kind: "experiment_failed", problem: stored.problem };
    const changed = changedSince(open(), ready);
    return changed ?? judged(ready, experimentRow(open(), experimentId), stored.value, Date.now());
  });
  await cache.forget(experimentId);
  return result;
}

function judged(
  { prepared }: Ready,
  row: Ready["row"],
  runs: ReadonlyMap<string, CaseRun>,
  now: number,
): JobResult {
  const arms = { a: armReport(prepared, row, runs, "a", now), b: armReport(prepared, row, runs, "b", now) };
  const { metric, rationale: because, changeClass, holdoutIn } = row.request;
  const result = judgeArms(arms, {
    overrides: prepared.overrides,
    prediction: { metric, because, class: changeClass, made_at: isoUtc(row.createdAt) },
    holdout_in: holdoutIn,
    created_at: isoUtc(now),
    made_by: `mecha ${pkg.version}`,
  });
  if (!result.ok) return { kind: "experiment_failed", problem: result.problem };
  return { kind: "verdict", document: result.value.document };
}

function armReport(
  prepared: Ready["prepared"],
  row: Ready["row"],
  runs: ReadonlyMap<string, CaseRun>,
  key: ArmKey,
  now: number,
): { label: string; report: Report } {
  const arm = prepared.setup.arms.find((one) => one.key === key);
  if (arm === undefined) throw new Error(`there is no arm ${key}`);
  const startedAt = row.startedAt ?? row.createdAt;
  const report = reportOf(
    prepared.setup,
    arm,
    prepared.items.flatMap((item) => runs.get(jobKey(key, item.case.id, item.run)) ?? []),
    {
      case_set_sha256: prepared.case_set_sha256,
      fixture_sha256: prepared.fixture_sha256,
      created_at: isoUtc(startedAt),
      partial: false,
      wall_clock_ms: now - startedAt,
      judge: { usage: null, cost_usd: null },
      not_scored: prepared.notScored,
    },
  );
  return { label: arm.label, report };
}

function storedRuns(db: Db, experimentId: string): Parsed<Map<string, CaseRun>> {
  const runs = new Map<string, CaseRun>();
  for (const row of db
    .select()
    .from(caseResults)
    .where(eq(caseResults.experimentId, experimentId))
    .orderBy(asc(caseResults.caseId))
    .all()) {
    const value = parseJsonText(row.result);
    const run = value.ok ? parseRun(value.value) : value;
    if (!run.ok)
      return { ok: false, problem: `the stored result of ${row.caseId} is damaged: ${run.problem}` };
    runs.set(jobKey(row.arm as ArmKey, row.caseId, row.run), run.value);
  }
  return { ok: true, value: runs };
}
