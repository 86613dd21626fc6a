import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionRow } from "#lib/cli/session-row.ts";
import type { Entry } from "#lib/sources/entry.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { addSession, assistantText, outcome, toolResult, toolUse, userText } from "#tests/support/store.ts";
import { claudeHome, mechaHome } from "#tests/support/store-homes.ts";

let at: ReturnType<typeof tempHome>;
beforeEach(() => {
  at = tempHome();
});
afterEach(() => at.remove());

const cli = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home: at.home, env });
const store = () => path.join(at.home, ".mecha");

test("over a store without a session the doctor does not say healthy", async () => {
  mkdirSync(path.join(store(), "sessions"), { recursive: true });
  expect(await cli(["doctor"])).toMatchObject({
    code: 0,
    out: "nothing could be checked: no finished run was found, and no trigger is set up\n",
  });
  expect((await cli(["doctor", "--json"])).out).toBe("[]\n");
});

describe("a store that cannot be used", () => {
  beforeEach(() => {
    mkdirSync(store());
    writeFileSync(path.join(store(), "sessions"), "a file, not a folder");
  });

  test.each([
    [["sessions", "health"]],
    [["sessions", "health", "--json"]],
    [["sessions", "list"]],
    [["sessions", "stats"]],
    [["sessions", "show", "x"]],
    [["sessions", "path", "x"]],
  ])("alone, %j names it and fails", async (argv) => {
    const ran = await cli(argv);
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toBe(`mecha: store ${store()}/sessions (mecha): is not a folder\n`);
  });

  test("beside another one, the other is read, it is named, and the exit code says so", async () => {
    claudeHome(at.home);
    const ran = await cli(["sessions", "health", "--json"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("is not a folder; left out");
    expect(JSON.parse(ran.out).runs).toBe(1);
  });

  test("to the doctor it is a finding, not a failure", async () => {
    const ran = await cli(["doctor", "--json"]);
    expect(ran).toMatchObject({ code: 1, err: "" });
    expect(JSON.parse(ran.out)[0].summary).toContain("store unreadable:");
  });
});

describe("the environment", () => {
  test("MECHA_SESSION_DIR set to nothing means the working folder", async () => {
    mechaHome(path.join(at.home, "elsewhere"));
    const cwd = path.join(at.home, "elsewhere", ".mecha", "sessions");
    for (const name of readdirSync(cwd)) copyFileSync(path.join(cwd, name), path.join(at.home, name));
    const ran = await cli(["sessions", "health", "--json", "--source", "mecha"], { MECHA_SESSION_DIR: "" });
    expect(JSON.parse(ran.out)).toMatchObject({ runs: 4, sessions_read: 4 });
  });

  test("a zone that is none is refused in one line", async () => {
    const ran = await cli(["sessions", "list"], { MECHA_ZONE: "Nowhere" });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^mecha: MECHA_ZONE: "Nowhere" is not a time zone.*\n$/);
  });

  test("what only the server needs does not stop a command", async () => {
    expect((await cli(["sessions", "list"], { PORT: "tcp://1.2.3.4", MECHA_BIND: "no host" })).code).toBe(0);
  });
});

describe("finding a session", () => {
  test("an id that is the start of another one is found by itself", async () => {
    addSession(store(), { id: "abc" }, []);
    addSession(store(), { id: "abcd" }, []);
    expect((await cli(["sessions", "path", "abc"])).out).toBe(`${store()}/sessions/abc.jsonl\n`);
    expect((await cli(["sessions", "path", "ab"])).code).toBe(1);
  });

  test("two files of one session are told apart by their path, each with its own runs", async () => {
    const first = addSession(store(), { id: "twin" }, [outcome(), outcome({ turns: 9 })]);
    const second = path.join(store(), "sessions", "copy.jsonl");
    copyFileSync(first, second);
    expect((await cli(["sessions", "show", "twin"])).err).toContain(second);
    for (const file of [first, second]) {
      const shown = JSON.parse((await cli(["sessions", "show", file, "--json"])).out);
      expect([shown.session.path, shown.runs.length]).toEqual([file, 2]);
    }
    const rows: SessionRow[] = JSON.parse((await cli(["sessions", "list", "--json"])).out).sessions;
    expect(rows.map(({ runs }) => runs)).toEqual([2, 2]);
  });

  test("an id as long as it likes, or with control characters in it, is one line", async () => {
    mechaHome(at.home);
    const ran = await cli(["sessions", "show", `${"a".repeat(50_000)}\u001b[31m\n`]);
    expect(ran.code).toBe(1);
    expect(ran.err.length).toBeLessThan(250);
    expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("--as-of looks only at what was there then", async () => {
    mechaHome(at.home);
    const ran = await cli(["sessions", "path", "2026", "--as-of", "2026-07-01"]);
    expect(ran.out).toBe(`${store()}/sessions/20260601T080000-bbbb0001.jsonl\n`);
  });
});

describe("a transcript in parts", () => {
  const calls = 40;
  beforeEach(() => {
    const turns = Array.from({ length: calls }, (_, n) => [
      ...(n % 10 === 0 ? [userText(`prompt ${n}`)] : []),
      toolUse(`c${n}`, "run", { n }, `turn ${n}`),
      toolResult(`c${n}`, `result ${n}`, n % 3 === 0),
    ]).flat();
    addSession(store(), { id: "long" }, [...turns, assistantText("done"), outcome()]);
  });

  async function inParts(flags: string[], limit: number): Promise<Entry[][]> {
    const parts: Entry[][] = [];
    for (let next: string | null = "0:0"; next !== null; ) {
      const argv = ["sessions", "show", "long", "--json", "-n", String(limit), "--from", next, ...flags];
      const page: { entries: Entry[]; next: string | null } = JSON.parse((await cli(argv)).out);
      parts.push(page.entries);
      next = page.next;
    }
    return parts;
  }

  test.each([1, 7, 100])("of %i entries are the whole", async (limit) => {
    const whole = JSON.parse((await cli(["sessions", "show", "long", "--json", "-n", "9999"])).out);
    const parts = await inParts([], limit);
    expect(parts.flat()).toEqual(whole.entries);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(limit);
  });

  test("every failed call comes once, with its own call, also at the start of a part", async () => {
    const parts = await inParts(["--failed"], 3);
    const results = parts.flat().filter(({ kind }) => kind === "result");
    expect(results.map(({ text }) => text)).toEqual(Array.from({ length: 14 }, (_, n) => `result ${n * 3}`));
    for (const part of parts) {
      for (const { call_id } of part.filter(({ kind }) => kind === "result")) {
        expect(part.some((entry) => entry.kind === "call" && entry.call_id === call_id)).toBe(true);
      }
    }
  });
});

test("nothing a transcript holds reaches a terminal as it is", async () => {
  const hostile = "\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e\u2066\u0000\u007f";
  const meta = { id: `evil${hostile}`, title: hostile, model: hostile, workspace: hostile };
  const lines = [
    userText(hostile),
    toolUse("c", hostile, { [hostile]: hostile }, hostile),
    toolResult("c", hostile, true),
    outcome({ tool_errors: 1 }),
  ];
  addSession(store(), meta, lines, `file${hostile.replace("\0", "")}`);
  for (const argv of [
    ["sessions", "list"],
    ["sessions", "list", "--json"],
    ["sessions", "health"],
    ["sessions", "health", "--json"],
    ["sessions", "health", "--model", "x"],
    ["sessions", "stats"],
    ["sessions", "show", "evil"],
    ["sessions", "show", "evil", "--json"],
    ["sessions", "show", "evil", "--failed"],
    ["sessions", "show", hostile],
    ["sessions", "list", "--source", hostile],
    ["sessions", "list", "--zone", hostile],
    ["sessions", "list", "--as-of", hostile],
    ["sessions", "list", "--model", hostile],
    ["sessions", "list", `--${hostile}`],
    ["sessions", "list", "-n", hostile],
    [hostile],
    ["doctor"],
  ]) {
    const { code, out, err } = await cli(argv);
    expect([argv, code]).not.toEqual([argv, 70]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  }
});

describe.skipIf(!sharedDir)(sharedDir ? "real Claude Code transcripts" : sharedMissing, () => {
  beforeEach(() => {
    const from = path.join(sharedDir ?? "", "data", "claude-code");
    const to = path.join(at.home, "config", "projects", "p");
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) copyFileSync(path.join(from, name), path.join(to, name));
  });
  const claude = (argv: string[]) => cli(argv, { CLAUDE_CONFIG_DIR: path.join(at.home, "config") });

  test("the list and the report tell the same story, and every transcript can be read", async () => {
    const rows: SessionRow[] = JSON.parse(
      (await claude(["sessions", "list", "-n", "999", "--subagents", "--json"])).out,
    ).sessions;
    const health = JSON.parse((await claude(["sessions", "health", "--json"])).out);
    expect(rows).toHaveLength(health.sessions_read);
    const listed = rows.filter(({ subagent }) => !subagent).reduce((sum, { runs }) => sum + runs, 0);
    // Each file is listed with all that stands in it; the report counts what two files share once.
    expect(listed).toBeGreaterThanOrEqual(health.runs);
    for (const row of rows) {
      const shown = await claude(["sessions", "show", row.path, "--failed", "-n", "99999", "--json"]);
      expect([row.path, shown.code, shown.err]).toEqual([row.path, 0, ""]);
      expect(JSON.parse(shown.out).runs).toHaveLength(row.runs);
      const failed = JSON.parse(shown.out).entries.filter(({ state }: Entry) => state === "failed");
      // Failed calls of a run that never ended are in the transcript and in no row.
      expect(failed.length).toBeGreaterThanOrEqual(row.tool_errors);
    }
  }, 120_000);
});
