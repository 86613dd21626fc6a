import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { parseLedger } from "#lib/trigger/ledger.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { addTrigger } from "#tests/support/trigger-home.ts";

let at: ReturnType<typeof tempHome>;
const children: ChildProcess[] = [];
beforeEach(() => {
  at = tempHome();
  mkdirSync(path.join(at.home, "work"));
  writeFileSync(path.join(at.home, "work", "notes.txt"), "first line\nsecond line\n");
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  at.remove();
});
const cli = (...argv: string[]) => runCli(["trigger", ...argv], { home: at.home });
const inHome = (...names: string[]) => path.join(at.home, ".mecha", ...names);
const rows = (): LedgerRow[] => parseLedger(readFileSync(inHome("triggers", "runs.jsonl"))).rows;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The newest slot of every trigger here. Half a day old: none comes while the tests run. */
const SLOT = (Math.floor(Date.now() / HOUR) - 12) * HOUR;

/** A trigger of the given provider whose newest slot has come and has not run. */
function dueTrigger(name: string, more = ""): void {
  const before = new Date(SLOT - 1000).toISOString();
  const text = `schedule = "0 ${new Date(SLOT).getUTCHours()} * * *"\nprompt = "Look around."\ntimezone = "UTC"\ncreated_at = "${before}"\nworkspace = "${path.join(at.home, "work")}"\ntools = ["fs_list", "fs_read", "fs_write"]\n`;
  addTrigger(at.home, name, `${text}${more.includes("provider") ? "" : 'provider = "scripted"\n'}${more}`);
}

/** A scripted provider of the person's own configuration. */
function script(name: string, rules: object): void {
  mkdirSync(inHome(), { recursive: true });
  writeFileSync(inHome(`${name}.json`), JSON.stringify({ name, ...rules }));
  writeFileSync(
    inHome("config.toml"),
    `[providers.${name}]\nkind = "scripted"\nscript = "${inHome(`${name}.json`)}"\n`,
  );
}

/** Records of the one session there is, by kind. */
function session(id: string | null): Map<string, Record<string, unknown>> {
  const lines = readFileSync(inHome("sessions", `${id}.jsonl`), "utf8")
    .trim()
    .split("\n");
  return new Map(lines.map((line) => JSON.parse(line)).map((record) => [record.record, record]));
}

