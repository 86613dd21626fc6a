import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createCardMemo } from "#lib/eval/card-memo.io.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { aCard } from "./cards.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "mecha-memo-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, marks: string): number {
  const file = path.join(folder, name);
  writeFileSync(file, writeReport(aCard(name, { a: marks }).report));
  return statSync(file).size;
}

describe("the memory of cards", () => {
  it("gives the same card as long as its file is the same, and a new one after", async () => {
    const memo = createCardMemo();
    write("one.json", "✓");
    const first = await memo.load([folder], "one.json");
    expect(await memo.load([folder], "one.json")).toBe(first);
    write("one.json", "✓✗");
    const second = await memo.load([folder], "one.json");
    expect(second).not.toBe(first);
    expect(second.ok && second.value.report.runs).toHaveLength(2);
  });

  it("reads once what is asked for twice at the same time", async () => {
    const memo = createCardMemo();
    write("two.json", "✓");
    const [a, b] = await Promise.all([memo.load([folder], "two.json"), memo.load([folder], "two.json")]);
    expect(a).toBe(b);
  });

  it("lets the longest unused go when there are too many, but never the newest", async () => {
    const bytes = write("a.json", "✓");
    write("b.json", "✓");
    write("c.json", "✓");
    const memo = createCardMemo(2 * bytes);
    const [a, b] = [await memo.load([folder], "a.json"), await memo.load([folder], "b.json")];
    expect(await memo.load([folder], "a.json")).toBe(a);
    await memo.load([folder], "c.json");
    expect(await memo.load([folder], "a.json")).toBe(a);
    expect(await memo.load([folder], "b.json")).not.toBe(b);
    const tiny = createCardMemo(1);
    expect(await tiny.load([folder], "a.json")).toBe(await tiny.load([folder], "a.json"));
  });

  it("says what is not there, and leads nowhere outside the folders", async () => {
    const memo = createCardMemo();
    for (const name of ["nobody.json", "../x.json", "/etc/passwd", "x\0.json", ""]) {
      const answer = await memo.load([folder], name);
      expect(answer.ok ? "loaded" : answer.problem).toContain("no results folder holds");
    }
  });
});
