import { appendFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { resumeJournal, startJournal } from "#lib/eval/journal.io.ts";
import { type JournalEntry, type JournalHead, journalLine, parseJournal } from "#lib/eval/journal.ts";
import type { CaseRun } from "#lib/eval/scorecard.ts";

const HEAD: JournalHead = {
  journal: "mecha.eval/1",
  started_at: "2026-08-05T09:00:00Z",
  plan_sha256: "ab",
  plan: { model: "m" },
  prediction: null,
};

function entry(id: string, run = 1, arm: JournalEntry["arm"] = ""): JournalEntry {
  const result: CaseRun = {
    ...{ id, run, passed: true, tags: ["t"], checks: [], turns: 1, elapsed_ms: 5, malformed_tool_args: 0 },
    ...{ unknown_tools: 0, tool_errors: 0, tool_denied: 0, tools_called: [], tool_calls: 0, usage: null },
    ...{ cost_usd: null, error: null, text: "done", stats: null, transcript: null },
  };
  return { arm, result, judge: null, clock_ms: 5 };
}

function scratch(): string {
  return path.join(mkdtempSync(path.join(tmpdir(), "mecha-journal-")), "r.json.journal.jsonl");
}

describe("a journal", () => {
  it("gives back what was added, once each", async () => {
    const file = scratch();
    const journal = await startJournal(file, HEAD);
    for (const one of [entry("a"), entry("b", 2), entry("a", 1, "b"), entry("a")]) journal.add(one);
    await journal.close();
    const again = await resumeJournal(file);
    expect(again.journal.head).toEqual(HEAD);
    expect(again.journal.entries).toEqual([entry("a"), entry("b", 2), entry("a", 1, "b")]);
    await again.file.close();
  });

  it.each([1, 7, 40])(
    "forgets a line that was being written when the program died, %i bytes of it",
    async (cut) => {
      const file = scratch();
      const journal = await startJournal(file, HEAD);
      journal.add(entry("a"));
      await journal.close();
      appendFileSync(file, journalLine(entry("b")).slice(0, cut));
      const again = await resumeJournal(file);
      expect(again.journal.torn).toBe(true);
      again.file.add(entry("c"));
      await again.file.close();
      const parsed = parseJournal(readFileSync(file, "utf8"), file);
      expect(parsed.ok && parsed.value.entries.map((one) => one.result.id)).toEqual(["a", "c"]);
    },
  );

  it("is not started over one that stands there: it may be the only copy of an hour's work", async () => {
    const file = scratch();
    await (await startJournal(file, HEAD)).close();
    await expect(startJournal(file, HEAD)).rejects.toThrow(/was not finished; go on with --resume/);
  });

  it("is damaged when a whole line in it cannot be read, and says which", () => {
    const text = `${journalLine(HEAD)}${journalLine(entry("a"))}{"arm":"x"}\n`;
    expect(parseJournal(text, "j")).toEqual({ ok: false, problem: "j:3: not the result of a case" });
    expect(parseJournal("{}\n", "j")).toEqual({
      ok: false,
      problem: "j:1: not the journal of an evaluation",
    });
  });

  it("that cannot be read is named", async () => {
    const file = scratch();
    await expect(resumeJournal(file)).rejects.toThrow(/there is no such file/);
    writeFileSync(file, Buffer.from([0xff, 0x0a]));
    await expect(resumeJournal(file)).rejects.toThrow(/not UTF-8/);
  });
});
