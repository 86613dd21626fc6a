import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { distinctScans } from "#lib/sources/distinct.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { answer, SESSION, user } from "./claude-code-lines.ts";

const top = mkdtempSync(path.join(os.tmpdir(), "mecha-distinct-"));
afterAll(() => rmSync(top, { recursive: true }));

const jsonl = (records: readonly object[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

function write(file: string, records: readonly object[]): void {
  mkdirSync(path.dirname(path.join(top, file)), { recursive: true });
  writeFileSync(path.join(top, file), jsonl(records));
}

const scanOf = (kind: "mecha" | "claude-code", place: string) =>
  scanRuns({ kind, place: path.join(top, place) });

describe("several stores of one kind", () => {
  test("a session copied from one to another counts once, and what went on in the copy counts", async () => {
    const old = [user("one"), answer()];
    write(`a/-p/${SESSION}.jsonl`, old);
    write(`b/-q/${SESSION}.jsonl`, [...old, user("two"), answer()]);
    const scans = [await scanOf("claude-code", "a"), await scanOf("claude-code", "b")];
    const [first, second] = distinctScans(scans);
    expect(first).toBe(scans[0]);
    expect(second?.runs.map(({ run }) => run)).toEqual([2]);
    expect(second?.coverage.runs_duplicate).toBe(1);
    expect(scans[1]?.runs.length).toBe(2);
    expect(scans[1]?.coverage.runs_duplicate).toBe(0);
  });

  test("mecha's own: the same rows of a copied session, not those of another one", async () => {
    const session = (id: string, turns: number) => [
      { record: "meta", id, created_at: "2026-08-05T09:15:00Z", provider: "p", model: "m", workspace: "/w" },
      { record: "outcome", turns },
      { record: "outcome", turns },
    ];
    write("c/one.jsonl", session("one", 1));
    cpSync(path.join(top, "c"), path.join(top, "d"), { recursive: true });
    write("d/two.jsonl", session("two", 1));
    write("e/one.jsonl", session("one", 2));
    const scans = [await scanOf("mecha", "c"), await scanOf("mecha", "d"), await scanOf("mecha", "e")];
    const distinct = distinctScans(scans);
    expect(distinct.map(({ runs }) => runs.length)).toEqual([2, 2, 2]);
    expect(distinct[1]?.runs.map(({ session_id }) => session_id)).toEqual(["two", "two"]);
    expect(distinct[2]).toBe(scans[2]);
  });
});