function child(...argv: string[]): ChildProcess {
  const program = path.resolve("scripts/mecha.ts");
  const started = spawn(process.execPath, ["--import", "tsx", program, "trigger", ...argv], {
    env: { ...process.env, MECHA_HOME: inHome(), HOME: at.home },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(started);
  return started;
}
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}
const running = (name: string) => {
  const file = inHome("triggers", "locks", `${name}.json`);
  return existsSync(file) && JSON.parse(readFileSync(file, "utf8")).session_id !== null;
};

describe("adding one", () => {
  test("its file says what the flags said, and the command when it fires", async () => {
    const ran = await cli(
      ...["add", "morning", "--schedule", "0 7 * * 1-5", "--prompt", "Say hello.\nThen stop."],
      ...[
        "--description",
        "A greeting",
        "--timezone",
        "Europe/Zurich",
        "--tool",
        "fs_read",
        "--tool",
        "fs_list",
      ],
      ...[
        "-w",
        "work",
        "-p",
        "local",
        "-m",
        "qwen3-moe",
        "--no-mcp",
        "--max-turns",
        "5",
        "--max-cost",
        "0.5",
      ],
      ...["--timeout", "90s", "--catch-up", "2h", "--permission-mode", "allow", "--max-output-tokens", "900"],
    );
    expect(ran.code).toBe(0);
    expect(ran.err).toMatch(/^note: there is no provider "local" .*\n$/);
    expect(ran.out).toContain("next        2026-08-07 05:00, 2026-08-10 05:00, 2026-08-11 05:00 (UTC)\n");
    expect(parse(readFileSync(inHome("triggers", "morning.toml"), "utf8"))).toEqual({
      ...{ schedule: "0 7 * * 1-5", prompt: "Say hello.\nThen stop.", description: "A greeting" },
      ...{ timezone: "Europe/Zurich", created_at: "2026-08-06T12:00:00Z", provider: "local" },
      ...{ model: "qwen3-moe", workspace: path.join(at.home, "work"), permission_mode: "allow" },
      ...{ tools: ["fs_read", "fs_list"], no_mcp: true, max_turns: 5, max_output_tokens: 900 },
      ...{ max_cost_usd: 0.5, timeout: "90s", catch_up: "2h" },
    });
    expect((await cli("show", "morning")).code).toBe(0);
  });

  test("without tools it says so, and JSON has the same in it", async () => {
    const words = ["--schedule", "@daily", "--prompt", "x"];
    expect((await cli("add", "a", ...words)).out).toContain("tools       none: it can only answer");
    const json = JSON.parse((await cli("add", "b", ...words, "--json", "--disabled")).out);
    expect(json).toMatchObject({ name: "b", file: inHome("triggers", "b.toml"), next: [], tools: [] });
  });

  const add = async (name: string, ...argv: string[]) =>
    await cli("add", name, "--schedule", "@daily", "--prompt", "x", ...argv);

  test("what cannot work as things are is a note, and it is written all the same", async () => {
    const ran = await add(
      "a",
      ...["fs_raed", "shell", "ask_user", "web_search"].flatMap((name) => ["--tool", name]),
    );
    expect(ran.code).toBe(0);
    expect(ran.err.split("\n")).toEqual([
      'note: no tool is called "fs_raed" (did you mean fs_read?)',
      "note: shell may change something, and the permission mode read-only refuses that; --permission-mode allow lets it",
      "note: ask_user is not there: nobody can be asked in a run of a trigger",
      "note: web_search is not there: no [[search]] is configured",
      "",
    ]);
    expect(existsSync(inHome("triggers", "a.toml"))).toBe(true);
    const json = await add("b", "--tool", "fs_write", "--permission-mode", "ask", "--json");
    expect(json.err).toMatch(
      /^note: fs_write may change something, .* ask asks, and nobody is there to answer/,
    );
    expect(JSON.parse(json.out).name).toBe("b");
    const allowed = ["--permission-mode", "allow", "--tool", "shell", "--tool", "fs_write", "-p", "scripted"];
    expect(await add("c", ...allowed)).toMatchObject({ code: 0, err: "" });
  });

  test("notes go by the person's configuration: servers may have the tool, the outbox keeps its call", async () => {
    mkdirSync(inHome(), { recursive: true });
    const toml = '[outbox]\ntools = ["fs_write"]\n[tools]\ndisabled = ["fs_list"]\n';
    writeFileSync(inHome("config.toml"), `${toml}[[mcp]]\nname = "notes"\ncommand = "notes-server"\n`);
    expect((await add("a", "--tool", "notes__add", "--tool", "fs_write")).err).toBe("");
    expect((await add("b", "--tool", "other__add", "--tool", "fs_list")).err).toBe(
      'note: no tool is called "other__add"\nnote: fs_list is switched off by tools.disabled\n',
    );
    expect((await add("c", "--tool", "notes__add", "--no-mcp")).err).toContain("no tool is called");
    expect((await add("d", "-p", "scriptd", "-m", "m")).err).toContain('did you mean "scripted"?');
    writeFileSync(inHome("config.toml"), "[agent");
    expect(await add("e")).toMatchObject({ code: 0, err: expect.stringMatching(/^note: .*config\.toml/) });
  });

  test("its line for a crontab names the mecha home where that is not the usual one", async () => {
    const words = ["trigger", "add", "a", "--schedule", "@daily", "--prompt", "x"];
    expect((await add("b")).out).toContain("\n  * * * * * mecha trigger tick\n");
    const ran = await runCli(words, { home: at.home, env: { MECHA_HOME: "~/my 100%" } });
    expect(ran.out).toContain(`\n  * * * * * MECHA_HOME='${at.home}/my 100\\%' mecha trigger tick\n`);
    const odd = await runCli(words, { home: at.home, env: { MECHA_HOME: "~/a\nb" } });
    expect(odd.out).toContain("\n  * * * * * mecha trigger tick\n");
  });

  test("a prompt can stand in a file", async () => {
    writeFileSync(path.join(at.home, "prompt.md"), "From a file.\n");
    await cli("add", "a", "--schedule", "@daily", "--prompt", "@prompt.md");
    expect(parse(readFileSync(inHome("triggers", "a.toml"), "utf8")).prompt).toBe("From a file.\n");
  });

  test("one that is there is never written over", async () => {
    const words = ["add", "a", "--schedule", "@daily", "--prompt"];
    await cli(...words, "one");
    const ran = await cli(...words, "two");
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toMatch(/^mecha: there is a trigger a already: .*a\.toml\n$/);
    expect(readFileSync(inHome("triggers", "a.toml"), "utf8")).toContain('"one"');
  });

  test.each<[string, string[], string]>([
    ["a name", ["A b"], "a trigger's name is"],
    ["no schedule", ["a", "--prompt", "x"], "required option '--schedule"],
    ["a schedule", ["a", "--schedule", "0 7 * *"], '--schedule: "0 7 * *" is not a schedule'],
    ["a day that never comes", ["a", "--schedule", "0 0 30 2 *"], "names a time that never comes"],
    ["a zone", ["a", "--timezone", "Mars/Base"], "--timezone: 'Mars/Base' is not"],
    ["a mode", ["a", "--permission-mode", "yolo"], "Allowed choices are read-only, ask, allow"],
    ["a timeout", ["a", "--timeout", "soon"], "--timeout: 'soon' is not a duration"],
    ["a timeout of nothing", ["a", "--timeout", "0s"], "--timeout: '0s' is not a duration"],
    ["catching up", ["a", "--catch-up", "maybe"], "--catch-up: 'maybe' must be always, never or"],
    ["a price", ["a", "--max-cost", "free"], "an amount of US dollars above 0"],
    ["a folder", ["a", "-w", "nowhere"], "--workspace: there is no folder"],
  ])("%s that is wrong is one line and writes nothing", async (_, argv, said) => {
    const has = (flag: string) => argv.includes(flag);
    const schedule = has("--schedule") || argv[1] === "--prompt" ? [] : ["--schedule", "@daily"];
    const ran = await cli("add", ...argv, ...schedule, ...(has("--prompt") ? [] : ["--prompt", "x"]));
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(said);
    expect(existsSync(inHome("triggers"))).toBe(false);
  });
});

describe("a run", () => {
  test("by hand: the answer on standard output, and both rows say the same", async () => {
    dueTrigger("look");
    const ran = await cli("run", "look");
    expect(ran.code).toBe(0);
    expect(ran.out).toBe("I listed the workspace and read its first file. It begins with: first line\n");
    expect(ran.err).toContain("is a script and no model");
    const [row] = rows();
    const records = session(row?.session_id ?? null);
    expect(records.get("meta")).toMatchObject({
      title: "trigger: look",
      workspace: path.join(at.home, "work"),
    });
    expect(records.get("config")).toMatchObject({
      ...{ provider: "scripted", model: "scripted", permission_mode: "read-only" },
      tools: ["fs_list", "fs_read", "fs_write"],
    });
    const outcome = records.get("outcome");
    expect(row).toMatchObject({
      ...{ trigger: "look", slot_ms: null, manual: true, status: "ok", stop_cause: null },
      ...{ turns: outcome?.turns, tool_calls: outcome?.tool_calls, tool_errors: outcome?.tool_errors },
      ...{ taint: outcome?.taint, blocked_sends: outcome?.blocked_sends, staged: outcome?.tool_staged },
      ...{ ended_on_failed_call: outcome?.ended_on_failed_call },
      summary: "I listed the workspace and read its first file. It begins with: first line",
    });
    expect(row?.tool_calls).toBe(2);
    expect([...records.keys()].slice(-3)).toEqual(["taint", "summary", "outcome"]);
  });

  test("--json prints the row and nothing else", async () => {
    dueTrigger("look");
    const { out } = await cli("run", "look", "--json");
    expect(JSON.parse(out)).toMatchObject({
      schema_version: 1,
      row: { trigger: "look", status: "ok", manual: true, slot: null },
    });
  });

  test("what would change something is refused, and is no error", async () => {
    const call = { tool: "fs_write", input: { path: "made.txt", content: "x" } };
    script("writer", { rules: [{ steps: [{ calls: [call] }, { text: "Could not write." }] }] });
    dueTrigger("write", 'provider = "writer"\n');
    expect((await cli("run", "write")).code).toBe(0);
    expect(rows()[0]).toMatchObject({
      status: "ok",
      tool_calls: 1,
      tool_errors: 0,
      ended_on_failed_call: false,
    });
    expect(session(rows()[0]?.session_id ?? null).get("outcome")).toMatchObject({ tool_denied: 1 });
    expect(existsSync(path.join(at.home, "work", "made.txt"))).toBe(false);
  });

  test("so it is where a person should be asked, for there is none", async () => {
    const call = { tool: "fs_write", input: { path: "made.txt", content: "x" } };
    script("writer", { rules: [{ steps: [{ calls: [call] }, { text: "Could not write." }] }] });
    dueTrigger("write", 'provider = "writer"\npermission_mode = "ask"\n');
    await runCli(["trigger", "run", "write"], { home: at.home, answers: ["y", "y"] });
    expect(session(rows()[0]?.session_id ?? null).get("outcome")).toMatchObject({ tool_denied: 1 });
    expect(existsSync(path.join(at.home, "work", "made.txt"))).toBe(false);
  });

  test("with permission it does what it lists, and has no other tool", async () => {
    const write = { tool: "fs_write", input: { path: "made.txt", content: "x" } };
    const edit = { tool: "fs_edit", input: { path: "made.txt", old: "x", new: "y" } };
    script("writer", { rules: [{ steps: [{ calls: [write] }, { calls: [edit] }, { text: "Done." }] }] });
    dueTrigger("write", 'provider = "writer"\npermission_mode = "allow"\n');
    await cli("run", "write");
    expect(readFileSync(path.join(at.home, "work", "made.txt"), "utf8")).toBe("x");
    expect(rows()[0]).toMatchObject({ tool_calls: 2, tool_errors: 1, ended_on_failed_call: true });
  });

  test("a limit of the file ends it, and a failed provider is an error and exit code 1", async () => {
    dueTrigger("short", "max_turns = 1\n");
    expect((await cli("run", "short")).code).toBe(0);
    expect(rows()[0]).toMatchObject({ status: "ok", stop_cause: "max_turns" });
    script("down", { rules: [{ steps: [{ fail: { problem: "the server is gone", transient: false } }] }] });
    dueTrigger("fails", 'provider = "down"\n');
    const ran = await cli("run", "fails");
    expect(ran.code).toBe(1);
    expect(rows()[1]).toMatchObject({
      status: "error",
      error: expect.stringContaining("the server is gone"),
    });
    expect(session(rows()[1]?.session_id ?? null).has("outcome")).toBe(false);
  });

  test.each([
    ["a provider that nobody configured", 'provider = "nobody"\n', /nobody/],
    [
      "a workspace that is gone",
      'workspace = "/nowhere/at/all"\n',
      /workspace \/nowhere\/at\/all is no folder/,
    ],
    ["a tool that does not exist", 'tools = ["fs_raed"]\n', /fs_raed.*fs_read/],
  ])("%s is an error in the ledger and exit code 1", async (_, more, said) => {
    dueTrigger("bad");
    const [key] = more.split(" ");
    const file = inHome("triggers", "bad.toml");
    const kept = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => !line.startsWith(key ?? ""));
    writeFileSync(file, `${kept.join("\n")}${more}`);
    const ran = await cli("run", "bad");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(said);
    expect(rows()).toMatchObject([{ status: "error", manual: true, turns: 0, session_id: null }]);
  });

  test("a folder's own configuration has no say", async () => {
    dueTrigger("look");
    writeFileSync(
      path.join(at.home, "mecha.toml"),
      'default_provider = "elsewhere"\n[agent]\nmax_turns = 1\n',
    );
    await cli("run", "look");
    expect(rows()[0]).toMatchObject({ status: "ok", turns: 3 });
  });
});

