import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/sources/adapter.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { Limits } from "#lib/sources/source.ts";
import { answer, apiError, calls, result, SESSION, user } from "./claude-code-lines.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "mecha-claude-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

const jsonl = (...records: JsonObject[]) => records.map((one) => `${JSON.stringify(one)}\n`).join("");

/** Scans a store of these files and gives what was counted; coverage keys that are 0 are left out. */
async function scanned(files: Record<string, string | Buffer>, limits: Partial<Limits> = {}) {
  const place = path.join(folder, String(++made));
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(place, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const scan = await scanRuns({ kind: "claude-code", place }, limits);
  const coverage = Object.fromEntries(Object.entries(scan.coverage).filter(([, count]) => count > 0));
  const runs = scan.runs.map((row) => `${row.session_id} ${row.run}${row.subagent ? " sub" : ""}`).sort();
  return { ...scan, coverage, runs, rows: scan.runs };
}

const other = "11111111-2222-4333-8444-555555555555";

describe("a store", () => {
  test("sessions, sub-agents in all three places, and what is no transcript", async () => {
    const agent = (id: string) =>
      jsonl(...[user("job"), answer()].map((one) => ({ ...one, isSidechain: true, agentId: id })));
    const { sessions, runs, coverage } = await scanned({
      [`-p/${SESSION}.jsonl`]: jsonl(user("hi"), answer()),
      "-p/agent-a1.jsonl": agent("a1"),
      [`-p/${SESSION}/subagents/agent-b2.jsonl`]: agent("b2"),
      [`-p/${SESSION}/subagents/workflows/w/agent-c3.jsonl`]: agent("c3"),
      [`-p/${SESSION}/subagents/workflows/w/journal.jsonl`]: jsonl({ type: "started" }),
      [`-p/${SESSION}/tool-results/out.jsonl`]: "{}\n",
      "-p/memory/notes.md": "x",
      // As macOS leaves them beside each file, on a disk that is not its own.
      [`-p/._${SESSION}.jsonl`]: "\0\x05\x16\x07\0\x02\0\0Mac OS X",
      [`-p/${SESSION}/subagents/._agent-b2.jsonl`]: "\0\x05\x16\x07",
    });
    expect(runs).toEqual([`${SESSION} 1`, "agent-a1 1 sub", "agent-b2 1 sub", "agent-c3 1 sub"]);
    expect(coverage).toEqual({ sessions_read: 4 });
    const agents = sessions.filter((head) => head.subagent);
    expect(agents.map((head) => head.parent_id)).toEqual([SESSION, SESSION, SESSION]);
  });

  test("a session at two lengths counts once, with the longer file's runs", async () => {
    const start = [user("one"), answer(), user("two"), calls(["a"])];
    const early = jsonl(...start);
    const late = jsonl(...start, result("a"), answer(), user("three"), apiError());
    const { runs, coverage } = await scanned({ "early.jsonl": early, [`-p/${SESSION}.jsonl`]: late });
    expect(runs).toEqual([`${SESSION} 1`, `${SESSION} 2`]);
    expect(coverage).toEqual({ sessions_read: 2, runs_duplicate: 2, runs_provider_error: 1 });
  });

  test("a resumed session's copy of another one counts once, and its own runs to itself", async () => {
    const first = [user("one", { sessionId: other }), answer("x", { rest: { sessionId: other } })];
    const { runs, coverage } = await scanned({
      [`-p/${other}.jsonl`]: jsonl(...first),
      [`-p/${SESSION}.jsonl`]: jsonl(...first, user("two"), answer()),
    });
    expect(runs).toEqual([`${SESSION} 2`, `${other} 1`]);
    expect(coverage).toEqual({ sessions_read: 2, runs_duplicate: 1 });
  });

  test("an unfinished run and a provider's error are counted, not listed", async () => {
    const { runs, coverage } = await scanned({
      [`-p/${SESSION}.jsonl`]: jsonl(
        user("one"),
        apiError(),
        user("two"),
        answer(),
        user("three"),
        calls(["a"]),
      ),
    });
    expect(runs).toEqual([`${SESSION} 2`]);
    expect(coverage).toEqual({ sessions_read: 1, runs_unfinished: 1, runs_provider_error: 1 });
  });
});

describe("bytes", () => {
  const name = `-p/${SESSION}.jsonl`;
  const records = () => [user("one"), answer(), user("two"), calls(["a"]), result("a", "no", true), answer()];
  const texts = () => records().map((one) => JSON.stringify(one));
  const whole = [`${SESSION} 1`, `${SESSION} 2`];

  test("objects glued onto one line, also behind book-keeping", async () => {
    const glued = texts();
    const { runs, coverage } = await scanned({
      [name]: `${glued[0]}${glued[1]}{"type":"mode"}${glued.slice(2).join("")}\n`,
    });
    expect(runs).toEqual(whole);
    expect(coverage).toEqual({ sessions_read: 1 });
  });

  test("a byte order mark, CRLF, blank lines and no final newline", async () => {
    const { runs, coverage } = await scanned({ [name]: `\uFEFF${texts().join("\r\n\r\n")}` });
    expect(runs).toEqual(whole);
    expect(coverage).toEqual({ sessions_read: 1 });
  });

  test("a torn last line is left for later, a bad one in the middle costs itself", async () => {
    const all = texts();
    const torn = (all.at(-1) ?? "").slice(0, -20);
    const { runs, coverage } = await scanned({
      [name]: [all[0], all[1], '{"type":"user","message":{', "\0\0", ...all.slice(2, -1), torn].join("\n"),
    });
    expect(runs).toEqual(whole.slice(0, 1));
    expect(coverage).toEqual({ sessions_read: 1, lines_torn: 1, lines_unknown: 2, runs_unfinished: 1 });
  });

  describe("a record that a killed writer left in its middle, and the next ones went on behind", () => {
    const stubs = [
      [
        "of book-keeping",
        { type: "pr-link", sessionId: SESSION, prNumber: 7, prUrl: "https://a.example/}{7" },
      ],
      ["of a message", calls(["b"], { rest: { sessionId: SESSION } })],
      ["of words", user('so far } {"a":1} and ')],
    ] as const;
    test.each(stubs)("%s", async (_, stub) => {
      const text = JSON.stringify(stub);
      const all = texts();
      for (let cut = 1; cut < text.length; cut += 1) {
        // Behind these an object is a value of the one that was torn: that cannot be told apart.
        if ("[:,{".includes(text[cut - 1] ?? "")) continue;
        const lines = [all[0], all[1], `${text.slice(0, cut)}${all[2]}${all[3]}`, ...all.slice(4)];
        const { runs, coverage } = await scanned({ [name]: `${lines.join("\n")}\n` });
        expect([cut, runs, coverage]).toEqual([cut, whole, { sessions_read: 1, lines_unknown: 1 }]);
      }
    });

    // A square of these lengths would take minutes.
    test.each([
      ["pieces without an end", `{"type":"mode","a":"${'x{"k":'.repeat(400_000)}`],
      ["pieces with records between them", '{"type":"mode","a":{ {"type":"mode"}'.repeat(100_000)],
      ["pieces of messages", '{"type":"user","message":{ {"type":"mode"}'.repeat(100_000)],
    ])("a line of many costs no square of its length: %s", async (_, line) => {
      const { runs } = await scanned({ [name]: `${texts().join("\n")}\n${line}\n` });
      expect(runs).toEqual(whole);
    });
  });

  test("bytes that are not UTF-8 cost their line", async () => {
    const bad = Buffer.from(JSON.stringify(user("§")));
    bad[bad.indexOf(0xc2)] = 0xff;
    const { runs, coverage } = await scanned({
      [name]: Buffer.concat([Buffer.from(`${texts().join("\n")}\n`), bad, Buffer.from("\n")]),
    });
    expect(runs).toEqual(whole);
    expect(coverage).toEqual({ sessions_read: 1, lines_not_utf8: 1 });
  });

  test("a line over the cap is counted; the session goes on", async () => {
    const long = result("a", "x".repeat(200_000));
    const { runs, coverage } = await scanned(
      { [name]: jsonl(user("one"), calls(["a"]), long, answer()) },
      { line_bytes_max: 100_000 },
    );
    expect(runs).toEqual(whole.slice(0, 1));
    expect(coverage).toEqual({ sessions_read: 1, lines_oversize: 1 });
  });

  test("JSON over many lines is no session, and is said to be none", async () => {
    const pretty = `${JSON.stringify(records(), null, 2)}\n`;
    const { runs, coverage } = await scanned({ [name]: pretty, "-p/empty.jsonl": "" });
    expect(runs).toEqual([]);
    expect(coverage).toEqual({ files_not_sessions: 2 });
  });

  test("a record of a kind to come is counted as unknown", async () => {
    const { runs, coverage } = await scanned({ [name]: `${texts().join("\n")}\n{"type":"hologram"}\n` });
    expect(runs).toEqual(whole);
    expect(coverage).toEqual({ sessions_read: 1, lines_unknown: 1 });
  });
});

describe("a window", () => {
  const at = (hour: number) => ({ timestamp: new Date(Date.UTC(2026, 5, 1, hour)).toISOString() });
  const since = (hour: number) => ({ since_ms: Date.UTC(2026, 5, 1, hour) });
  const name = `-p/${SESSION}.jsonl`;

  test("runs count by their own start, not by their session's", async () => {
    const file = jsonl(
      user("old", at(1)),
      answer("x", { rest: at(2) }),
      user("new", at(5)),
      answer("x", { rest: at(6) }),
    );
    expect((await scanned({ [name]: file }, since(4))).runs).toEqual([`${SESSION} 2`]);
    expect((await scanned({ [name]: file }, { as_of_ms: Date.UTC(2026, 5, 1, 4) })).runs).toEqual([
      `${SESSION} 1`,
    ]);
  });

  test("a file whose last record is older is cut off by its tail", async () => {
    const old = jsonl(
      user("old", at(1)),
      answer("x", { rest: at(2) }),
      { type: "last-prompt" },
      { type: "mode" },
    );
    expect(await scanned({ [name]: old }, since(4))).toMatchObject({
      runs: [],
      coverage: { sessions_cutoff: 1 },
    });
    expect((await scanned({ [name]: old }, since(0))).coverage).toEqual({ sessions_read: 1 });
  });

  test("a tail that tells no time is no reason to leave the file out", async () => {
    const noise = jsonl(
      ...Array.from({ length: 2000 }, () => ({ type: "file-history-snapshot", messageId: "m".repeat(60) })),
    );
    const file =
      jsonl(
        user("old", at(1)),
        answer("x", { rest: at(2) }),
        user("new", at(5)),
        answer("x", { rest: at(6) }),
      ) + noise;
    expect((await scanned({ [name]: file }, since(4))).runs).toEqual([`${SESSION} 2`]);
  });
});
