import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/client.ts";
import { accessTokens, signIns } from "#db/schema.ts";
import { audited, listAudit, recordAudit } from "#lib/access/audit.io.ts";
import { SIGN_IN_MAX_MS, signedIn, signIn, signOut, sweepSignIns } from "#lib/access/sign-ins.io.ts";
import { addToken, countOpenTokens, listTokens, revokeToken, tokenByBearer } from "#lib/access/tokens.io.ts";

const NOW = Date.parse("2026-11-30T12:00:00Z");
const DAY = 86_400_000;

let folder: string;
let open: OpenDb;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "mecha-access-"));
  open = openDb(path.join(folder, "mecha.db"));
});
afterEach(() => {
  open.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Every byte of the database, its log included. */
const stored = () =>
  readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name)).toString("latin1"))
    .join();

describe("a token", () => {
  it("opens under its name, and stands nowhere in the database", () => {
    const token = addToken(open.db, "ada", NOW);
    expect(tokenByBearer(open.db, token, NOW)?.name).toBe("ada");
    expect(stored()).not.toContain(token.slice(6));
    expect(statSync(path.join(folder, "mecha.db")).mode & 0o777).toBe(0o600);
  });

  it("differs each time; nothing like it opens", () => {
    const [one, two] = [addToken(open.db, "a", NOW), addToken(open.db, "b", NOW)];
    expect(one).not.toBe(two);
    const last = one.endsWith("A") ? "E" : "A";
    for (const wrong of ["", "a", one.slice(6), `${one} `, `${one.slice(0, -1)}${last}`, one.toUpperCase()])
      expect(tokenByBearer(open.db, wrong, NOW)).toBeNull();
  });

  it("has a name of its own, which it keeps when it is revoked", () => {
    addToken(open.db, "ada", NOW);
    expect(() => addToken(open.db, "ada", NOW)).toThrow("there is a token of the name ada");
    revokeToken(open.db, "ada", NOW);
    expect(() => addToken(open.db, "ada", NOW)).toThrow("there was a token of the name ada");
    expect(() => addToken(open.db, "a b", NOW)).toThrow("1 to 64");
    expect(listTokens(open.db, NOW)).toHaveLength(1);
  });

  it("was last used to the minute", () => {
    const token = addToken(open.db, "ada", NOW);
    const usedAt = () => listTokens(open.db, NOW)[0]?.lastUsedAt;
    expect(usedAt()).toBeNull();
    for (const [at, used] of [
      [0, 0],
      [59_999, 0],
      [60_000, 60_000],
      [61_000, 60_000],
      // A clock that was set back far shows what it shows.
      [-DAY, -DAY],
    ] as const) {
      tokenByBearer(open.db, token, NOW + at);
      expect(usedAt()).toBe(NOW + used);
    }
  });

  it("ends when it is revoked, once, and every sign-in with it", () => {
    const [ada, bob] = [addToken(open.db, "ada", NOW), addToken(open.db, "bob", NOW)];
    const cookies = [signIn(open.db, ada, NOW), signIn(open.db, bob, NOW)].map((made) => made?.cookie ?? "");
    expect(countOpenTokens(open.db)).toBe(2);
    expect(listTokens(open.db, NOW).map(({ name, signIns }) => [name, signIns])).toEqual([
      ["ada", 1],
      ["bob", 1],
    ]);
    expect(revokeToken(open.db, "ada", NOW + 5)).toBe(true);
    expect(revokeToken(open.db, "ada", NOW + 6)).toBe(false);
    expect(() => revokeToken(open.db, "eve\n", NOW)).toThrow("there is no token eve\\u{a}");
    expect(countOpenTokens(open.db)).toBe(1);
    expect(tokenByBearer(open.db, ada, NOW + 5)).toBeNull();
    expect(signIn(open.db, ada, NOW + 5)).toBeNull();
    expect(cookies.map((cookie) => signedIn(open.db, cookie, NOW + 5)?.name)).toEqual([undefined, "bob"]);
    expect(listTokens(open.db, NOW)[0]).toMatchObject({ name: "ada", revokedAt: NOW + 5, signIns: 0 });
  });
});

