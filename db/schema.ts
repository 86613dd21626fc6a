import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Verdicts as they were judged. The columns beside the document only serve lists; a page is drawn from the document. */
export const verdicts = sqliteTable(
  "verdicts",
  {
    /** SHA-256, hex, of the document's canonical JSON without its id. */
    id: text().primaryKey(),
    /** RFC 3339, from the document. */
    createdAt: text("created_at").notNull(),
    /** ms since the epoch. */
    storedAt: integer("stored_at").notNull(),
    outcome: text({ enum: ["accept", "propose", "reject"] }).notNull(),
    reason: text().notNull(),
    currency: text().notNull(),
    changeClass: text("change_class").notNull(),
    change: text(),
    /** "kept", "missed", "unknown"; null where nothing was predicted. */
    prediction: text(),
    predictedMetric: text("predicted_metric"),
    baseline: text().notNull(),
    candidate: text().notNull(),
    /** Canonical JSON, the id included. */
    document: text().notNull(),
  },
  (table) => [index("verdicts_by_time").on(table.createdAt, table.id)],
);

/** Links that open one verdict without anything else. The token itself is never stored. */
export const shareTokens = sqliteTable(
  "share_tokens",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    verdictId: text("verdict_id")
      .notNull()
      .references(() => verdicts.id, { onDelete: "cascade" }),
    /** SHA-256, hex, of the token. */
    tokenSha256: text("token_sha256").notNull().unique(),
    name: text().notNull(),
    /** ms since the epoch, as the next two. */
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [index("share_tokens_by_verdict").on(table.verdictId)],
);
