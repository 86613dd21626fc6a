import { index, integer, primaryKey, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

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

/** What a diagnosis came to, whatever it was. Nothing of it is changed later; what became of it is read from verdicts. */
export const proposals = sqliteTable(
  "proposals",
  {
    /** UUID. */
    id: text().primaryKey(),
    /** RFC 3339. */
    createdAt: text("created_at").notNull(),
    /** `proposal`; or why there is none. */
    kind: text({ enum: ["proposal", "declined", "refused", "unparsable", "failed"] }).notNull(),
    /** The model whose runs were looked at. */
    subject: text().notNull(),
    /** Who looked. */
    provider: text().notNull(),
    model: text().notNull(),
    /** Of a proposal, and of a refused one as far as it could be read. */
    changeClass: text("change_class", { enum: ["config", "prose", "architecture", "security"] }),
    change: text(),
    metric: text(),
    rationale: text(),
    /** Why it was refused, not understood, or failed; one sentence. */
    reason: text(),
    /** JSON list of words; null where no command belongs to it. */
    command: text(),
    /** All that the model was told, and all that it answered. */
    brief: text().notNull(),
    reply: text().notNull(),
    /** JSON: days, limit, as_of. */
    window: text().notNull(),
    /** JSON: the four token counts; null = unknown. */
    usage: text(),
    costUsd: real("cost_usd"),
    elapsedMs: integer("elapsed_ms").notNull(),
    /** Played by a script: no model's opinion. */
    scripted: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [index("proposals_by_time").on(table.createdAt, table.id)],
);

/** A comparison of two arms that was asked for: its prediction stands before anything is measured, and never changes. */
export const experiments = sqliteTable(
  "experiments",
  {
    /** UUID. */
    id: text().primaryKey(),
    /** ms since the epoch, as the other times here. */
    createdAt: integer("created_at").notNull(),
    /** Name of the access token; null on a machine without tokens. */
    createdBy: text("created_by"),
    /** The proposal it was made from. */
    proposalId: text("proposal_id").references(() => proposals.id),
    /** What is changed: `max_turns=40`. */
    change: text().notNull(),
    changeClass: text("change_class", { enum: ["config", "prose", "architecture", "security"] }).notNull(),
    /** The predicted counter; null: case passes are judged and nothing was predicted. */
    metric: text(),
    rationale: text(),
    holdoutIn: integer("holdout_in").notNull(),
    /** JSON: everything that was asked for, as the command line would have it. */
    request: text().notNull(),
    /** SHA-256 of what is measured; filled when the first worker has prepared it, and checked by every later one. */
    planSha256: text("plan_sha256"),
    state: text({ enum: ["queued", "running", "done", "failed", "cancelled"] }).notNull(),
    /** Case runs over both arms; null until prepared. */
    jobs: integer(),
    /** Of a failed one. */
    problem: text(),
    startedAt: integer("started_at"),
    finishedAt: integer("finished_at"),
    verdictId: text("verdict_id").references(() => verdicts.id),
  },
  (table) => [index("experiments_by_time").on(table.createdAt, table.id)],
);

/** Work for a worker. A claim is a lease: whoever holds the token of the newest one may finish the job. */
export const jobs = sqliteTable(
  "jobs",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    kind: text({ enum: ["prepare", "case_run", "judge", "diagnose"] }).notNull(),
    experimentId: text("experiment_id").references(() => experiments.id, { onDelete: "cascade" }),
    /** `a` or `b`, with the two below: which case run it is. Empty and 0 for other kinds. */
    arm: text().notNull(),
    caseId: text("case_id").notNull(),
    run: integer().notNull(),
    /** JSON, by kind. */
    payload: text().notNull(),
    state: text({ enum: ["queued", "running", "done", "failed", "cancelled"] }).notNull(),
    attempts: integer().notNull(),
    attemptsMax: integer("attempts_max").notNull(),
    /** Not before: ms since the epoch, as the other times here. */
    runAfter: integer("run_after").notNull(),
    leaseToken: text("lease_token"),
    leaseUntil: integer("lease_until"),
    problem: text(),
    createdAt: integer("created_at").notNull(),
    finishedAt: integer("finished_at"),
  },
  (table) => [
    unique("jobs_once").on(table.experimentId, table.kind, table.arm, table.caseId, table.run),
    index("jobs_to_claim").on(table.state, table.runAfter, table.id),
  ],
);

/** One finished case run of an experiment, at most once. */
export const caseResults = sqliteTable(
  "case_results",
  {
    experimentId: text("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    arm: text().notNull(),
    caseId: text("case_id").notNull(),
    run: integer().notNull(),
    passed: integer({ mode: "boolean" }).notNull(),
    errored: integer({ mode: "boolean" }).notNull(),
    /** JSON: the run as reports hold it. */
    result: text().notNull(),
    finishedAt: integer("finished_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.experimentId, table.arm, table.caseId, table.run] })],
);

/** What a worker said of an experiment. Bounded: the oldest lines go first. */
export const experimentLog = sqliteTable(
  "experiment_log",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    experimentId: text("experiment_id")
      .notNull()
      .references(() => experiments.id, { onDelete: "cascade" }),
    at: integer().notNull(),
    line: text().notNull(),
  },
  (table) => [index("experiment_log_by_experiment").on(table.experimentId, table.id)],
);

/** Named access to a dashboard that others can reach. The token itself is never stored. */
export const accessTokens = sqliteTable("access_tokens", {
  id: integer().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
  /** SHA-256, hex. */
  tokenSha256: text("token_sha256").notNull().unique(),
  /** ms since the epoch, as the next two. */
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
  revokedAt: integer("revoked_at"),
});

/** A browser that signed in with a token; ends with it. */
export const signIns = sqliteTable("sign_ins", {
  /** SHA-256, hex, of the cookie. */
  cookieSha256: text("cookie_sha256").primaryKey(),
  tokenId: integer("token_id")
    .notNull()
    .references(() => accessTokens.id, { onDelete: "cascade" }),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Who changed something. Only ever added to. */
export const audit = sqliteTable(
  "audit",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    /** Name of the access token; null on a machine without tokens. */
    who: text(),
    action: text({
      enum: [
        "enqueue",
        "cancel",
        "retry",
        "diagnose",
        "share",
        "revoke_share",
        "add_token",
        "revoke_token",
        "sign_in",
      ],
    }).notNull(),
    /** What it was done to: an id. */
    subject: text().notNull(),
    detail: text(),
  },
  (table) => [index("audit_by_time").on(table.at, table.id)],
);

/** Findings that were sent somewhere, so that each is sent once when it comes and once when it is gone. */
export const notified = sqliteTable(
  "notified",
  {
    /** SHA-256, hex, of the address: the address itself may be a secret. */
    target: text().notNull(),
    findingId: text("finding_id").notNull(),
    /** ms since the epoch; null: not yet. */
    newSentAt: integer("new_sent_at"),
    resolvedSentAt: integer("resolved_sent_at"),
    /** The sentence that was sent, for the message that says it is gone. */
    summary: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.target, table.findingId] })],
);