describe("a sign-in", () => {
  const begin = () => {
    const made = signIn(open.db, addToken(open.db, "ada", NOW), NOW);
    return made?.cookie ?? "";
  };

  it("is known by its cookie, which stands nowhere in the database", () => {
    const cookie = begin();
    expect(signedIn(open.db, cookie, NOW)?.name).toBe("ada");
    expect(signedIn(open.db, `${cookie}x`, NOW)).toBeNull();
    expect(signedIn(open.db, "", NOW)).toBeNull();
    expect(stored()).not.toContain(cookie);
  });

  it("ends after 30 days without a visit", () => {
    const cookie = begin();
    expect(signedIn(open.db, cookie, NOW + 30 * DAY - 1)?.name).toBe("ada");
    const other = signIn(open.db, addToken(open.db, "bob", NOW), NOW)?.cookie ?? "";
    expect(signedIn(open.db, other, NOW + 30 * DAY)).toBeNull();
  });

  it("goes on with each visit, but not beyond its longest", () => {
    const cookie = begin();
    for (let day = 20; day < SIGN_IN_MAX_MS / DAY; day += 20)
      expect(signedIn(open.db, cookie, NOW + day * DAY)?.name).toBe("ada");
    expect(signedIn(open.db, cookie, NOW + SIGN_IN_MAX_MS - 1)?.name).toBe("ada");
    expect(signedIn(open.db, cookie, NOW + SIGN_IN_MAX_MS)).toBeNull();
  });

  it("is prolonged once a day, and not with every page", () => {
    const cookie = signIn(open.db, addToken(open.db, "ada", NOW), NOW)?.cookie ?? "";
    const ends = (hours: number) => {
      signedIn(open.db, cookie, NOW + hours * 3_600_000);
      return open.db.select({ at: signIns.expiresAt }).from(signIns).get()?.at;
    };
    expect([ends(1), ends(23), ends(25)]).toEqual([
      NOW + 30 * DAY,
      NOW + 30 * DAY,
      NOW + 30 * DAY + 25 * 3_600_000,
    ]);
  });

  it("is none where its token was revoked, whatever else stands there", () => {
    const cookie = signIn(open.db, addToken(open.db, "ada", NOW), NOW)?.cookie ?? "";
    open.db.update(accessTokens).set({ revokedAt: NOW }).run();
    expect(signedIn(open.db, cookie, NOW)).toBeNull();
  });

  it("ends when it is signed out of, and others stay", () => {
    const token = addToken(open.db, "ada", NOW);
    const [one, two] = [signIn(open.db, token, NOW), signIn(open.db, token, NOW)];
    signOut(open.db, one?.cookie ?? "");
    signOut(open.db, "no cookie");
    expect(signedIn(open.db, one?.cookie ?? "", NOW)).toBeNull();
    expect(signedIn(open.db, two?.cookie ?? "", NOW)?.name).toBe("ada");
  });

  it("is swept away once it has ended", () => {
    begin();
    expect(sweepSignIns(open.db, NOW + 30 * DAY - 1)).toBe(0);
    signIn(open.db, addToken(open.db, "bob", NOW), NOW + 40 * DAY);
    expect(sweepSignIns(open.db, NOW + 40 * DAY)).toBe(0);
    expect(listTokens(open.db, NOW).map(({ signIns }) => signIns)).toEqual([0, 1]);
  });
});

describe("the audit", () => {
  const entry = (subject: string) => ({
    at: NOW,
    who: "ada",
    action: "enqueue" as const,
    subject,
    detail: null,
  });

  it("is listed newest first, page by page, without a line lost or told twice", () => {
    for (let n = 0; n < 25; n++) recordAudit(open.db, entry(`e${n}`));
    const seen: string[] = [];
    let before: number | null = null;
    for (;;) {
      const rows = listAudit(open.db, { limit: 10, before });
      seen.push(...rows.map(({ subject }) => subject));
      if (rows.length < 10) break;
      before = rows.at(-1)?.id ?? null;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_none, n) => `e${24 - n}`));
  });

  it("stands or falls with the change", () => {
    const change = () => recordAudit(open.db, entry("the change"));
    expect(() =>
      audited(open.db, change, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(listAudit(open.db, { limit: 9 })).toEqual([]);
    expect(
      audited(
        open.db,
        () => 7,
        (n) => entry(`e${n}`),
      ),
    ).toBe(7);
    expect(
      audited(
        open.db,
        () => 8,
        () => null,
      ),
    ).toBe(8);
    expect(listAudit(open.db, { limit: 9 }).map(({ subject }) => subject)).toEqual(["e7"]);
  });

  it("says who made, revoked and used tokens, and nothing of what failed", () => {
    const token = addToken(open.db, "ada", NOW);
    signIn(open.db, token, NOW + 1);
    signIn(open.db, "wrong", NOW + 2);
    revokeToken(open.db, "ada", NOW + 3);
    revokeToken(open.db, "ada", NOW + 4);
    const lines = listAudit(open.db, { limit: 9 }).map(({ at, who, action, subject }) => [
      at - NOW,
      who,
      action,
      subject,
    ]);
    expect(lines).toEqual([
      [3, null, "revoke_token", "ada"],
      [1, "ada", "sign_in", "ada"],
      [0, null, "add_token", "ada"],
    ]);
    expect(stored()).not.toContain(token.slice(6));
  });

  it("keeps its size, whatever a name holds", () => {
    recordAudit(open.db, { ...entry("s".repeat(9999)), detail: "d".repeat(9999) });
    const [row] = listAudit(open.db, { limit: 1 });
    expect([row?.subject.length, row?.detail?.length]).toEqual([500, 500]);
  });
});
