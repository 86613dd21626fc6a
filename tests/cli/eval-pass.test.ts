import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { tempHome } from "#tests/support/cli.ts";
import { type EvalHome, evalHome, trivialCases } from "#tests/support/eval-home.ts";
import { startFakeOpenai } from "#tests/support/fake-openai.ts";
import { scriptOf } from "#tests/support/three-models.ts";
import { parseXml } from "#tests/unit/eval/xml.ts";

let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => {
  vi.unstubAllEnvs();
  temp.remove();
});

/** A temporary folder of its own: in the usual one others make evaluations, too, and tidy up behind them. */
function ownTemporary(): void {
  const folder = path.join(temp.home, "tmp");
  mkdirSync(folder);
  vi.stubEnv("TMPDIR", folder);
}

function home(parts: Parameters<typeof evalHome>[1]): EvalHome {
  return evalHome(temp.home, parts);
}

function read(name: string): string {
  return readFileSync(path.join(temp.home, name), "utf8");
}

function reportAt(name = "r.json"): Report {
  const report = parseReport(JSON.parse(read(name)));
  if (!report.ok) throw new Error(report.problem);
  return report.value;
}

const EVAL = ["eval", "cases.jsonl", "-p", "s"];

test("more runs than anybody can have meant are refused", async () => {
  const { mecha } = home({ cases: trivialCases(2) });
  const { code, err } = await mecha(...EVAL, "-k", "100001");
  expect(code).toBe(2);
  expect(err).toContain("2 case(s), each run 100001 time(s), are 200002 runs; one pass has at most 200000");
});

describe("the exit code", () => {
  const fails = { prompt: "p", tags: ["bad"], expect: { contains: ["not said"] } };
  const passes = { prompt: "p", tags: ["good"], expect: { contains: ["fine"] } };
  const cases = [
    { id: "a", ...passes },
    { id: "b", ...passes },
    { id: "c", ...passes },
    { id: "d", ...fails },
  ];

  test.each([
    ["a case failed", [], 1, ""],
    ["every case of the slice passed", ["--tag", "good"], 0, ""],
    ["an unknown tag", ["--tag", "nope"], 1, 'no case has the tag "nope"'],
    ["a share that holds", ["--min-pass", "0.75"], 0, ""],
    ["a share that does not", ["--min-pass", "0.76"], 1, "below --min-pass 0.76"],
    ["few flaky ones, and one that never passes", ["--max-flaky", "1"], 1, ""],
    ["a missing file", ["--fixture", "gone"], 1, "the fixture is no folder"],
    ["an unknown provider", ["-p", "perfekt"], 1, 'did you mean "perfect"?'],
    ["an unknown judge", ["--judge-provider", "gone"], 1, ""],
    ["--fail-on alone", ["--fail-on", "regression"], 2, "go together"],
    ["pipelines and two arms", ["--ab-config", "max_turns=3", "--junit", "x"], 2, "no gate"],
    ["a summary without a place", ["--github-summary"], 2, "GITHUB_STEP_SUMMARY is not set"],
  ])("%s", async (name, flags, code, said) => {
    const set =
      name === "an unknown judge" ? [...cases, { id: "j", ...passes, expect: { judge: "r" } }] : cases;
    const ran = await home({ cases: set }).mecha(...EVAL, ...flags);
    expect(ran.code).toBe(code);
    expect(ran.err).toContain(said);
  });

  test("nothing that runs is nothing measured: no case, and every run an error", async () => {
    const none = await home({ cases: [] }).mecha(...EVAL);
    expect(none).toMatchObject({ code: 1, err: "mecha: cases.jsonl: no case in it\n" });
    const script = { otherwise: { fail: { problem: "on fire", times: 99 } } };
    const broken = await home({ cases: trivialCases(3), script }).mecha(...EVAL, "--min-pass", "0");
    expect(broken.code).toBe(1);
    expect(broken.err).toContain("every run ended in an error: nothing was measured");
    expect(broken.out).toContain("0 scored · 3 errored · 0 not scored · 3 runs");
  });

  test("a flaky case is let pass where some may be flaky, and one that never passes is not", async () => {
    const script = scriptOf({ rules: [{ steps: [{ text: "bad" }, { text: "fine" }], repeat: true }] });
    const server = await startFakeOpenai(script);
    const toml = `[providers.far]\nkind = "openai-compatible"\nbase_url = "${server.url}"\nmodel = "m"\n`;
    const { mecha } = home({ cases: trivialCases(1), toml });
    const twice = ["eval", "cases.jsonl", "-p", "far", "-k", "2", "-c", "1"];
    const codes = [
      (await mecha(...twice)).code,
      (await mecha(...twice, "--max-flaky", "1")).code,
      (await mecha(...twice, "--max-flaky", "0")).code,
    ];
    await server.close();
    expect(codes).toEqual([1, 0, 1]);
  });

  test("a baseline: what passed there must pass", async () => {
    const { mecha } = home({ cases });
    await mecha(...EVAL, "-o", "before.json");
    const same = await mecha(...EVAL, "--baseline", "before.json", "--fail-on", "regression");
    expect(same.code).toBe(0);
    home({ cases, script: { otherwise: { text: "bad" } } });
    const worse = await mecha(
      ...EVAL,
      "--baseline",
      "before.json",
      "--fail-on",
      "regression",
      "--junit",
      "j.xml",
    );
    expect(worse.code).toBe(1);
    expect(worse.err).toContain("3 case(s) passed in the baseline and do not pass now: a, b, c");
    expect(parseXml(read("j.xml")).children[0]?.attributes).toMatchObject({ tests: "4", failures: "4" });
  });
});

