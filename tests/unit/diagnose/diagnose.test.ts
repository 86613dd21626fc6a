import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { LoopEvent } from "#lib/agent/parts.ts";
import type { Config } from "#lib/config/config.ts";
import { defaultConfig, EMPTY_HOOK, EMPTY_PROVIDER } from "#lib/config/defaults.ts";
import { briefText } from "#lib/diagnose/brief.ts";
import { diagnose } from "#lib/diagnose/diagnose.io.ts";
import { evidenceOf } from "#lib/diagnose/evidence.ts";
import { packageRoot } from "#lib/diagnose/own-pages.io.ts";
import { tallyByModel } from "#lib/health/tally.ts";
import { aRun } from "#tests/support/a-run.ts";
import { scratchDir } from "#tests/support/session-files.ts";

const BLOCK = (rationale: string, change = "max_turns=60") =>
  `I think so.\n\nPROPOSAL\nclass: config\nchange: ${change}\nmetric: cut_short\nrationale: ${rationale}`;

const [slice] = tallyByModel(
  Array.from({ length: 30 }, () => aRun({ model: "m-1", stop_cause: "max_turns" })),
);

function gathered() {
  if (slice === undefined) throw new Error("no slice");
  const evidence = evidenceOf({
    slice,
    sessionsRead: 30,
    window: { days: null, limit: 200 },
    findings: [],
    config: defaultConfig(),
    vouched: new Set(),
  });
  return {
    subject: "m-1",
    evidence,
    brief: briefText(evidence),
    window: { days: null, limit: 200, as_of: "x" },
  };
}

type Over = { config?: Partial<Config>; web?: boolean; signal?: AbortSignal; env?: Record<string, string> };

/** One diagnosis by a script, and everything that happened on the way. */
async function by(script: object, { config: given, web = false, signal, env = {} }: Over = {}) {
  const file = path.join(scratchDir(), "script.json");
  writeFileSync(file, JSON.stringify({ name: "s", ...script }));
  const config = {
    ...defaultConfig(),
    providers: { s: { ...EMPTY_PROVIDER, kind: "scripted" as const, script: file } },
    ...given,
  };
  const events: LoopEvent[] = [];
  const diagnosis = await diagnose(
    {
      gathered: gathered(),
      config,
      provider: "s",
      model: "s",
      web,
      env,
      now_ms: Date.parse("2026-11-30T10:00:00Z"),
    },
    { signal: signal ?? new AbortController().signal, onEvent: (event) => void events.push(event) },
  );
  const results = events.flatMap((event) =>
    event.type === "call_finished" ? [{ name: event.call.name, ...event }] : [],
  );
  return { diagnosis, events, results };
}

const call = (tool: string, input: object) => ({ steps: [{ text: "I look.", calls: [{ tool, input }] }] });

/** Eight words in a row of a source file of this program, past its beginning. */
function wordsOf(file: string): string {
  const text = readFileSync(path.join(packageRoot(), file), "utf8");
  const comment = /\/\*\*([^*]|\*(?!\/))*\*\//.exec(text)?.[0] ?? "";
  return comment.replace(/[*/]/g, " ").trim().split(/\s+/).slice(2, 10).join(" ");
}

