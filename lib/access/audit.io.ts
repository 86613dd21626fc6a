import { desc, lt } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { audit } from "#db/schema.ts";
import { startOf } from "#lib/utf8.ts";

export type AuditAction = (typeof audit.$inferSelect)["action"];

export type AuditEntry = {
  /** ms since the epoch. */
  at: number;
  /** Name of the access token; null where nobody had to sign in, and for the command line. */
  who: string | null;
  action: AuditAction;
  /** What it was done to: an id, or a token's name. */
  subject: string;
  detail: string | null;
};

export type AuditRow = AuditEntry & { id: number };

/** Texts of strangers may become a detail; the list keeps its size. */
const TEXT_MAX = 500;

/** Adds a line to the audit. Call it in the transaction of the change, so that neither stands without the other. */
export function recordAudit(db: Db, entry: AuditEntry): void {
  const { at, who, action, subject, detail } = entry;
  const row = {
    at,
    who,
    action,
    subject: startOf(subject, TEXT_MAX),
    detail: detail === null ? null : startOf(detail, TEXT_MAX),
  };
  db.insert(audit).values(row).run();
}

/**
 * Runs a change and its line of the audit in one transaction. `entryOf` is given what came of the change and says what
 * is written; null where nothing was changed. Neither may await: a transaction of this database ends with it.
 */
export function audited<T>(db: Db, change: () => T, entryOf: (result: T) => AuditEntry | null): T {
  return immediate(db, () => {
    const result = change();
    const entry = entryOf(result);
    if (entry !== null) recordAudit(db, entry);
    return result;
  });
}

/** The newest lines, at most `limit`, of those older than the line `before`. In the order in which they were written. */
export function listAudit(
  db: Db,
  { limit, before = null }: { limit: number; before?: number | null },
): AuditRow[] {
  return db
    .select()
    .from(audit)
    .where(before === null ? undefined : lt(audit.id, before))
    .orderBy(desc(audit.id))
    .limit(limit)
    .all();
}
