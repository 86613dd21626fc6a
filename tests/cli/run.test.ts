import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { parseScript } from "#lib/agent/providers/parse-script.ts";
import { agentHome, bothReaders, onlySession, rowsOf } from "#tests/support/agent-home.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { startFakeOpenai } from "#tests/support/fake-openai.ts";

const homes: { home: string; remove(): void }[] = [];
afterEach(() => {
  for (const one of homes.splice(0)) one.remove();
});

type Over = { toml?: string; answers?: string[]; input?: string; env?: Record<string, string> };

/** Runs the command line in a new home, with a provider `s` that plays `script`. */
async function runWith(script: object | null, argv: string[], over: Over = {}) {
  const temp = tempHome();
  homes.push(temp);
  const place = agentHome(temp.home, script, over.toml);
  const { answers, input, env } = over;
  const ran = await runCli(["run", "-w", place.workspace, ...argv], {
    home: temp.home,
    ...(answers === undefined ? {} : { answers }),
    ...(input === undefined ? {} : { input }),
    env: { ...env },
  });
  return { ...ran, ...place };
}

const say = (text: string) => ({ otherwise: { text } });
/** One call after another, then an answer. */
const calls = (list: { tool: string; input?: object; arguments?: string }[], text = "done") => ({
  rules: list.map((call, at) => ({ when: { results: at }, steps: [{ calls: [call] }] })),
  otherwise: { text },
});
const PRICED =
  '[providers.priced]\nkind = "scripted"\nscript = "script.json"\ninput_price_per_mtok = 1\noutput_price_per_mtok = 2';
const WRITE = { tool: "fs_write", input: { path: "new.txt", content: "x" } };

describe("mecha run", () => {
  test("without a key it says what goes without one, and so does a chat", async () => {
    const said = [
      'mecha: the provider "anthropic" needs a key: the variable ANTHROPIC_API_KEY is not set',
      "without a key: try it with no model at all, -p scripted, or with a local server (docs/config.md)",
    ];
    const ran = await runWith(null, ["hello"]);
    expect(ran).toMatchObject({ code: 1, out: "", err: `${said.join("\n")}\n` });
    const chat = await runCli(["chat", "-w", ran.workspace], {
      home: homes[0]?.home ?? "",
      answers: ["hello"],
    });
    expect(chat.code).toBe(1);
    expect(chat.err).toContain(`${said.join("\n")}\n`);
  });

  test("gives the answer on standard output and what was done on standard error", async () => {
    const ran = await runWith(null, ["-p", "scripted", "look around"]);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.out).toBe("I listed the workspace and read its first file. It begins with: the first line\n");
    const { id } = onlySession(ran.sessions);
    expect(ran.err.split("\n")).toEqual([
      "note: scripted is a script and no model; its answers are made up",
      "· I look at the workspace first.",
      "→ fs_list {}",
      "✓ fs_list  9 B",
      "· I read the first file.",
      '→ fs_read {"path":"notes.txt"}',
      "✓ fs_read  26 B",
      expect.stringMatching(
        new RegExp(
          `^session ${id} · 3 turns · 2 calls · tokens \\d+ in, \\d+ out · cost — · completed · by a script, no model$`,
        ),
      ),
      "",
    ]);
  });

  test("writes a session that the format's rules and our scanner read alike", async () => {
    const ran = await runWith(null, ["-p", "scripted", "look around"]);
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    const { checked, scanned } = rowsOf(read);
    expect(scanned).toEqual(checked);
    expect(checked).toMatchObject([
      { provider: "scripted", counters: { turns: 3, tool_calls: 2, stop_cause: "completed" } },
    ]);
    expect(read.scan.sessions).toMatchObject([{ title: "look around", workspace: ran.workspace }]);
  });

  test("takes the prompt from standard input, with - and without an argument", async () => {
    for (const argv of [
      ["-p", "s", "-"],
      ["-p", "s"],
    ]) {
      const script = { rules: [{ when: { prompt_is: "from\na pipe" }, steps: [{ text: "heard" }] }] };
      expect(await runWith(script, argv, { input: "from\na pipe\n" })).toMatchObject({
        code: 0,
        out: "heard\n",
      });
    }
  });

  test("--json prints one object and nothing else", async () => {
    const ran = await runWith(calls([{ tool: "fs_read", input: { path: "gone" } }]), [
      "-p",
      "s",
      "--json",
      "x",
    ]);
    const { id, file } = onlySession(ran.sessions);
    expect(JSON.parse(ran.out)).toMatchObject({
      schema_version: 1,
      session_id: id,
      session_file: file,
      scripted: true,
      answer: "done",
      refused: false,
      failure: null,
      outcome: { turns: 2, tool_calls: 1, tool_errors: 1, ended_on_failed_call: true },
    });
  });

  test("sets what the flags say", async () => {
    const argv = ["-p", "priced", "-e", "low", "-s", "be brief", "--max-turns", "7", "--max-cost", "0.5"];
    const more = ["--max-output-tokens", "900", "--compact-at", "5000", "--no-thinking", "--read-only"];
    const last = ["--tool", "fs_read", "--tool", "fs_list", "--unconfined", "--title", "named", "x"];
    const ran = await runWith(say("ok"), [...argv, ...more, ...last], { toml: PRICED });
    const [meta, config] = readFileSync(onlySession(ran.sessions).file, "utf8")
      .split("\n")
      .map((line) => line && JSON.parse(line));
    expect(meta).toMatchObject({ title: "named" });
    expect(config).toMatchObject({
      effort: "low",
      system_prompt: "be brief",
      max_turns: 7,
      max_cost_usd: 0.5,
      max_output_tokens: 900,
      compact_at_tokens: 5000,
      thinking: false,
      permission_mode: "read-only",
      tools: ["fs_list", "fs_read"],
      sandbox: "none",
    });
  });

  test("-v shows what calls gave, bounded and made visible", async () => {
    const content = `\u001b[31m\n${"line\n".repeat(30)}`;
    const ran = await runWith(
      calls([
        { tool: "fs_write", input: { path: "a.txt", content } },
        { tool: "fs_read", input: { path: "a.txt" } },
      ]),
      ["-p", "s", "-y", "-v", "x"],
    );
    expect(ran.err).toContain("    \\u{1b}[31m\n    line\n");
    expect(ran.err).toContain("    … 11 more line(s)\n");
  });

  test("says when the tools can read mecha's own folder", async () => {
    const ran = await runWith(say("ok"), ["-p", "s", "x"]);
    expect(ran.err).not.toContain("own folder");
    const ofHome = await runCli(["run", "-p", "s", "x"], { home: ran.home });
    expect(ofHome.err).toContain(
      `note: the tools can read mecha's own folder ${path.join(ran.home, ".mecha")}`,
    );
  });

  test("reads the system prompt from a file", async () => {
    const temp = tempHome();
    homes.push(temp);
    writeFileSync(path.join(temp.home, "sys.md"), "from a file");
    const { sessions } = agentHome(temp.home, say("ok"));
    await runCli(["run", "-p", "s", "-s", "@sys.md", "x"], { home: temp.home });
    expect(onlySession(sessions).content.toString()).toContain('"system_prompt":"from a file"');
    const ran = await runCli(["run", "-p", "s", "-s", "@gone.md", "x"], { home: temp.home });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("gone.md: there is no such file");
  });
});