describe("a report", () => {
  test("as JSON says what failed, and what it was held against", async () => {
    const { mecha } = home({ cases: trivialCases(2, { contains: ["else"] }) });
    const { out } = await mecha(...EVAL, "--json", "--min-pass", "1");
    const said = JSON.parse(out);
    expect(said).toMatchObject({ schema_version: 1, scorecard: { total: 2, passed: 0 } });
    expect(said.failed[0]).toMatchObject({ id: "case-0", run: 1, checks: [{ name: 'says "else"' }] });
    expect(said.problems).toEqual(["0 of 2 cases passed (0.0%), below --min-pass 1"]);
  });

  test("names a script as none of a model's scores, and its transcripts stand beside it", async () => {
    const { mecha } = home({ cases: trivialCases(2) });
    const { out, err } = await mecha(...EVAL, "-o", "out/r.json");
    expect(out).toMatch(/^s \(a script, no model\) {2}\(s\)$/m);
    expect(err).toContain("plays a script: this is no model's score");
    const report = reportAt("out/r.json");
    expect(report.model).toBe("s (a script, no model)");
    for (const { transcript } of report.runs) {
      expect(transcript).toMatch(/^r\.json\.transcripts\/[^/]+\.jsonl$/);
      expect(read(`out/${transcript}`)).toContain('"record":"outcome"');
    }
    // The session store of the person stays clean.
    expect(existsSync(path.join(temp.home, ".mecha/sessions"))).toBe(false);
  });

  test("bounds a huge answer, which is graded whole", async () => {
    const { mecha } = home({
      cases: trivialCases(1, { contains: ["the end"] }),
      script: { otherwise: { text: `${"x ".repeat(200_000)}the end` } },
    });
    expect((await mecha(...EVAL, "-o", "r.json")).code).toBe(0);
    expect(reportAt().runs[0]?.text).toMatch(/\n\[… 200007 more characters\]$/);
  });

  test("tells the numbers of a call as the model wrote them", async () => {
    const call = { tool: "fs_read", arguments: '{"path": "a.txt", "offset": 3.0}' };
    const { mecha } = home({
      cases: [
        {
          id: "float",
          tags: ["t"],
          prompt: "p",
          expect: { args: [{ tool: "fs_read", key: "offset", equals: "3.0" }] },
        },
        {
          id: "whole",
          tags: ["t"],
          prompt: "p",
          expect: { args: [{ tool: "fs_read", key: "offset", equals: "3" }] },
        },
      ],
      script: { rules: [{ when: { results: 0 }, steps: [{ calls: [call] }] }] },
    });
    await mecha(...EVAL, "-o", "r.json");
    expect(reportAt().runs.map(({ passed }) => passed)).toEqual([true, false]);
  });

  test("the judge's tokens stand apart from the model's", async () => {
    const server = await startFakeOpenai(scriptOf({ otherwise: { text: '{"pass": true, "reason": "ok"}' } }));
    const { mecha } = home({
      cases: [{ id: "a", tags: ["t"], prompt: "p", expect: { judge: "is it so?" } }],
      toml: `[providers.j]\nkind = "openai-compatible"\nbase_url = "${server.url}"\nmodel = "strict"\ninput_price_per_mtok = 1\noutput_price_per_mtok = 1\n`,
    });
    const { code, out, err } = await mecha(...EVAL, "--judge-provider", "j", "-o", "r.json");
    await server.close();
    expect(code).toBe(0);
    expect(err).not.toContain("not independent");
    expect(out).toMatch(/^ {2}judge {15}strict \(j\)$/m);
    const { meta, head } = reportAt();
    expect(meta.judge).toEqual({ provider: "j", model: "strict" });
    expect(meta.judge_usage?.output_tokens).toBeGreaterThan(0);
    expect(meta.judge_cost_usd).toBeGreaterThan(0);
    expect(head.total_usage?.output_tokens).toBeLessThan(meta.judge_usage?.output_tokens ?? 0);
  });
});

