import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, lte } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { accessTokens, signIns } from "#db/schema.ts";
import { DAY_MS } from "#lib/time.ts";
import { recordAudit } from "./audit.io.ts";
import { SECRET_BYTES, secretHash } from "./token.ts";
import { noteUse, type TokenHolder, tokenByBearer } from "./tokens.io.ts";

/** A browser that has not come for so long signs in again. */
const IDLE_MS = 30 * DAY_MS;
/** And so does every browser after so long, however often it comes. */
export const SIGN_IN_MAX_MS = 90 * DAY_MS;

/**
 * Signs a browser in with a token. Gives the secret for its cookie, of which only the hash is kept; null for a wrong
 * and a revoked token alike. Sign-ins that have ended are swept away on the way.
 */
export function signIn(db: Db, token: string, now: number): { cookie: string; name: string } | null {
  const cookie = randomBytes(SECRET_BYTES).toString("base64url");
  return immediate(db, () => {
    const holder = tokenByBearer(db, token, now);
    if (holder === null) return null;
    sweepSignIns(db, now);
    db.insert(signIns)
      .values({
        cookieSha256: secretHash(cookie),
        tokenId: holder.id,
        createdAt: now,
        expiresAt: now + IDLE_MS,
      })
      .run();
    recordAudit(db, { at: now, who: holder.name, action: "sign_in", subject: holder.name, detail: null });
    return { cookie, name: holder.name };
  });
}

/** Who a cookie belongs to; null for one that is wrong, has ended, or whose token was revoked. */
export function signedIn(db: Db, cookie: string, now: number): TokenHolder | null {
  const found = db
    .select({ signIn: signIns, token: accessTokens })
    .from(signIns)
    .innerJoin(accessTokens, eq(accessTokens.id, signIns.tokenId))
    .where(
      and(
        eq(signIns.cookieSha256, secretHash(cookie)),
        gt(signIns.expiresAt, now),
        isNull(accessTokens.revokedAt),
      ),
    )
    .get();
  if (found === undefined) return null;
  prolong(db, found.signIn, now);
  noteUse(db, found.token, now);
  return { id: found.token.id, name: found.token.name };
}

/** Ends a sign-in; one that has ended stays so. */
export function signOut(db: Db, cookie: string): void {
  db.delete(signIns)
    .where(eq(signIns.cookieSha256, secretHash(cookie)))
    .run();
}

/** Takes away sign-ins that have ended. Returns how many. */
export function sweepSignIns(db: Db, now: number): number {
  return db.delete(signIns).where(lte(signIns.expiresAt, now)).run().changes;
}

/** Once a day is enough: a write for each page would make readers wait for each other. */
function prolong(db: Db, one: typeof signIns.$inferSelect, now: number): void {
  const until = Math.min(now + IDLE_MS, one.createdAt + SIGN_IN_MAX_MS);
  if (until - one.expiresAt < DAY_MS) return;
  db.update(signIns).set({ expiresAt: until }).where(eq(signIns.cookieSha256, one.cookieSha256)).run();
}
