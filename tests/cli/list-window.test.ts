import { copyFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionRow } from "#lib/cli/session-row.ts";
import type { Coverage } from "#lib/transcript/coverage.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { addSession, outcome } from "#tests/support/store.ts";

let at: ReturnType<typeof tempHome>;
beforeEach(() => {
  at = tempHome();
});
afterEach(() => at.remove());

const cli = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home: at.home, env });
const sessionsDir = () => path.join(at.home, ".claude", "projects", "-p");
const idOf = (name: string) => `${name.padEnd(8, "0")}-0000-4000-8000-000000000001`;

type Turn = { at: string; ends: string; finished?: false };

/** A Claude Code session of one run for each turn; one that has not finished waits for its call's result. */
function addClaude(name: string, turns: readonly Turn[], more: object = {}): void {
  const session = idOf(name);
  const common = { sessionId: session, version: "2.1.120", cwd: "/w", isSidechain: false, ...more };
  const usage = {
    input_tokens: 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const answer = (n: number, finished: boolean) => ({
    id: `${name}m${n}`,
    role: "assistant",
    model: "claude-test-1",
    content: finished
      ? [{ type: "text", text: "done" }]
      : [{ type: "tool_use", id: `${name}c${n}`, name: "Bash", input: {} }],
    stop_reason: finished ? "end_turn" : "tool_use",
    usage,
  });
  const lines = turns.flatMap((turn, n) => [
    {
      ...common,
      type: "user",
      uuid: `${name}u${n}`,
      timestamp: turn.at,
      message: { role: "user", content: "go" },
    },
    {
      ...common,
      type: "assistant",
      uuid: `${name}a${n}`,
      timestamp: turn.ends,
      message: answer(n, turn.finished !== false),
    },
  ]);
  mkdirSync(sessionsDir(), { recursive: true });
  const file = path.join(sessionsDir(), `${"agentId" in more ? `agent-${name}` : session}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const whole = (day: string): Turn => ({ at: `${day}T10:00:00.000Z`, ends: `${day}T10:05:00.000Z` });

/** Now is noon on 6 August; the window of seven days starts at noon on 30 July. */
function store(): void {
  addClaude("aaaa", [whole("2026-08-05")]);
  addClaude("bbbb", [whole("2026-06-01"), whole("2026-06-02"), whole("2026-08-04"), whole("2026-08-05")]);
  addClaude("cccc", [whole("2026-06-01"), { ...whole("2026-08-05"), finished: false }]);
  addClaude("dddd", [whole("2026-06-03")]);
  // Its last run began before the window and ended inside it.
  addClaude("eeee", [{ at: "2026-07-30T11:59:00.000Z", ends: "2026-07-30T12:30:00.000Z" }]);
}

type Page = { sessions: SessionRow[]; subagents_not_listed: number; coverage: Coverage };
async function list(...flags: string[]): Promise<Page> {
  return JSON.parse((await cli(["sessions", "list", "--json", ...flags])).out);
}
const sumOf = (all: readonly { runs: number }[]) => all.reduce((sum, { runs }) => sum + runs, 0);
const shown = ({ sessions }: Page) => sessions.map(({ id, runs }) => `${id.slice(0, 4)} ${runs}`);

describe("sessions list --days, where each run has a time of its own", () => {
  test("holds what began inside, and what began before with something of it inside", async () => {
    store();
    const page = await list("--days", "7");
    expect(shown(page)).toEqual(["aaaa 1", "cccc 0", "bbbb 2"]);
    const health = JSON.parse((await cli(["sessions", "health", "--days", "7", "--json"])).out);
    expect(sumOf(page.sessions)).toBe(health.runs);
    expect(page.coverage).toEqual(health.coverage);
    expect(page.coverage).toMatchObject({ sessions_read: 3, sessions_cutoff: 2, sessions_capped: 0 });
  });

  test("says how many began before, and how many it has not looked into", async () => {
    store();
    const all = await cli(["sessions", "list", "--days", "7"]);
    expect(all.out).toContain(
      "\n3 session(s), last 7 day(s), newest first, times in UTC; 2 begun before that, with the runs inside it\n",
    );
    addClaude("abcd", [whole("2026-08-03")]);
    const one = await cli(["sessions", "list", "--days", "7", "-n", "1"]);
    expect(one.out).toContain("; 1 older one(s) and 4 begun before that not looked into, see -n\n");
    expect(one.out).not.toContain("with the runs inside it");
    expect((await list("--days", "7", "-n", "1")).coverage).toMatchObject({ sessions_capped: 5 });
  });

  test("stops looking when it has enough, and counts on where the list was cut", async () => {
    store();
    for (let n = 0; n < 30; n++) addClaude(`f${100 + n}`, [whole("2026-05-01"), whole("2026-08-05")]);
    for (let n = 0; n < 300; n++) addClaude(`g${100 + n}`, [whole("2026-04-01")]);
    const page = await list("--days", "7", "-n", "10");
    expect(page.sessions).toHaveLength(10);
    expect(shown(await list("--days", "7", "-n", "999"))).toHaveLength(33);
    expect(shown(await list("--days", "7", "-n", "33"))).toHaveLength(33);
    expect((await list("--days", "7", "-n", "999")).coverage).toMatchObject({ sessions_cutoff: 302 });
  });

  test("the date of a file says nothing about its runs", async () => {
    store();
    const date = (name: string, day: string) =>
      utimesSync(path.join(sessionsDir(), `${idOf(name)}.jsonl`), new Date(day), new Date(day));
    date("cccc", "2026-08-05");
    date("dddd", "2026-06-03");
    date("eeee", "2026-07-30");
    date("bbbb", "1980-01-01");
    const page = await list("--days", "7");
    expect(shown(page)).toEqual(["aaaa 1", "cccc 0", "bbbb 2"]);
    expect(page.coverage).toMatchObject({ sessions_read: 3, sessions_cutoff: 2 });
  });

  test("a model's sessions are those with a run of it inside the window", async () => {
    store();
    expect(shown(await list("--days", "7", "--model", "claude-test-1"))).toEqual([
      "aaaa 1",
      "cccc 0",
      "bbbb 2",
    ]);
    expect(shown(await list("--days", "7", "--model", "other"))).toEqual([]);
  });

  test("sub-agents that are hidden are counted when they began inside", async () => {
    store();
    addClaude("5ab1", [whole("2026-08-05")], { isSidechain: true, agentId: "5ab1" });
    addClaude("5ab2", [whole("2026-06-05"), whole("2026-08-05")], { isSidechain: true, agentId: "5ab2" });
    expect((await list("--days", "7")).subagents_not_listed).toBe(1);
    expect(shown(await list("--days", "7", "--subagents")).filter((one) => one.startsWith("agen"))).toEqual([
      "agen 1",
      "agen 1",
    ]);
  });

  test("without --days, and of a session that is shown, every run counts", async () => {
    store();
    expect(shown(await list())).toContain("bbbb 4");
    const one = JSON.parse((await cli(["sessions", "show", "bbbb", "--json"])).out);
    expect(one.runs).toHaveLength(4);
  });

  test("a mecha session, whose runs have no time but its own, goes by that", async () => {
    const home = path.join(at.home, ".mecha");
    addSession(home, { id: "old", created_at: "2026-06-01T08:00:00Z" }, [outcome()]);
    addSession(home, { id: "new", created_at: "2026-08-05T08:00:00Z" }, [outcome()]);
    store();
    expect(shown(await list("--days", "7"))).toEqual(["aaaa 1", "new 1", "cccc 0", "bbbb 2"]);
  });
});

describe("nothing inside the window", () => {
  const future = () =>
    addSession(path.join(at.home, ".mecha"), { id: "f", created_at: "2026-08-06T12:00:01Z" }, [outcome()]);

  test.each([["list"], ["health"], ["stats"]])(
    "sessions %s says how many sessions are dated later than now",
    async (command) => {
      future();
      const { out } = await cli(["sessions", command]);
      expect(out).toContain("\n1 session(s) are dated after 2026-08-06T12:00:00Z, and were left out.\n");
    },
  );

  test.each([["list"], ["health"], ["stats"]])(
    "sessions %s says how many lie outside the days",
    async (command) => {
      future();
      store();
      const { out } = await cli(["sessions", command, "--days", "0.001"]);
      expect(out).toContain(
        "\n6 session(s) lie outside the window, 2026-08-06T11:58:33.600Z to 2026-08-06T12:00:00Z, and were left out.\n",
      );
    },
  );

  test("health of one model says it too", async () => {
    future();
    const { out } = await cli(["sessions", "health", "--model", "m"]);
    expect(out).toBe(
      "No finished run of the model m; found no finished run of any model.\n" +
        "1 session(s) are dated after 2026-08-06T12:00:00Z, and were left out.\n",
    );
  });

  test.each([["list"], ["health"], ["stats"]])(
    "sessions %s keeps quiet about it when there is something, and when nothing was left out",
    async (command) => {
      future();
      store();
      expect((await cli(["sessions", command, "--days", "7"])).out).not.toContain("were left out");
      at.remove();
      at = tempHome();
      addSession(path.join(at.home, ".mecha"), { id: "e", created_at: "2026-08-06T11:00:00Z" }, []);
      expect((await cli(["sessions", command])).out).not.toContain("were left out");
    },
  );
});

describe.skipIf(!sharedDir)(sharedDir ? "real Claude Code transcripts" : sharedMissing, () => {
  test("over many windows the list holds the sessions that health reads, with at least its runs", async () => {
    const from = path.join(sharedDir ?? "", "data", "claude-code");
    const to = path.join(at.home, "config", "projects", "p");
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) copyFileSync(path.join(from, name), path.join(to, name));
    const claude = async (argv: string[]) =>
      JSON.parse((await cli(argv, { CLAUDE_CONFIG_DIR: path.join(at.home, "config") })).out);
    const all: Page = await claude(["sessions", "list", "-n", "999", "--subagents", "--json"]);
    let reachIn = 0;
    for (const { started_at } of all.sessions) {
      // A second into each session: what began before and goes on is inside.
      const since = Date.parse(started_at) + 1000;
      const window = [
        "--as-of",
        new Date(since + 7 * 86_400_000).toISOString(),
        "--days",
        "7",
        "--json",
        "--source",
        "claude-code",
      ];
      const page: Page = await claude(["sessions", "list", "-n", "999", "--subagents", ...window]);
      const health = await claude(["sessions", "health", ...window]);
      expect(page.sessions).toHaveLength(health.sessions_read);
      // Each file is listed with all that stands in it; the report counts what two files share once.
      const listed = sumOf(page.sessions);
      const reported = health.runs + sumOf(health.subagents);
      expect(listed).toBeGreaterThanOrEqual(reported);
      expect(listed).toBeLessThanOrEqual(reported + health.coverage.runs_duplicate);
      reachIn += page.sessions.filter((one) => Date.parse(one.started_at) < since).length;
    }
    expect(reachIn).toBeGreaterThan(10);
  }, 120_000);
});