describe("tools of a server", () => {
  const server = path.resolve("tests/fixtures/mcp-rogue.mjs");
  function withServer(kind: string): void {
    script("caller", {
      rules: [{ steps: [{ calls: [{ tool: "kit__act", input: {} }] }, { text: "Called." }] }],
    });
    const mcp = `[[mcp]]\nname = "kit"\ncommand = "${process.execPath}"\nargs = ["${server}", "${kind}"]\n`;
    writeFileSync(inHome("config.toml"), readFileSync(inHome("config.toml"), "utf8") + mcp);
  }
  const call = (more: string) => {
    dueTrigger("call", `provider = "caller"\n${more}`);
    const file = inHome("triggers", "call.toml");
    const text = readFileSync(file, "utf8").replace(/^tools = .*/m, 'tools = ["kit__act"]');
    writeFileSync(file, text);
    return cli("run", "call");
  };

  test("are there for a trigger that lists them", async () => {
    withServer("fine");
    const ran = await call('permission_mode = "allow"\n');
    expect(ran.err).toContain("✓ kit__act");
    expect(rows()[0]).toMatchObject({
      status: "ok",
      tool_calls: 1,
      tool_errors: 0,
      taint: { private: true, untrusted: false },
    });
  });

  test("are refused to one that may only read, unless the server says that they only do", async () => {
    withServer("fine");
    await call("");
    expect(rows()[0]).toMatchObject({
      status: "ok",
      tool_calls: 1,
      tool_errors: 0,
      taint: { private: false },
    });
    expect(session(rows()[0]?.session_id ?? null).get("outcome")).toMatchObject({ tool_denied: 1 });
  });

  test("are gone with their server, which is an error of the call and not of the run", async () => {
    withServer("closes");
    await call('permission_mode = "allow"\n');
    expect(rows()[0]).toMatchObject({ status: "ok", tool_calls: 1, tool_errors: 1, summary: "Called." });
  });

  test("are not started where the file says no, and the run says what it goes without", async () => {
    withServer("fine");
    const ran = await call("no_mcp = true\n");
    expect(ran.err).toContain('no tool is called "kit__act"');
    expect(rows()[0]).toMatchObject({ status: "ok", tool_calls: 1, tool_errors: 1 });
  });

  test("a server that does not start is said, and the run goes on", async () => {
    withServer("exits");
    const ran = await call("");
    expect(ran.err).toMatch(/MCP server "kit": cannot be used: it ended with exit code 4/);
    expect(rows()[0]).toMatchObject({ status: "ok", tool_errors: 1 });
  });
});

