import { and, asc, gte, inArray, lte } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, proposals, verdicts } from "#db/schema.ts";
import { isoUtc } from "#lib/time.ts";
import type { Fate, Stored, WeekProposal, WeekVerdict } from "./stored.ts";
import type { Week } from "./week.ts";

/** Rows of one list; a week with more than these is no longer read row by row. */
const ROWS_MAX = 500;
const DAY = 86_400_000;

type VerdictRow = Omit<typeof verdicts.$inferSelect, "document" | "storedAt">;

/** The verdicts and proposals dated in a week, and what had become of the proposals by `as_of_ms`. */
export function readStored(db: Db, week: Week, as_of_ms: number): Stored {
  const reached = verdictsIn(db, week);
  const made = inside(rowsIn(db, week), week);
  const kept = made.slice(-ROWS_MAX);
  const fates = fatesOf(db, kept, as_of_ms);
  return {
    verdicts: reached.slice(-ROWS_MAX).map(verdictOf),
    verdicts_left_out: Math.max(0, reached.length - ROWS_MAX),
    proposals: kept.map((row) => proposalOf(row, fates)),
    proposals_left_out: made.length - kept.length,
  };
}

/** Stamps are compared as text with a day to spare, for they may name any offset; the exact bounds come after. */
function slack(column: typeof verdicts.createdAt | typeof proposals.createdAt, week: Week) {
  return and(gte(column, isoUtc(week.from_ms - DAY)), lte(column, isoUtc(week.until_ms + DAY)));
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

function rowsIn(db: Db, week: Week) {
  return db
    .select({
      id: proposals.id,
      createdAt: proposals.createdAt,
      kind: proposals.kind,
      subject: proposals.subject,
      provider: proposals.provider,
      model: proposals.model,
      scripted: proposals.scripted,
      changeClass: proposals.changeClass,
      change: proposals.change,
      metric: proposals.metric,
      reason: proposals.reason,
    })
    .from(proposals)
    .where(slack(proposals.createdAt, week))
    .orderBy(asc(proposals.createdAt), asc(proposals.id))
    .all();
}

type ProposalRow = ReturnType<typeof rowsIn>[number];
type Fates = Map<string, Fate>;

/** Of the experiments made from a proposal the newest tells. */
function fatesOf(db: Db, rows: readonly ProposalRow[], as_of_ms: number): Fates {
  const ids = rows.filter(({ kind }) => kind === "proposal").map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const made = db
    .select({
      id: experiments.id,
      proposalId: experiments.proposalId,
      state: experiments.state,
      finishedAt: experiments.finishedAt,
      verdictId: experiments.verdictId,
    })
    .from(experiments)
    .where(and(inArray(experiments.proposalId, ids), lte(experiments.createdAt, as_of_ms)))
    .orderBy(asc(experiments.createdAt), asc(experiments.id))
    .all();
  const named = made.flatMap(({ verdictId }) => verdictId ?? []);
  const reached = new Map(verdictsByIds(db, named).map((row) => [row.id, row]));
  const fates: Fates = new Map();
  for (const { id, proposalId, state, finishedAt, verdictId } of made) {
    if (proposalId === null) continue;
    const ended = finishedAt !== null && finishedAt <= as_of_ms;
    const verdict = verdictId === null || !ended ? undefined : reached.get(verdictId);
    // What ended later was still going then.
    fates.set(proposalId, fateOf(id, ended || finishedAt === null ? state : "running", verdict));
  }
  return fates;
}

function verdictsByIds(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db.select(VERDICT).from(verdicts).where(inArray(verdicts.id, ids)).all();
}

function fateOf(
  experiment_id: string,
  state: (typeof experiments.$inferSelect)["state"],
  verdict: VerdictRow | undefined,
): Fate {
  if (verdict !== undefined) {
    const { id, outcome, prediction } = verdict;
    return { state: "measured", experiment_id, verdict: { id, outcome, prediction } };
  }
  return { state: state === "done" ? "failed" : state, experiment_id, verdict: null };
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

const NOT_MEASURED: Fate = { state: "not_measured", experiment_id: null, verdict: null };

function proposalOf(row: ProposalRow, fates: Fates): WeekProposal {
  return {
    id: row.id,
    created_at: row.createdAt,
    kind: row.kind,
    subject: row.subject,
    provider: row.provider,
    model: row.model,
    scripted: row.scripted,
    change_class: row.changeClass,
    change: row.change,
    metric: row.metric,
    reason: row.reason,
    fate: row.kind === "proposal" ? (fates.get(row.id) ?? NOT_MEASURED) : null,
  };
}
