import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { addSession, outcome, userText } from "#tests/support/store.ts";

let at: ReturnType<typeof tempHome>;
beforeEach(() => {
  at = tempHome();
});
afterEach(() => at.remove());

const cli = (argv: string[]) => runCli(argv, { home: at.home });

test("a run that ended before any model answered is said to be of none, as in the rates", async () => {
  const interrupted = outcome({ tool_calls: 0, stop_cause: "interrupted" });
  const config = { record: "config", mecha_version: "0.1.11", provider: "local", workspace: "/w" };
  addSession(path.join(at.home, ".mecha"), { id: "20260805T091500-3f2a1b7c", model: "" }, [
    userText("Tidy the notes."),
    interrupted,
    { ...config, model: "wren-14b" },
    userText("And now?"),
    outcome({ tool_calls: 0 }),
  ]);
  expect((await cli(["sessions", "list"])).out).toContain("  (no model), wren-14b  ");
  expect((await cli(["sessions", "show", "2026"])).out).toContain("interrupted · (no model) · ");
});

test("a window that leaves out every session says so, and not that none of them holds an outcome", async () => {
  addSession(path.join(at.home, ".mecha"), { id: "20260805T091500-3f2a1b7c", model: "" }, [
    userText("Tidy the notes."),
    outcome(),
  ]);
  const { out } = await cli(["sessions", "health", "--days", "30", "--as-of", "2026-11-30"]);
  expect(out).toContain("No finished run of the last 30 day(s) in ");
  expect(out).toContain("1 session(s) lie outside the window, ");
  expect(out).not.toContain("holds an outcome");
  const unknown = await cli(["sessions", "health", "--model", "nobody"]);
  expect(unknown.out).toContain("found runs of (no model).");
});

test("where several files share an id, nobody is told to write more of it", async () => {
  const folder = path.join(at.home, ".claude", "projects", "-w");
  mkdirSync(folder, { recursive: true });
  const sessionId = "5e550001-0000-4000-8000-000000000001";
  const line = { sessionId, version: "2.1.120", cwd: "/w", type: "user", timestamp: "2026-08-05T09:15:00Z" };
  for (const name of ["one", "two"])
    writeFileSync(
      path.join(folder, `${name}.jsonl`),
      `${JSON.stringify({ ...line, uuid: name, message: { role: "user", content: "go" } })}\n`,
    );
  const { code, err: stderr } = await cli(["sessions", "show", sessionId]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/two\.jsonl/);
  expect(stderr).toContain("They share the id: write the path of one.");
  expect(stderr).not.toContain("Write more of the id");
});