describe("a server that does not start", () => {
  test("ends the pass: it would change what the set measures", async () => {
    const { mecha, home: place } = home({ cases: trivialCases(3) });
    writeFileSync(path.join(place, "mcp.toml"), '[[mcp]]\nname = "gone"\ncommand = "no-such-program"\n');
    const { code, out, err } = await mecha(...EVAL, "--mcp-file", "mcp.toml");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain('MCP server "gone": cannot be used');
  });
});

describe("the fixture", () => {
  const sandboxed = [
    { id: "a", tags: ["t"], prompt: "p", sandbox: true, expect: { verify: "test -f a.txt" } },
  ];

  test("that leads in a circle, or holds a pipe, is named before anything runs", async () => {
    const { mecha, home: place } = home({ cases: sandboxed });
    symlinkSync("..", path.join(place, "workspace/up"));
    expect((await mecha(...EVAL)).err).toMatch(
      /workspace\/up\/workspace is a link into a folder that holds it\n$/,
    );
    const pipes = path.join(place, "pipes");
    mkdirSync(pipes);
    execFileSync("mkfifo", [path.join(pipes, "p")]);
    expect((await mecha(...EVAL, "--fixture", pipes)).err).toMatch(
      /pipes\/p is neither a file nor a folder\n$/,
    );
    const dangling = path.join(place, "dangling");
    mkdirSync(dangling);
    symlinkSync("nowhere", path.join(dangling, "l"));
    expect((await mecha(...EVAL, "--fixture", dangling)).err).toMatch(
      /dangling\/l is a link that leads nowhere\n$/,
    );
  });

  test("is copied with what its links lead to, empty folders too, and the copy can be written to", async () => {
    const cases = [
      {
        ...sandboxed[0],
        expect: {
          verify: "test -d empty && test ! -L link && test -w link && echo x >> link && test -x run.sh",
        },
      },
    ];
    const { mecha, home: place } = home({ cases, workspace: { "a.txt": "a", "run.sh": "exit 0\n" } });
    const at = (name: string) => path.join(place, "workspace", name);
    mkdirSync(at("empty"));
    writeFileSync(path.join(place, "outside.txt"), "outside\n");
    symlinkSync(path.join(place, "outside.txt"), at("link"));
    chmodSync(path.join(place, "outside.txt"), 0o444);
    chmodSync(at("run.sh"), 0o755);
    const { code, out } = await mecha(...EVAL, "--failures");
    expect({ code, out }).toEqual({ code: 0, out: expect.any(String) });
    expect(read("outside.txt")).toBe("outside\n");
  });

  test("what a killed pass left behind goes once it is quiet; what is kept, or still used, stays", async () => {
    const { mecha } = home({ cases: sandboxed });
    ownTemporary();
    const dead = 4_194_303;
    const names = {
      left: `mecha-eval-${dead}-AAAAAA`,
      fresh: `mecha-eval-${dead}-BBBBBB`,
      kept: `mecha-eval-kept-${dead}-CCCCCC`,
      alive: `mecha-eval-${process.pid}-DDDDDD`,
    };
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const [which, name] of Object.entries(names)) {
      mkdirSync(path.join(tmpdir(), name, "run-x"), { recursive: true });
      if (which !== "fresh") utimesSync(path.join(tmpdir(), name), old, old);
    }
    await mecha(...EVAL);
    const there = Object.entries(names).filter(([, name]) => existsSync(path.join(tmpdir(), name)));
    expect(there.map(([which]) => which)).toEqual(["fresh", "kept", "alive"]);
  });

  test("its copies are removed, unless they are to be kept", async () => {
    const { mecha } = home({ cases: sandboxed });
    ownTemporary();
    const mine = () => readdirSync(tmpdir()).filter((name) => name.startsWith("mecha-eval-"));
    await mecha(...EVAL);
    expect(mine()).toEqual([]);
    const { err } = await mecha(...EVAL, "--keep-workspaces");
    const [kept] = mine();
    expect(err).toContain(path.join(tmpdir(), kept ?? ""));
    const copies = readdirSync(path.join(tmpdir(), kept ?? "")).filter((name) => name.startsWith("run"));
    expect(copies).toHaveLength(1);
  });
});

