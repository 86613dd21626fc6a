import { randomBytes, timingSafeEqual } from "node:crypto";
import { and, asc, count, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { accessTokens, signIns } from "#db/schema.ts";
import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { recordAudit } from "./audit.io.ts";
import { looksLikeToken, parseTokenName, SECRET_BYTES, secretHash, tokenText } from "./token.ts";

/** A token as its owner sees it: never with its secret, which is shown once, when it is made. */
export type AccessToken = {
  name: string;
  /** ms since the epoch, as the next two. */
  createdAt: number;
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** Browsers that are signed in with it. */
  signIns: number;
};

/** Who a valid secret belongs to. */
export type TokenHolder = { id: number; name: string };

/** "When was it last used" is told to the minute: a write for each request would cost more than it says. */
const USED_STEP_MS = 60_000;

/**
 * Makes a token. Gives its secret, of which only the hash is kept. Throws a UserError for a name that is none or that
 * is taken; a revoked one keeps its name, so that the audit never means two tokens by one word.
 */
export function addToken(db: Db, name: string, now: number): string {
  const parsed = parseTokenName(name);
  if (!parsed.ok) throw new UserError("usage", parsed.problem);
  const token = tokenText(randomBytes(SECRET_BYTES));
  immediate(db, () => {
    const taken = db.select().from(accessTokens).where(eq(accessTokens.name, name)).get();
    if (taken !== undefined) {
      const state = taken.revokedAt === null ? "there is" : "there was";
      throw new UserError("bad_input", `${state} a token of the name ${name}: take another name`);
    }
    db.insert(accessTokens)
      .values({ name, tokenSha256: secretHash(token), createdAt: now })
      .run();
    recordAudit(db, { at: now, who: null, action: "add_token", subject: name, detail: null });
  });
  return token;
}

/** All tokens by their names, revoked ones included. */
export function listTokens(db: Db, now: number): AccessToken[] {
  return db
    .select({
      name: accessTokens.name,
      createdAt: accessTokens.createdAt,
      lastUsedAt: accessTokens.lastUsedAt,
      revokedAt: accessTokens.revokedAt,
      signIns: count(signIns.cookieSha256),
    })
    .from(accessTokens)
    .leftJoin(signIns, and(eq(signIns.tokenId, accessTokens.id), gt(signIns.expiresAt, now)))
    .groupBy(accessTokens.id)
    .orderBy(asc(accessTokens.name))
    .all();
}

/** How many tokens open the dashboard. */
export function countOpenTokens(db: Db): number {
  const open = db.select({ n: count() }).from(accessTokens).where(isNull(accessTokens.revokedAt)).get();
  return open?.n ?? 0;
}

/**
 * Ends a token for good, and every browser's sign-in with it. Returns whether it was open until now. Throws a
 * UserError when there never was one of that name.
 */
export function revokeToken(db: Db, name: string, now: number): boolean {
  return immediate(db, () => {
    const token = db.select().from(accessTokens).where(eq(accessTokens.name, name)).get();
    if (token === undefined) throw new UserError("not_found", `there is no token ${visible(name)}`);
    if (token.revokedAt !== null) return false;
    db.update(accessTokens).set({ revokedAt: now }).where(eq(accessTokens.id, token.id)).run();
    db.delete(signIns).where(eq(signIns.tokenId, token.id)).run();
    recordAudit(db, { at: now, who: null, action: "revoke_token", subject: name, detail: null });
    return true;
  });
}

/** Who a token belongs to; null for a wrong and a revoked one alike. */
export function tokenByBearer(db: Db, secret: string, now: number): TokenHolder | null {
  if (!looksLikeToken(secret)) return null;
  const hash = secretHash(secret);
  // Found by its hash: the time that the search takes says nothing about the secret. Compared once more without a hurry.
  const found = db
    .select()
    .from(accessTokens)
    .where(and(eq(accessTokens.tokenSha256, hash), isNull(accessTokens.revokedAt)))
    .get();
  if (found === undefined || !sameHash(found.tokenSha256, hash)) return null;
  noteUse(db, found, now);
  return { id: found.id, name: found.name };
}

/** Writes down, at most once a minute, that a token was used `now`. */
export function noteUse(db: Db, token: { id: number; lastUsedAt: number | null }, now: number): void {
  if (token.lastUsedAt !== null && Math.abs(now - token.lastUsedAt) < USED_STEP_MS) return;
  db.update(accessTokens).set({ lastUsedAt: now }).where(eq(accessTokens.id, token.id)).run();
}

function sameHash(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a, "hex"), Buffer.from(b, "hex")];
  return one.length === other.length && timingSafeEqual(one, other);
}