describe("tick", () => {
  test("runs what is due, once, and is silent where nothing is", async () => {
    dueTrigger("one");
    dueTrigger("two");
    dueTrigger("off", "enabled = false\n");
    const first = await cli("tick");
    expect(first.code).toBe(0);
    expect(
      first.out
        .trim()
        .split("\n")
        .sort()
        .map((line) => line.split("  ")[0]),
    ).toEqual(["one", "two"]);
    expect(rows().map(({ slot_ms }) => slot_ms)).toEqual([SLOT, SLOT]);
    expect(await cli("tick")).toMatchObject({ code: 0, out: "" });
    expect((await runCli(["trigger", "tick"], { home: at.home, answers: [] })).out).toBe("nothing is due\n");
    expect(JSON.parse((await cli("tick", "--json")).out)).toMatchObject({
      schema_version: 1,
      triggers: [],
      problems: [],
    });
  });

  test("its exit code tells of an error, and of a file that cannot be used", async () => {
    dueTrigger("bad", 'provider = "nobody"\n');
    expect((await cli("tick")).code).toBe(1);
    expect((await cli("tick")).code).toBe(0);
    addTrigger(at.home, "broken", "schedule = ");
    const ran = await cli("tick");
    expect(ran.code).toBe(1);
    expect(ran.err).toMatch(/broken\.toml:1: .*; left out/);
  });

  test("without triggers there is nothing to do and nothing is made", async () => {
    expect(await cli("tick")).toMatchObject({ code: 0, out: "", err: "" });
    expect(readdirSync(at.home)).toEqual(["work"]);
  });

  test("it is what the doctor was waiting for", async () => {
    const days = new Date(SLOT - 4 * DAY + 1000).toISOString();
    dueTrigger("late");
    const file = inHome("triggers", "late.toml");
    writeFileSync(file, readFileSync(file, "utf8").replace(/created_at = .*/, `created_at = "${days}"`));
    const now = new Date().toISOString();
    const doctor = () => runCli(["doctor"], { home: at.home, now });
    expect((await doctor()).out).toContain("trigger late has missed at least 3 slots");
    await cli("tick");
    expect(rows().map(({ status }) => status)).toEqual(["skipped-stale", "ok"]);
    expect((await runCli(["doctor"], { home: at.home, now: new Date().toISOString() })).code).toBe(0);
  });
});

