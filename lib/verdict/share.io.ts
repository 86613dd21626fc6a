import { createHash, randomBytes } from "node:crypto";
import { and, desc, eq, gt, isNull, or } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { shareTokens, verdicts } from "#db/schema.ts";
import { type Parsed, UserError } from "#lib/errors.ts";
import { DAY_MS } from "#lib/time.ts";
import type { VerdictDocument } from "./document.ts";
import { storedDocument } from "./store.io.ts";

/** A link as its owner sees it: never with its token, which is shown once, when it is made. */
export type ShareLink = {
  id: number;
  verdictId: string;
  name: string;
  /** ms since the epoch. */
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  state: "open" | "expired" | "revoked";
};

export const SHARE_NAME_MAX = 80;

/** A name for a link: what is shown in its owner's list. */
export function parseShareName(text: string): Parsed<string> {
  const name = text.trim();
  if (name === "")
    return { ok: false, problem: "a link needs a name, so that it can be told from others later" };
  if (name.length > SHARE_NAME_MAX) {
    return { ok: false, problem: `a name has at most ${SHARE_NAME_MAX} characters` };
  }
  return { ok: true, value: name };
}

const DAYS: ReadonlyMap<string, number | null> = new Map([
  ["1", 1],
  ["7", 7],
  ["30", 30],
  ["365", 365],
  ["never", null],
]);

/** When a link made `now` (ms) ends that shall work for `days`; null for one that does not end. */
export function parseShareEnd(days: string, now: number): Parsed<number | null> {
  const known = DAYS.get(days);
  if (known === undefined) return { ok: false, problem: "how long the link works was not understood" };
  return { ok: true, value: known === null ? null : now + known * DAY_MS };
}

/**
 * Makes a link to one verdict: 128 random bits, of which only the hash is kept. `expiresAt` and `now` in ms. Throws a
 * UserError when there is no such verdict.
 */
export function makeShare(
  db: Db,
  share: { verdictId: string; name: string; expiresAt: number | null; now: number },
): { id: number; token: string } {
  const known = db.select({ id: verdicts.id }).from(verdicts).where(eq(verdicts.id, share.verdictId)).get();
  if (known === undefined) throw new UserError("not_found", `there is no verdict ${share.verdictId}`);
  const token = randomBytes(16).toString("base64url");
  const made = db
    .insert(shareTokens)
    .values({
      verdictId: share.verdictId,
      tokenSha256: hashOf(token),
      name: share.name,
      createdAt: share.now,
      expiresAt: share.expiresAt,
    })
    .returning({ id: shareTokens.id })
    .get();
  return { id: made.id, token };
}

/**
 * The verdict a token opens. A wrong, an expired and a revoked token answer alike, with null: whoever tries tokens
 * learns nothing from them.
 */
export function openShare(db: Db, token: string, now: number): VerdictDocument | null {
  // Looked up by its hash, so that the time the search takes says nothing about the token.
  const found = db
    .select({ id: verdicts.id, document: verdicts.document })
    .from(shareTokens)
    .innerJoin(verdicts, eq(verdicts.id, shareTokens.verdictId))
    .where(
      and(
        eq(shareTokens.tokenSha256, hashOf(token)),
        isNull(shareTokens.revokedAt),
        or(isNull(shareTokens.expiresAt), gt(shareTokens.expiresAt, now)),
      ),
    )
    .get();
  return found === undefined ? null : storedDocument(found.id, found.document);
}

/** Closes a link for good. Returns whether it was open to revoking; a second time changes nothing. */
export function revokeShare(db: Db, id: number, now: number): boolean {
  const done = db
    .update(shareTokens)
    .set({ revokedAt: now })
    .where(and(eq(shareTokens.id, id), isNull(shareTokens.revokedAt)))
    .run();
  return done.changes > 0;
}

/** The verdict and the name of a link, closed or not; null when there is none. */
export function findShare(db: Db, id: number): Pick<ShareLink, "verdictId" | "name"> | null {
  const columns = { verdictId: shareTokens.verdictId, name: shareTokens.name };
  return db.select(columns).from(shareTokens).where(eq(shareTokens.id, id)).get() ?? null;
}

/** All links to a verdict, newest first, closed ones included. */
export function listShares(db: Db, verdictId: string, now: number): ShareLink[] {
  const rows = db
    .select()
    .from(shareTokens)
    .where(eq(shareTokens.verdictId, verdictId))
    .orderBy(desc(shareTokens.createdAt), desc(shareTokens.id))
    .all();
  return rows.map(({ tokenSha256: _, ...row }) => ({ ...row, state: stateOf(row, now) }));
}

function stateOf(
  row: { expiresAt: number | null; revokedAt: number | null },
  now: number,
): ShareLink["state"] {
  if (row.revokedAt !== null) return "revoked";
  return row.expiresAt !== null && row.expiresAt <= now ? "expired" : "open";
}

function hashOf(token: string): string {
  return createHash("sha256").update(token, "utf8").digest("hex");
}
