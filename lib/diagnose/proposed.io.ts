import { desc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { proposals } from "#db/schema.ts";
import { changeKey } from "#lib/agent/change-key.ts";
import type { Diagnosis, Proposal } from "./proposal.ts";
import { diagnosisById, fatesOf } from "./proposals.io.ts";

/** A stored proposal of a change. */
export type Proposed = Pick<Diagnosis, "id" | "created_at"> & { proposal: Proposal };

const PROPOSALS_MAX = 500;

/** The newest stored proposal of exactly this change, as long as no verdict has measured it; null: there is none. */
export function proposedFor(db: Db, change: string): Proposed | null {
  const key = changeKey(change);
  const newest = db
    .select({ id: proposals.id, change: proposals.change })
    .from(proposals)
    .where(eq(proposals.kind, "proposal"))
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .limit(PROPOSALS_MAX)
    .all()
    .find((row) => row.change !== null && changeKey(row.change) === key);
  const diagnosis = newest === undefined ? null : diagnosisById(db, newest.id);
  if (diagnosis?.reading.kind !== "proposal") return null;
  // An older proposal of the change was measured by whatever measured this one.
  const [fate] = fatesOf(db, [diagnosis]);
  if (fate?.kind === "verdict") return null;
  return { id: diagnosis.id, created_at: diagnosis.created_at, proposal: diagnosis.reading.proposal };
}
