import { and, asc, gte, inArray, lte } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, proposals, verdicts } from "#db/schema.ts";
import type { Fate } from "#lib/diagnose/fate.ts";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { diagnosisOf } from "#lib/diagnose/proposal-row.ts";
import { fatesOf } from "#lib/diagnose/proposals.io.ts";
import { DAY_MS, isoUtc } from "#lib/time.ts";
import type { Stored, WeekProposal, WeekVerdict } from "./stored.ts";
import type { Week } from "./week.ts";

/** Rows of one list; a week with more than these is no longer read row by row. */
const ROWS_MAX = 500;

type VerdictRow = Omit<typeof verdicts.$inferSelect, "document" | "storedAt">;

/** The verdicts and proposals dated in a week, and what had become of the proposals by `as_of_ms`. */
export function readStored(db: Db, week: Week, as_of_ms: number): Stored {
  const reached = verdictsIn(db, week);
  const made = diagnosesIn(db, week);
  const kept = made.slice(-ROWS_MAX);
  const fates = fatesOf(db, kept);
  const times = madeAt(db, fates);
  return {
    verdicts: reached.slice(-ROWS_MAX).map(verdictOf),
    verdicts_left_out: Math.max(0, reached.length - ROWS_MAX),
    proposals: kept.map((diagnosis, at) =>
      proposalOf(diagnosis, fateAt(fates[at] ?? { kind: "not_measured" }, times, as_of_ms)),
    ),
    proposals_left_out: made.length - kept.length,
  };
}

/** Stamps are compared as text with a day to spare, for they may name any offset; the exact bounds come after. */
function slack(column: typeof verdicts.createdAt | typeof proposals.createdAt, week: Week) {
  return and(gte(column, isoUtc(week.from_ms - DAY_MS)), lte(column, isoUtc(week.until_ms + DAY_MS)));
}

function inside<R extends { createdAt: string }>(rows: readonly R[], week: Week): R[] {
  return rows.filter(({ createdAt }) => {
    const at = Date.parse(createdAt);
    return at >= week.from_ms && at <= week.until_ms;
  });
}

const VERDICT = {
  id: verdicts.id,
  createdAt: verdicts.createdAt,
  outcome: verdicts.outcome,
  reason: verdicts.reason,
  currency: verdicts.currency,
  changeClass: verdicts.changeClass,
  change: verdicts.change,
  prediction: verdicts.prediction,
  predictedMetric: verdicts.predictedMetric,
  baseline: verdicts.baseline,
  candidate: verdicts.candidate,
};

function verdictsIn(db: Db, week: Week): VerdictRow[] {
  const rows = db
    .select(VERDICT)
    .from(verdicts)
    .where(slack(verdicts.createdAt, week))
    .orderBy(asc(verdicts.createdAt), asc(verdicts.id))
    .all();
  return inside(rows, week);
}

function diagnosesIn(db: Db, week: Week): Diagnosis[] {
  const rows = db
    .select()
    .from(proposals)
    .where(slack(proposals.createdAt, week))
    .orderBy(asc(proposals.createdAt), asc(proposals.id))
    .all();
  return inside(rows, week).map(diagnosisOf);
}

/** When the verdicts and experiments that fates name were made, in ms. */
type Made = { verdicts: Map<string, number>; experiments: Map<string, number> };

function madeAt(db: Db, fates: readonly Fate[]): Made {
  const judged = fates.flatMap((fate) => (fate.kind === "verdict" ? [fate.verdict_id] : []));
  const begun = fates.flatMap((fate) => ("experiment_id" in fate ? (fate.experiment_id ?? []) : []));
  const times = { id: verdicts.id, at: verdicts.createdAt };
  const starts = { id: experiments.id, at: experiments.createdAt };
  return {
    verdicts: new Map(
      db
        .select(times)
        .from(verdicts)
        .where(inArray(verdicts.id, judged))
        .all()
        .map(({ id, at }) => [id, Date.parse(at)]),
    ),
    experiments: new Map(
      db
        .select(starts)
        .from(experiments)
        .where(inArray(experiments.id, begun))
        .all()
        .map(({ id, at }) => [id, at]),
    ),
  };
}

/** A fate as it was at an instant: what came later had not become of it yet. */
function fateAt(fate: Fate, made: Made, as_of_ms: number): Fate {
  const later = (at: number | undefined) => at !== undefined && at > as_of_ms;
  const experiment_id = "experiment_id" in fate ? fate.experiment_id : null;
  if (experiment_id !== null && later(made.experiments.get(experiment_id))) return { kind: "not_measured" };
  if (fate.kind !== "verdict" || !later(made.verdicts.get(fate.verdict_id))) return fate;
  if (experiment_id === null) return { kind: "not_measured" };
  return { kind: "queued", experiment_id, state: "running" };
}

function verdictOf(row: VerdictRow): WeekVerdict {
  return {
    id: row.id,
    created_at: row.createdAt,
    outcome: row.outcome,
    reason: row.reason,
    currency: row.currency,
    change_class: row.changeClass,
    change: row.change,
    baseline: row.baseline,
    candidate: row.candidate,
    predicted_metric: row.predictedMetric,
    prediction: row.prediction,
  };
}

function proposalOf({ id, created_at, reading, ...who }: Diagnosis, fate: Fate): WeekProposal {
  const proposal = "proposal" in reading ? reading.proposal : null;
  return {
    id,
    created_at,
    kind: reading.kind,
    subject: who.subject,
    provider: who.provider,
    model: who.model,
    scripted: who.scripted,
    change_class: proposal?.class ?? null,
    change: proposal?.change ?? null,
    metric: proposal?.metric ?? null,
    reason: "reason" in reading ? reading.reason : null,
    fate,
  };
}