describe("runs side by side", () => {
  test("never see each other's writes", async () => {
    // Every run counts from 0 to 1 and leaves a file; any trace of another run makes one of the two differ.
    const verify = [
      'test "$(cat count.txt)" = 1',
      'test "$(ls -A | tr "\\n" " ")" = "count.txt mine.txt "',
      "sleep 0.05",
      "echo again >> mine.txt",
      'test "$(wc -l < mine.txt)" = 2',
      'test "$(find / -xdev -name mine.txt 2>/dev/null | wc -l)" -le 1',
      'test "$(find /tmp -name mine.txt 2>/dev/null | wc -l)" -le 1',
    ].join(" && ");
    const edit = { tool: "fs_edit", input: { path: "count.txt", old: "0", new: "1" } };
    const write = { tool: "fs_write", input: { path: "mine.txt", content: "{{prompt}}\n" } };
    const look = { tool: "shell", input: { command: "ls -A && cat mine.txt" } };
    const { mecha } = home({
      cases: Array.from({ length: 4 }, (_, n) => ({
        id: `case-${n}`,
        tags: ["t"],
        prompt: `run of ${n}`,
        sandbox: true,
        expect: { verify, contains: [`run of ${n}`], tools: ["fs_edit", "fs_write", "shell"] },
      })),
      script: {
        rules: [
          { when: { results: 0 }, steps: [{ calls: [edit, write], delay_ms: 5 }] },
          { when: { results: 2, last_result_is_error: false }, steps: [{ calls: [look], delay_ms: 5 }] },
          { when: { results: 3 }, steps: [{ text: "{{last_result}}" }] },
        ],
      },
      workspace: { "count.txt": "0" },
    });
    const { code, out } = await mecha(...EVAL, "-c", "8", "-k", "5", "--failures", "-o", "r.json");
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("pass^5 (all runs)   4/4") });
    expect(reportAt().runs).toHaveLength(20);
    expect(reportAt().head.tool_errors).toBe(0);
    expect(readdirSync(path.join(temp.home, "workspace"))).toEqual(["count.txt"]);
    expect(read("workspace/count.txt")).toBe("0");
  }, 120_000);

  test("a hundred in flight warn of nothing", async () => {
    const warned: string[] = [];
    const listen = (warning: Error) => warned.push(warning.name);
    process.on("warning", listen);
    const { mecha } = home({
      cases: trivialCases(300),
      script: { otherwise: { text: "fine", delay_ms: 1 } },
    });
    const { code } = await mecha(...EVAL, "-c", "100");
    process.off("warning", listen);
    expect({ code, warned }).toEqual({ code: 0, warned: [] });
  });
});

describe("a pinned seed", () => {
  test("with repeats one after the other is one sample, and said", async () => {
    const server = await startFakeOpenai(scriptOf({ otherwise: { text: "fine" } }));
    const { mecha } = home({
      cases: trivialCases(1),
      toml: `[providers.far]\nkind = "openai-compatible"\nbase_url = "${server.url}"\nmodel = "m"\nseed = 7\n`,
    });
    const flags = ["eval", "cases.jsonl", "-p", "far", "-k", "2"];
    const one = await mecha(...flags, "-c", "1");
    const two = await mecha(...flags, "-c", "2");
    await server.close();
    expect(one.err).toContain("one sample counted 2 times");
    expect(two.err).not.toContain("one sample");
  });
});