describe("how a run ends", () => {
  test.each([
    ["a refusal", { otherwise: { text: "I will not.", stop: "refusal" } }, [], "mecha: the model refused"],
    ["no output", say(""), [], "mecha: the model gave no answer"],
    [
      "a failed provider",
      { otherwise: { fail: { problem: "on fire" } } },
      [],
      "mecha: the run failed: on fire",
    ],
  ])("%s: exit code 1 and a line that says so", async (_, script, argv, line) => {
    const ran = await runWith(script, ["-p", "s", ...argv, "x"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain(`\n${line}`);
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.scan.runs).toHaveLength(line.includes("failed") ? 0 : 1);
  });

  test("what was said before the provider failed is no answer", async () => {
    const script = {
      rules: [{ when: { results: 0 }, steps: [{ text: "I look.", calls: [{ tool: "fs_list" }] }] }],
      otherwise: { fail: { problem: "on fire" } },
    };
    expect(await runWith(script, ["-p", "s", "x"])).toMatchObject({ code: 1, out: "" });
  });

  test("cut short with an answer: exit code 0, and the limit is named", async () => {
    const endless = {
      rules: [
        { when: {}, steps: [{ calls: [{ tool: "fs_list", input: {} }] }], repeat: true },
        { when: { purpose: "final" }, steps: [{ text: "so far" }] },
      ],
    };
    const ran = await runWith(endless, ["-p", "s", "--max-turns", "2", "x"]);
    expect(ran).toMatchObject({ code: 0, out: "so far\n" });
    expect(ran.err).toContain("mecha: cut short: the limit on turns was reached");
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.checked.rows).toMatchObject([{ counters: { stop_cause: "max_turns", turns: 2 } }]);
  });

  test("a failing tool, arguments that are no JSON and a tool that does not exist are counted", async () => {
    const list = [
      { tool: "fs_read", arguments: "{no" },
      { tool: "fly", input: {} },
      { tool: "fs_read", input: { path: "notes.txt" } },
    ];
    const ran = await runWith(calls(list), ["-p", "s", "x"]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("✕ fly");
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    const { checked, scanned } = rowsOf(read);
    expect(scanned).toEqual(checked);
    expect(checked).toMatchObject([
      { counters: { tool_calls: 3, tool_errors: 2, malformed_tool_args: 1, tool_denied: 0 } },
    ]);
  });

  test("text of a model cannot act on a terminal; a pipe gets it exactly", async () => {
    const script = say("\u001b[2Jclean\u0007\n\tnext");
    expect((await runWith(script, ["-p", "s", "x"])).out).toBe("\u001b[2Jclean\u0007\n\tnext\n");
    expect((await runWith(script, ["-p", "s", "x"], { answers: [] })).out).toContain(
      "\\u{1b}[2Jclean\\u{7}\n\tnext\n",
    );
  });
});

describe("who allows a call", () => {
  test("nobody watching: refused as policy, and counted as a denial", async () => {
    const ran = await runWith(calls([WRITE]), ["-p", "s", "x"]);
    expect(existsSync(path.join(ran.workspace, "new.txt"))).toBe(false);
    expect(ran.err).toContain("⊘ fs_write  denied: Blocked by policy: nobody is there who could allow it");
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.checked.rows).toMatchObject([{ counters: { tool_denied: 1, tool_errors: 0 } }]);
  });

  test("--yes allows, --read-only refuses", async () => {
    const allowed = await runWith(calls([WRITE]), ["-p", "s", "--yes", "x"]);
    expect(readFileSync(path.join(allowed.workspace, "new.txt"), "utf8")).toBe("x");
    const refused = await runWith(calls([WRITE]), ["-p", "s", "--read-only", "x"]);
    expect(refused.err).toContain("denied: Blocked by policy:");
  });

  test.each([
    [["y", "n"], 1, 1],
    [["a"], 2, 0],
    [["", ""], 0, 2],
    [[], 0, 2],
  ])("a person answers %j: %i written, %i denied", async (answers, written, denied) => {
    const second = { tool: "fs_write", input: { path: "more.txt", content: "y" } };
    const ran = await runWith(calls([WRITE, second]), ["-p", "s", "x"], { answers });
    expect(readdirSync(ran.workspace).filter((name) => name !== "notes.txt")).toHaveLength(written);
    expect(ran.out).toContain(
      '? fs_write may change something\n  {\n    "path": "new.txt",\n    "content": "x"\n  }\n',
    );
    const { checked } = await bothReaders(ran.sessions, "run");
    expect(checked.problems).toEqual([]);
    expect(checked.rows).toMatchObject([{ counters: { tool_denied: denied } }]);
  });

  test("ask_user is there for a person only, and takes an option by its number", async () => {
    const ask = calls(
      [{ tool: "ask_user", input: { question: "which?", options: ["red", "blue"] } }],
      "thanks",
    );
    const asked = await runWith(ask, ["-p", "s", "x"], { answers: ["2"] });
    expect(asked.out).toContain("? which?\n  1 red\n  2 blue\n> ");
    expect(onlySession(asked.sessions).content.toString()).toContain("blue");
    const alone = await runWith(ask, ["-p", "s", "x"]);
    expect(alone.err).toContain("✕ ask_user");
  });

  test("a send after private content has met a stranger's text is refused, counted once, and said", async () => {
    let hits = 0;
    const server = createServer((_, answer) => {
      hits += 1;
      answer.end("a page");
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const fetch = { tool: "http_fetch", input: { url } };
    const list = [{ tool: "fs_read", input: { path: "notes.txt" } }, fetch, fetch];
    const toml = "[security]\nblock_private_ips = false";
    const ran = await runWith(calls(list), ["-p", "s", "x"], { toml });
    server.close();
    expect(hits).toBe(1);
    expect(ran.err).toContain("blocked 1 send: ");
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.checked.rows).toMatchObject([
      { counters: { blocked_sends: 1, tool_denied: 1, tool_calls: 3 } },
    ]);
    expect(read.scan.runs).toMatchObject([{ taint: { private: true, untrusted: true } }]);
  });
});

describe("a command line or a place that cannot be used", () => {
  test.each([
    [["-p", "s", "--yes", "--read-only", "x"], 2, "exclude each other"],
    [["-p", "s", " "], 2, "the prompt is empty"],
    [["-p", "s", "-e", "huge", "x"], 2, "It must be low, medium"],
    [["-p", "s", "--max-cost", "-1", "x"], 2, "US dollars above 0"],
    [["-p", "s", "--max-cost", "1", "x"], 2, "the cost of provider s is not known"],
    [["-p", "s", "-w", "/nonexistent", "x"], 1, "workspace /nonexistent: there is no such folder"],
    [["-p", "s", "--tool", "fs_raed", "x"], 1, 'no tool is called "fs_raed" (did you mean fs_read?)'],
    [["-p", "nobody", "x"], 1, "nobody"],
    [["-p", "s", "two", "words"], 2, "put it in quotes"],
    [["-p", "s", "-", "-"], 2, "put it in quotes"],
  ])("%j: exit code %i", async (argv, code, words) => {
    const ran = await runWith(say("ok"), argv);
    expect(ran).toMatchObject({ code, out: "" });
    expect(ran.err).toContain(words);
    expect(existsSync(ran.sessions) && readdirSync(ran.sessions).length > 0).toBe(false);
  });

  test("without a prompt on a terminal it says what it needs", async () => {
    const ran = await runWith(say("ok"), ["-p", "s"], { answers: [] });
    expect(ran).toMatchObject({ code: 2 });
    expect(ran.err).toContain('run needs a prompt: mecha run "PROMPT"');
  });

  test("a session that cannot be started ends it before the model is asked", async () => {
    const temp = tempHome();
    homes.push(temp);
    const { workspace } = agentHome(temp.home, calls([WRITE]));
    const blocked = path.join(temp.home, "file");
    writeFileSync(blocked, "");
    const ran = await runCli(["run", "-p", "s", "-y", "-w", workspace, "x"], {
      home: temp.home,
      env: { MECHA_SESSION_DIR: path.join(blocked, "sessions") },
    });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toBe(
      `mecha: cannot start a session in ${path.join(blocked, "sessions")}: a part of the path is no folder\n`,
    );
    expect(existsSync(path.join(workspace, "new.txt"))).toBe(false);
  });

  test.skipIf(process.platform !== "linux")(
    "nor where the file system has no place for a folder, as below /proc (Linux)",
    async () => {
      const ran = await runWith(null, ["-p", "scripted", "x"], { env: { MECHA_SESSION_DIR: "/proc/nope" } });
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err).toBe("mecha: cannot start a session in /proc/nope: no folder can be made there\n");
    },
  );
});

