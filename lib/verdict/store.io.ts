import { and, desc, eq, getTableColumns, gte, lt, or } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { verdicts } from "#db/schema.ts";
import { UserError } from "#lib/errors.ts";
import { dispositionOf } from "#lib/gate/judge.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { verdictId } from "./assemble.ts";
import type { VerdictDocument } from "./document.ts";
import { parseDocument } from "./parse-document.ts";
import { documentText } from "./verify.ts";
import { reasonOf } from "./view.ts";

/** One line of a list of verdicts. */
export type VerdictRow = Omit<typeof verdicts.$inferSelect, "document">;

/**
 * Stores a verdict under its id. Storing it again changes nothing: the same id is the same bytes. `now` in ms.
 * Returns whether it was new.
 */
export function saveVerdict(db: Db, document: VerdictDocument, now: number): boolean {
  const { judgement, prediction, arms } = document;
  const written = db
    .insert(verdicts)
    .values({
      id: document.id,
      createdAt: document.created_at,
      storedAt: now,
      outcome: dispositionOf(judgement.disposition),
      reason: reasonOf(judgement),
      currency: document.currency,
      changeClass: prediction.change_class,
      change: prediction.change,
      prediction: judgement.prediction,
      predictedMetric: prediction.metric,
      baseline: arms.baseline.label,
      candidate: arms.candidate.label,
      document: documentText(document).trimEnd(),
    })
    .onConflictDoNothing()
    .run();
  return written.changes > 0;
}

/**
 * The verdict whose id is, or begins with, `prefix` (at least four digits). Throws a UserError when there is none, when
 * several fit, and when the stored document is no longer the one that was hashed.
 */
export function findVerdict(db: Db, prefix: string): VerdictDocument {
  if (!/^[0-9a-f]{4,64}$/.test(prefix)) {
    throw new UserError(
      "not_found",
      `${JSON.stringify(prefix)} is no verdict id: 4 to 64 hexadecimal digits`,
    );
  }
  // "g" comes after every hexadecimal digit.
  const found = db
    .select({ id: verdicts.id, document: verdicts.document })
    .from(verdicts)
    .where(and(gte(verdicts.id, prefix), lt(verdicts.id, `${prefix}g`)))
    .limit(2)
    .all();
  const [first, second] = found;
  if (first === undefined) throw new UserError("not_found", `there is no verdict ${prefix}`);
  if (second !== undefined)
    throw new UserError("not_found", `several verdicts begin with ${prefix}: write more of the id`);
  return storedDocument(first.id, first.document);
}

/** Verdicts, newest first. `before`: the last row of the page before. */
export function listVerdicts(
  db: Db,
  { limit, before }: { limit: number; before?: { createdAt: string; id: string } },
): VerdictRow[] {
  const { document: _, ...columns } = getTableColumns(verdicts);
  return db
    .select(columns)
    .from(verdicts)
    .where(
      before &&
        or(
          lt(verdicts.createdAt, before.createdAt),
          and(eq(verdicts.createdAt, before.createdAt), lt(verdicts.id, before.id)),
        ),
    )
    .orderBy(desc(verdicts.createdAt), desc(verdicts.id))
    .limit(limit)
    .all();
}

/** A stored text as the document it has to be: whoever edits the database does not edit a verdict. */
export function storedDocument(id: string, text: string): VerdictDocument {
  const value = parseJsonText(text);
  const parsed = value.ok ? parseDocument(value.value) : value;
  if (!parsed.ok || parsed.value.id !== id || verdictId(parsed.value) !== id) {
    throw new UserError(
      "bad_input",
      `the stored verdict ${id} is damaged: it is not the document of that id`,
    );
  }
  return parsed.value;
}