describe("a diagnosis", () => {
  it("ends with a proposal and its command", async () => {
    const { diagnosis } = await by({ otherwise: { text: BLOCK("long tasks need room") } });
    expect(diagnosis).toMatchObject({
      created_at: "2026-11-30T10:00:00Z",
      reading: {
        kind: "proposal",
        command: ["mecha", "eval", "--ab-config", "max_turns=60", "eval/cases.jsonl"],
      },
      subject: "m-1",
      provider: "s",
      scripted: true,
      cost_usd: null,
      reply: BLOCK("long tasks need room"),
    });
    expect(diagnosis.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(diagnosis.usage?.input_tokens).toBeGreaterThan(100);
  });

  it.each([
    ["a decline", { otherwise: { text: "Too few runs to say." } }, { kind: "declined" }],
    [
      "a block that cannot be used",
      { otherwise: { text: "PROPOSAL\nclass: config\nchange: x=1" } },
      { kind: "unparsable", reason: "metric is missing" },
    ],
    [
      "a provider that failed",
      { otherwise: { fail: { problem: "the key is wrong" } } },
      { kind: "failed", reason: "the key is wrong" },
    ],
    [
      "a refusal of the model",
      { otherwise: { text: "No.", stop: "refusal" } },
      { kind: "failed", reason: "the model refused to answer" },
    ],
    ["silence", { otherwise: { text: "" } }, { kind: "failed", reason: "the model gave no answer" }],
    [
      "an unseen character",
      { otherwise: { text: BLOCK("fine", "max_turns=60\u001b[2J") } },
      { kind: "refused" },
    ],
    [
      "words of the brief",
      { otherwise: { text: BLOCK("Counters of agent runs. A program counted all of them, so") } },
      { kind: "refused" },
    ],
    [
      "words of the instruction",
      { otherwise: { text: BLOCK("a single setting, written KEY=VALUE, with KEY one of the set") } },
      { kind: "refused" },
    ],
  ])("ends with %s", async (_, script, reading) => {
    expect((await by(script)).diagnosis.reading).toMatchObject(reading);
  });

  it("is broken off by its signal, and says so", async () => {
    const stop = new AbortController();
    stop.abort();
    const { diagnosis } = await by({ otherwise: { text: BLOCK("x") } }, { signal: stop.signal });
    expect(diagnosis.reading).toEqual({ kind: "failed", reason: "the run was interrupted" });
  });

  it("that cannot even start is a failed one", async () => {
    const config = {
      providers: { s: { ...EMPTY_PROVIDER, kind: "anthropic" as const, model: "claude-x-1" } },
    };
    const { diagnosis } = await by({ otherwise: null, rules: [] }, { config });
    expect(diagnosis.reading).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
  });
});

describe("what it reads", () => {
  it("is this program's guides and source, and is not private: a page can be fetched afterwards", async () => {
    const { results } = await by(
      {
        rules: [
          { when: { results: 0 }, ...call("fs_list", {}) },
          { when: { results: 1 }, ...call("fs_read", { path: "lib/shell-quote.ts" }) },
          { when: { results: 2 }, ...call("fs_list", { path: "docs" }) },
          { when: { results: 3 }, ...call("http_fetch", { url: "http://127.0.0.1:9/" }) },
          { when: { results: 4 }, steps: [{ text: "Nothing." }] },
        ],
      },
      { web: true },
    );
    expect(results.map(({ name, entry }) => [name, entry.is_error, entry.denied])).toEqual([
      ["fs_list", false, false],
      ["fs_read", false, false],
      ["fs_list", false, false],
      ["http_fetch", true, false],
    ]);
    expect(results[0]?.content).toBe("README.md\nARCHITECTURE.md\ndocs/\nlib/");
    expect(results[1]?.content).toContain("shellLine");
  });

  it.each([
    ["fs_read", { path: "package.json" }],
    ["fs_read", { path: "lib/../package.json" }],
    ["fs_read", { path: "docs/../.git/HEAD" }],
    ["fs_read", { path: "/etc/hostname" }],
    ["fs_list", { path: "/" }],
    ["fs_list", { path: ".." }],
    ["fs_list", { path: "tests" }],
    ["fs_list", { path: ".git" }],
  ])("is nothing else: %s %j", async (tool, input) => {
    const script = {
      rules: [{ when: { results: 0 }, ...call(tool, input) }],
      otherwise: { text: "Nothing." },
    };
    const { results } = await by(script);
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({
      entry: { is_error: true, denied: false },
      content: expect.stringContaining("only these can be read"),
    });
  });

  it.each(["fs_write", "fs_edit", "shell", "http_fetch", "web_search", "todo", "ask_user"])(
    "there is no %s",
    async (tool) => {
      const script = {
        rules: [{ when: { results: 0 }, ...call(tool, { path: "lib/x" }) }],
        otherwise: { text: "Nothing." },
      };
      const { results } = await by(script, { config: { search: [] } });
      expect(results[0]?.entry.unknown).toBe(true);
    },
  );

  it("may be guarded by the person's own hook", async () => {
    const hook = [{ ...EMPTY_HOOK, event: "pre_tool" as const, command: ["false"] }];
    const script = {
      rules: [{ when: { results: 0 }, ...call("fs_list", {}) }],
      otherwise: { text: "Nothing." },
    };
    const { results } = await by(script, { config: { hook }, env: { PATH: process.env.PATH ?? "" } });
    expect(results[0]?.entry.denied).toBe(true);
  });

  it("is not quoted: eight words of a source file that it read refuse a proposal, of one it did not read they do not", async () => {
    const words = wordsOf("lib/shell-quote.ts");
    expect(words.split(" ")).toHaveLength(8);
    const read = {
      rules: [{ when: { results: 0 }, ...call("fs_read", { path: "lib/shell-quote.ts" }) }],
      otherwise: { text: BLOCK(words) },
    };
    expect((await by(read)).diagnosis.reading).toMatchObject({
      kind: "refused",
      reason: expect.stringContaining("its rationale repeats what was read"),
    });
    expect((await by({ otherwise: { text: BLOCK(words) } })).diagnosis.reading.kind).toBe("proposal");
  });

  it("counts as read also where a summary has taken its place since", async () => {
    const words = wordsOf("lib/shell-quote.ts");
    const base = defaultConfig();
    const script = {
      rules: [
        { when: { purpose: "summary" }, steps: [{ text: "I read a file." }], repeat: true },
        { when: { purpose: "validate" }, steps: [{ text: "fine" }], repeat: true },
        { when: { turn: 1 }, ...call("fs_read", { path: "lib/shell-quote.ts" }) },
        { when: { turn: 2 }, ...call("fs_list", { path: "docs" }) },
        { when: { turn: 3 }, ...call("fs_list", { path: "lib" }) },
        { when: { turn: 4 }, ...call("fs_list", { path: "lib/agent" }) },
      ],
      otherwise: { text: BLOCK(words) },
    };
    const config = { agent: { ...base.agent, compact_at_tokens: 900, compact_keep_recent: 2 } };
    const { diagnosis, events } = await by(script, { config });
    expect(events.some(({ type }) => type === "rewrite")).toBe(true);
    expect(diagnosis.reading.kind).toBe("refused");
  });

  it("is not quoted: eight words of a guide refuse a proposal, read or not", async () => {
    const readme = readFileSync(path.join(packageRoot(), "README.md"), "utf8");
    const prose =
      readme.split("\n\n").find((part) => /^[A-Z][^|`#<]+$/.test(part) && part.split(/\s+/).length > 12) ??
      "";
    const words = prose.split(/\s+/).slice(1, 9).join(" ");
    expect(words.split(" ")).toHaveLength(8);
    expect((await by({ otherwise: { text: BLOCK(words) } })).diagnosis.reading.kind).toBe("refused");
  });
});

describe("a page from the web", () => {
  let server: Server | undefined;
  afterEach(() => new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve))));

  it("that is repeated refuses the proposal; a conclusion from it does not", async () => {
    server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        "<p>Operators should <b>raise the limit</b> on every\nturn before anything else is tried.</p>",
      );
    });
    const listening = server;
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(listening.address() as AddressInfo).port}/`;
    const base = defaultConfig();
    const config = { security: { ...base.security, block_private_ips: false } };
    const saying = (rationale: string) => ({
      rules: [{ when: { results: 0 }, ...call("http_fetch", { url }) }],
      otherwise: { text: BLOCK(rationale) },
    });
    const lifted = await by(saying("raise the limit on every turn before anything else"), {
      config,
      web: true,
    });
    expect(lifted.results[0]?.entry.is_error).toBe(false);
    expect(lifted.diagnosis.reading).toMatchObject({
      kind: "refused",
      reason: 'its rationale repeats what was read: "raise the limit on every turn before anything"',
    });
    const own = await by(saying("a higher ceiling would let them end"), { config, web: true });
    expect(own.diagnosis.reading.kind).toBe("proposal");
  });
});
