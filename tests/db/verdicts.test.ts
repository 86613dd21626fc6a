import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, type OpenDb, openDb } from "#db/client.ts";
import { shareTokens, verdicts } from "#db/schema.ts";
import {
  listShares,
  makeShare,
  openShare,
  parseShareEnd,
  parseShareName,
  revokeShare,
} from "#lib/verdict/share.io.ts";
import { findVerdict, listVerdicts, saveVerdict } from "#lib/verdict/store.io.ts";
import { aDocument, richDocument } from "../unit/verdict/raw.ts";

let folder: string;
let opened: OpenDb;
let db: Db;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "verdicts-"));
  opened = openDb(path.join(folder, "mecha.db"));
  db = opened.db;
});
afterEach(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

describe("stored verdicts", () => {
  it("come back as they were, by id and by the beginning of it", () => {
    const document = richDocument();
    expect(saveVerdict(db, document, 1)).toBe(true);
    expect(findVerdict(db, document.id)).toEqual(document);
    expect(findVerdict(db, document.id.slice(0, 8))).toEqual(document);
  });

  it("are stored once, and never change", () => {
    const document = aDocument("++++++++", "====");
    expect([saveVerdict(db, document, 1), saveVerdict(db, document, 2)]).toEqual([true, false]);
    expect(listVerdicts(db, { limit: 5 })).toMatchObject([
      { id: document.id, storedAt: 1, outcome: "accept" },
    ]);
  });

  it("are not found by what is no id, by nothing, or by what fits several", () => {
    const many = Array.from({ length: 3000 }, (_, i) => aDocument("+", "", { made_by: `${i}` }));
    const seen = new Map<string, number>();
    for (const document of many)
      seen.set(document.id.slice(0, 4), (seen.get(document.id.slice(0, 4)) ?? 0) + 1);
    db.transaction((tx) => {
      for (const document of many) saveVerdict(tx as unknown as Db, document, 1);
    });
    const shared = [...seen].find(([, n]) => n > 1)?.[0] ?? "";
    expect(() => findVerdict(db, shared)).toThrow(/several verdicts begin with/);
    expect(() => findVerdict(db, "abc")).toThrow(/no verdict id/);
    expect(() => findVerdict(db, "%")).toThrow(/no verdict id/);
    expect(() => findVerdict(db, "f".repeat(64))).toThrow(/there is no verdict/);
  });

  it("that somebody edited in the database are refused, not shown", () => {
    const document = aDocument("++++++++", "====");
    saveVerdict(db, document, 1);
    const row = db.select().from(verdicts).get();
    const forged = row?.document.replace('"wins":8', '"wins":9') ?? "";
    expect(forged).not.toBe(row?.document);
    for (const text of [forged, row?.document.slice(0, -9) ?? ""]) {
      db.update(verdicts).set({ document: text }).run();
      expect(() => findVerdict(db, document.id)).toThrow(/damaged/);
    }
  });

  it("are listed newest first, page by page", () => {
    const documents = [1, 2, 3, 3, 2].map((day, i) =>
      aDocument("++++++++", "====", { created_at: `2026-11-0${day}T00:00:00Z`, made_by: `${i}` }),
    );
    for (const document of documents) saveVerdict(db, document, 1);
    const pages: string[] = [];
    let before: { createdAt: string; id: string } | undefined;
    for (let page = 0; page < 4; page++) {
      const rows = listVerdicts(db, before ? { limit: 2, before } : { limit: 2 });
      pages.push(...rows.map((row) => row.id));
      before = rows.at(-1) ?? before;
    }
    expect(new Set(pages).size).toBe(5);
    const days = pages.map((id) => documents.find((one) => one.id === id)?.created_at.slice(8, 10));
    expect(days).toEqual(["03", "03", "02", "02", "01"]);
  });
});

describe("share links", () => {
  const share = (parts: { expiresAt?: number | null; now?: number } = {}) => {
    const document = richDocument();
    saveVerdict(db, document, 1);
    const made = makeShare(db, {
      verdictId: document.id,
      name: "for Ada",
      expiresAt: null,
      now: 1000,
      ...parts,
    });
    return { document, ...made };
  };

  it("open their one verdict with 128 random bits that are nowhere stored", () => {
    const { document, token } = share();
    expect(Buffer.from(token, "base64url")).toHaveLength(16);
    expect(openShare(db, token, 2000)).toEqual(document);
    expect(JSON.stringify(db.select().from(shareTokens).all())).not.toContain(token);
    expect(share().token).not.toBe(token);
  });

  it("answer alike when wrong, expired or revoked", () => {
    const wrong = openShare(db, "AAAAAAAAAAAAAAAAAAAAAA", 1);
    const late = share({ expiresAt: 5000 });
    expect(openShare(db, late.token, 4999)).not.toBeNull();
    const expired = openShare(db, late.token, 5000);
    const gone = share();
    expect([revokeShare(db, gone.id, 3000), revokeShare(db, gone.id, 4000)]).toEqual([true, false]);
    expect([wrong, expired, openShare(db, gone.token, 3001)]).toEqual([null, null, null]);
    for (const token of ["", "'--", "\0", "x".repeat(100_000)]) expect(openShare(db, token, 1)).toBeNull();
  });

  it("are listed for their owner with their state, closed ones too", () => {
    const { document, id } = share({ now: 1 });
    const second = share({ now: 2, expiresAt: 10 });
    const third = share({ now: 3 });
    revokeShare(db, id, 5);
    expect(listShares(db, document.id, 20)).toEqual([
      {
        id: third.id,
        verdictId: document.id,
        name: "for Ada",
        createdAt: 3,
        expiresAt: null,
        revokedAt: null,
        state: "open",
      },
      {
        id: second.id,
        verdictId: document.id,
        name: "for Ada",
        createdAt: 2,
        expiresAt: 10,
        revokedAt: null,
        state: "expired",
      },
      {
        id,
        verdictId: document.id,
        name: "for Ada",
        createdAt: 1,
        expiresAt: null,
        revokedAt: 5,
        state: "revoked",
      },
    ]);
    expect(revokeShare(db, 999, 5)).toBe(false);
  });

  it("go with their verdict", () => {
    const { document, token } = share();
    db.delete(verdicts).where(eq(verdicts.id, document.id)).run();
    expect(db.select().from(shareTokens).all()).toEqual([]);
    expect(openShare(db, token, 1)).toBeNull();
  });

  it("need a verdict and a name", () => {
    expect(() => makeShare(db, { verdictId: "0".repeat(64), name: "x", expiresAt: null, now: 1 })).toThrow(
      /there is no verdict/,
    );
    expect(parseShareName("  for Ada ")).toEqual({ ok: true, value: "for Ada" });
    expect(parseShareName(" ").ok).toBe(false);
    expect(parseShareName("x".repeat(81)).ok).toBe(false);
  });

  it("end when they were said to: what was not offered makes no link without an end", () => {
    expect(parseShareEnd("7", 1000)).toEqual({ ok: true, value: 1000 + 7 * 86_400_000 });
    expect(parseShareEnd("never", 1000)).toEqual({ ok: true, value: null });
    for (const days of ["", "2", "__proto__", "constructor"]) expect(parseShareEnd(days, 1).ok).toBe(false);
  });
});
