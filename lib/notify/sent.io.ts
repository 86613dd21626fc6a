import { and, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { notified } from "#db/schema.ts";
import { summaryOf } from "./message.ts";
import type { Known, Plan } from "./plan.ts";

/** What a target was told, the oldest first. */
export function knownOf(db: Db, target: string): Known[] {
  const { findingId, newSentAt, resolvedSentAt, summary } = notified;
  return db
    .select({ findingId, newSentAt, resolvedSentAt, summary })
    .from(notified)
    .where(eq(notified.target, target))
    .orderBy(newSentAt, findingId)
    .all();
}

/** Notes that a target was told all of a plan: the whole of it, or nothing when this fails. `now` in ms. */
export function noteSent(db: Db, target: string, { fresh, resolved }: Plan, now: number): void {
  immediate(db, () => {
    for (const { key, finding } of fresh) {
      const told = { newSentAt: now, resolvedSentAt: null, summary: summaryOf(finding.summary) };
      db.insert(notified)
        .values({ target, findingId: key, ...told })
        .onConflictDoUpdate({ target: [notified.target, notified.findingId], set: told })
        .run();
    }
    for (const { key } of resolved) {
      db.update(notified)
        .set({ resolvedSentAt: now })
        .where(and(eq(notified.target, target), eq(notified.findingId, key)))
        .run();
    }
  });
}