describe("the end of a process", () => {
  beforeEach(() => script("slow", { rules: [{ steps: [{ text: "At last.", delay_ms: 60_000 }] }] }));

  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s: the row says interrupted, in both places",
    async (signal) => {
      dueTrigger("slow", 'provider = "slow"\n');
      const tick = child("tick");
      await until(() => running("slow"));
      tick.kill(signal);
      const [code] = await once(tick, "exit");
      expect(code).toBe(0);
      expect(rows()).toMatchObject([{ status: "ok", stop_cause: "interrupted", slot_ms: SLOT }]);
      const outcome = session(rows()[0]?.session_id ?? null).get("outcome");
      expect(outcome).toMatchObject({ stop_cause: "interrupted" });
      expect(running("slow")).toBe(false);
    },
  );

  test("SIGKILL: the next look writes down what was lost, and runs the slot once more", async () => {
    dueTrigger("slow", 'provider = "slow"\n');
    const tick = child("tick");
    await until(() => running("slow"));
    const busy = await cli("run", "slow");
    expect(busy).toMatchObject({ code: 1 });
    expect(busy.err).toMatch(/^mecha: trigger slow is running already, since /);
    tick.kill("SIGKILL");
    await once(tick, "exit");
    script("slow", { rules: [{ steps: [{ text: "Now." }], repeat: true }] });
    const again = await cli("tick");
    expect(again.code).toBe(1);
    expect(rows()).toMatchObject([
      { status: "error", slot_ms: SLOT, error: expect.stringContaining("killed") },
      { status: "ok", slot_ms: SLOT, summary: "Now." },
    ]);
    expect(rows()[0]?.session_id).not.toBe(rows()[1]?.session_id);
    expect(await cli("tick")).toMatchObject({ code: 0, out: "" });
  });
});
