import { and, desc, eq, gte, isNotNull } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { proposals, verdicts } from "#db/schema.ts";
import { sameChange } from "#lib/agent/same-change.ts";
import { COST_METRICS, type CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";

/** What a stored proposal predicts of a change. */
export type Proposed = {
  id: string;
  /** RFC 3339: when it was predicted. */
  created_at: string;
  metric: CostMetric;
  because: string | null;
  class: ChangeClass;
};

const PROPOSALS_MAX = 500;

/** The newest stored proposal of exactly this change that no verdict has measured since it was made; null: there is none. */
export function proposedFor(db: Db, change: string): Proposed | null {
  const rows = db
    .select({
      id: proposals.id,
      created_at: proposals.createdAt,
      change: proposals.change,
      metric: proposals.metric,
      because: proposals.rationale,
      class: proposals.changeClass,
    })
    .from(proposals)
    .where(and(eq(proposals.kind, "proposal"), isNotNull(proposals.metric)))
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .limit(PROPOSALS_MAX)
    .all();
  for (const { id, created_at, change: proposed, because, class: kind, ...row } of rows) {
    const metric = COST_METRICS.find((one) => one === row.metric);
    if (proposed === null || kind === null || metric === undefined || !sameChange(proposed, change)) continue;
    // An older proposal of the change was measured by whatever measured this one.
    return isMeasured(db, change, created_at) ? null : { id, created_at, metric, because, class: kind };
  }
  return null;
}

function isMeasured(db: Db, change: string, since: string): boolean {
  const later = db
    .select({ change: verdicts.change })
    .from(verdicts)
    .where(and(isNotNull(verdicts.change), gte(verdicts.createdAt, since)))
    .all();
  return later.some((verdict) => verdict.change !== null && sameChange(verdict.change, change));
}