describe("what comes over HTTP", () => {
  const list = [
    { tool: "fs_read", arguments: "{no" },
    { tool: "fly" },
    { tool: "fs_read", input: { path: "notes.txt" } },
  ];

  test("gives the same row as the script that the server plays", async () => {
    const parsed = parseScript(JSON.stringify({ name: "s", ...calls(list) }), "s");
    if (!parsed.ok) throw new Error(parsed.problem);
    const server = await startFakeOpenai(parsed.value);
    const toml = `[providers.local]\nkind = "local"\nmodel = "m"\nbase_url = "${server.url}"`;
    const overHttp = await runWith(calls(list), ["-p", "local", "x"], { toml });
    await server.close();
    const scripted = await runWith(calls(list), ["-p", "s", "x"]);
    expect(overHttp).toMatchObject({ code: 0, out: "done\n" });
    const [one, other] = [
      await bothReaders(overHttp.sessions, "run"),
      await bothReaders(scripted.sessions, "run"),
    ];
    expect([one.checked.problems, other.checked.problems]).toEqual([[], []]);
    expect(one.checked.rows.map(({ counters }) => counters)).toEqual(
      other.checked.rows.map(({ counters }) => counters),
    );
    expect(one.scan.runs).toMatchObject([{ provider: "local", model: "m" }]);
  });

  test("a fallback that answers is named, on the screen and in the session, and has the row", async () => {
    const toml =
      '[providers.down]\nkind = "local"\nmodel = "m"\nbase_url = "http://127.0.0.1:9"\nmax_retries = 0\nfallbacks = ["s"]';
    const ran = await runWith(say("I stand in"), ["-p", "down", "x"], { toml });
    expect(ran).toMatchObject({ code: 0, out: "I stand in\n" });
    expect(ran.err).toContain("· s answers from here on, with s");
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.scan.runs).toMatchObject([{ provider: "s", model: "s" }]);
    const gone = await runWith(null, ["-p", "down", "x"], { toml: toml.replace('fallbacks = ["s"]', "") });
    expect(gone).toMatchObject({ code: 1, out: "" });
    expect(gone.err).toContain("mecha: the run failed: ");
    expect((await bothReaders(gone.sessions, "run")).checked).toMatchObject({ problems: [], rows: [] });
  });

  test("ten megabytes of arguments are one line that both readers take", async () => {
    const huge = [{ tool: "fs_read", arguments: `{"path":"${"x".repeat(10_000_000)}` }, { tool: "fs_list" }];
    const ran = await runWith(calls(huge), ["-p", "s", "x"]);
    expect(ran.code).toBe(0);
    expect(Math.max(...ran.err.split("\n").map((line) => line.length))).toBeLessThan(300);
    const read = await bothReaders(ran.sessions, "run");
    expect(read.checked.problems).toEqual([]);
    expect(read.scan.runs).toMatchObject([{ malformed_tool_args: 1, tool_calls: 2 }]);
  });
});
