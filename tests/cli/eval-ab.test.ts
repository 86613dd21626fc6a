import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { proposals } from "#db/schema.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { findVerdict } from "#lib/verdict/store.io.ts";
import { type Ran, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { evalHome } from "#tests/support/eval-home.ts";
import { startFakeOpenai } from "#tests/support/fake-openai.ts";
import { scriptOf } from "#tests/support/three-models.ts";

let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => temp.remove());

/** Reads the file four times before it knows the answer; when it is stopped earlier, it says that it does not know. */
const READS = 4;
const THOROUGH = {
  rules: [
    { when: { purpose: "final" }, steps: [{ text: "I was stopped" }], repeat: true },
    { when: { purpose: "final", prompt_contains: "easy" }, steps: [{ text: "42" }], repeat: true },
    ...Array.from({ length: READS }, (_, results) => ({
      when: { results },
      steps: [{ calls: [{ tool: "fs_read", input: { path: "a.txt", offset: results + 1 } }] }],
    })),
  ],
  otherwise: { text: "42" },
};
const EASY = { ...THOROUGH, rules: [THOROUGH.rules[1], ...THOROUGH.rules.slice(2)] };

function cases(count: number, word: string): object[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `ep-${n}`,
    tags: ["t"],
    prompt: `${word} question ${n}`,
    expect: { contains: ["42"] },
  }));
}

/** The id of a verdict holds the moment it was made. */
function timeless(ran: Ran): Ran {
  return { ...ran, out: ran.out.replaceAll(/[0-9a-f]{64}/g, "<id>") };
}

function golden(name: string, argv: string[], ran: Ran): void {
  expectGolden(`eval-ab-${name}`, argv, timeless(ran), temp.home);
}

async function verdictIn(home: string, out: string): Promise<VerdictDocument> {
  const id = /[0-9a-f]{64}/.exec(out)?.[0] ?? "";
  return withDb(home, (db) => findVerdict(db, id));
}

function withDb<T>(home: string, use: (db: Db) => T): T {
  const { db, close } = openDb(path.join(home, ".mecha/dashboard/mecha.db"));
  try {
    return use(db);
  } finally {
    close();
  }
}

describe("what two arms come to, to the letter", () => {
  const base = ["eval", "cases.jsonl", "-p", "s", "-c", "1"];

  test("BETTER: more turns let it finish", async () => {
    const { mecha } = evalHome(temp.home, { cases: cases(18, "hard"), script: THOROUGH });
    const argv = [...base, "--max-turns", "3", "--ab-config", "max_turns=10"];
    const ran = await mecha(...argv);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("verdict: BETTER");
    golden("better", argv, ran);
  });

  test("READ IT: too few cases to trust", async () => {
    const { mecha } = evalHome(temp.home, { cases: cases(5, "hard"), script: THOROUGH });
    const argv = [...base, "--max-turns", "3", "--ab-config", "max_turns=10"];
    const ran = await mecha(...argv);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("verdict: READ IT");
    golden("read-it", argv, ran);
  });

  test("NO: it answers as well because it attempts less", async () => {
    const { mecha } = evalHome(temp.home, { cases: cases(18, "easy"), script: EASY });
    const argv = [...base, "--ab-config", "max_turns=1", "--predicts", "turns", "--because", "it dawdles"];
    const ran = await mecha(...argv);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("verdict: NO");
    golden("no-work", argv, ran);
    const { judgement, prediction } = await verdictIn(temp.home, ran.out);
    expect(judgement.reason).toBe("work_fell");
    expect(prediction).toMatchObject({ metric: "turns", rationale: "it dawdles", change: "max_turns=1" });
  });

  test("the file of two arms is no scorecard, and its own cases give its judgement", async () => {
    const { mecha } = evalHome(temp.home, { cases: cases(18, "hard"), script: THOROUGH });
    const argv = [...base, "--max-turns", "3", "--ab-config", "max_turns=10", "-o", "ab.json"];
    expect((await mecha(...argv)).code).toBe(0);
    const file = JSON.parse(readFileSync(path.join(temp.home, "ab.json"), "utf8"));
    expect(file).toMatchObject({
      ab_config: ["max_turns=10"],
      arm_a: { passed: 0, total: 18 },
      arm_b: { passed: 18, total: 18 },
      holdout_in: 3,
      judgement: { disposition: "Accept", selection: { wins: 12, losses: 0, ties: 0 }, work_baseline: 54 },
    });
    expect(file.cases[0]).toEqual({ id: "ep-0", was: false, now: true, work_a: 3, work_b: 4 });
    const compared = await mecha("eval", "--compare", "ab.json");
    expect(compared.code).toBe(1);
    expect(compared.err).toContain("passed over");
    expect(existsSync(path.join(temp.home, "ab.json.journal.jsonl"))).toBe(false);
  });
});

describe("what cannot be measured costs one line and no inference", () => {
  test.each([
    ["an unknown key", ["--ab-config", "max_turn=40"], 2, "did you mean max_turns?"],
    ["a key that guards a person", ["--ab-config", "trifecta=allow"], 2, "cannot be changed this way"],
    ["a bad value", ["--ab-config", "max_turns=many"], 2, "must be a whole number"],
    [
      "a bad value after a good one",
      ["--ab-config", "max_turns=40", "--ab-config", "effort=huge"],
      2,
      "effort",
    ],
    ["one knob twice", ["--ab-config", "max_turns=4", "--ab-config", "max_turns=5"], 2, "is given twice"],
    ["what is so already", ["--ab-config", "max_turns=7", "--max-turns", "7"], 1, "can move no case"],
    [
      "what every case sets itself",
      ["--ab-config", "max_turns=7", "--tag", "pinned"],
      1,
      "sets max_turns itself",
    ],
  ])("%s", async (_, flags, code, said) => {
    const server = await startFakeOpenai(scriptOf({ otherwise: { text: "42" } }));
    const { mecha } = evalHome(temp.home, {
      cases: [
        { id: "pinned", tags: ["t", "pinned"], prompt: "p", max_turns: 3, expect: {} },
        ...cases(3, "hard"),
      ],
      toml: `[providers.far]\nkind = "openai-compatible"\nbase_url = "${server.url}"\nmodel = "m"\n`,
    });
    try {
      const ran = await mecha("eval", "cases.jsonl", "-p", "far", "-o", "ab.json", ...flags);
      expect(ran.code).toBe(code);
      expect(ran.err.trimEnd().split("\n")).toEqual([expect.stringContaining(said)]);
      expect(ran.out).toBe("");
      expect(server.seen).toEqual([]);
    } finally {
      await server.close();
    }
  });

  test("an arm of which every run errored is no verdict; one that lost some of them is, and it only proposes", async () => {
    const script = (broken: object) => ({
      rules: [{ when: broken, steps: [{ fail: { problem: "the key is wrong" } }], repeat: true }],
      otherwise: { text: "42" },
    });
    const ab = ["eval", "cases.jsonl", "-p", "s", "--ab-config", "max_turns=2"];
    const broken = evalHome(temp.home, { cases: cases(9, "hard"), script: script({}) });
    const none = await broken.mecha(...ab, "-o", "ab.json");
    expect(none.code).toBe(1);
    expect(none.err).toMatch(
      /every run of the arm .* nothing was measured; the first: .*the key is wrong\n$/,
    );
    expect(none.out).toBe("");
    // There is nothing to go on with, and nothing in the way of the next pass.
    expect(none.err).not.toContain("--resume");
    expect(existsSync(path.join(temp.home, "ab.json.journal.jsonl"))).toBe(false);
    const lost = script({ prompt_contains: "question 4" });
    const some = await evalHome(temp.home, { cases: cases(9, "hard"), script: lost }).mecha(...ab);
    expect(some.code).toBe(0);
    expect((await verdictIn(temp.home, some.out)).judgement.reason).toBe("runs_errored");
  });

  test("before any arm runs it says how many cases cannot move", async () => {
    const { mecha } = evalHome(temp.home, {
      cases: [{ id: "pinned", tags: ["t"], prompt: "p", max_turns: 3, expect: {} }, ...cases(3, "hard")],
      script: THOROUGH,
    });
    const { err } = await mecha("eval", "cases.jsonl", "-p", "s", "--ab-config", "max_turns=2");
    const said = "mecha: 1 of 4 cases cannot move: the case sets max_turns itself";
    expect(err).toContain(said);
    expect(err.indexOf(said)).toBeLessThan(err.indexOf("[1/8]"));
  });
});

describe("a prediction", () => {
  const argv = ["eval", "cases.jsonl", "-p", "s", "--max-turns", "3"];

  function store(home: string, parts: Partial<typeof proposals.$inferInsert> = {}): void {
    withDb(home, (db) =>
      db
        .insert(proposals)
        .values({
          id: "p-1",
          createdAt: "2026-01-01T00:00:00Z",
          kind: "proposal",
          subject: "s",
          provider: "s",
          model: "s",
          changeClass: "prose",
          change: "max_turns=10",
          metric: "cut_short",
          rationale: "it is cut short",
          brief: "",
          reply: "",
          window: "{}",
          elapsedMs: 1,
          scripted: true,
          ...parts,
        })
        .run(),
    );
  }

  test("is taken from a stored proposal of the same change, until a verdict has measured it", async () => {
    const { home, mecha } = evalHome(temp.home, { cases: cases(18, "hard"), script: THOROUGH });
    store(home);
    const first = await mecha(...argv, "--ab-config", "max_turns=10");
    expect(first.err).toContain(
      "predicted by the stored proposal p-1 of 2026-01-01T00:00:00Z: cut_short falls",
    );
    expect(first.out).toContain("the runs' own cut_short");
    const { prediction, judgement } = await verdictIn(home, first.out);
    expect(prediction).toMatchObject({
      change_class: "prose",
      metric: "cut_short",
      rationale: "it is cut short",
      made_at: "2026-01-01T00:00:00Z",
    });
    expect(judgement.prediction).toBe("kept");
    const second = await mecha(...argv, "--ab-config", "max_turns=10");
    expect(second.err).not.toContain("stored proposal");
    expect(second.out).not.toContain("cut_short");
  });

  test("of another change, or declined, is none", async () => {
    const { home, mecha } = evalHome(temp.home, { cases: cases(3, "hard"), script: THOROUGH });
    store(home, { change: "max_turns=11" });
    store(home, { id: "p-2", kind: "refused" });
    store(home, { id: "p-3", change: "tell the model to be quick" });
    const { out, err } = await mecha(...argv, "--ab-config", "max_turns=10");
    expect(err).not.toContain("stored proposal");
    expect((await verdictIn(home, out)).prediction).toMatchObject({ metric: null, rationale: null });
  });

  test("that is given wins over a stored one", async () => {
    const { home, mecha } = evalHome(temp.home, { cases: cases(3, "hard"), script: THOROUGH });
    store(home);
    const ran = await mecha(...argv, "--ab-config", "max_turns=10", "--predicts", "turns");
    expect(ran.err).not.toContain("stored proposal");
    expect((await verdictIn(home, ran.out)).prediction).toMatchObject({
      metric: "turns",
      change_class: "config",
    });
  });

  test("stands in the journal before the first run, and resuming with other words does not change it", async () => {
    const { home, mecha } = evalHome(temp.home, {
      cases: cases(3, "hard"),
      script: { ...THOROUGH, rules: [{ steps: [{ endless: true, text: "x", chunk_delay_ms: 1 }] }] },
    });
    const { journal } = await brokenOff(home, [
      ...argv,
      "--ab-config",
      "max_turns=10",
      "--predicts",
      "turns",
    ]);
    const [head] = readFileSync(journal, "utf8").split("\n");
    expect(JSON.parse(head ?? "").prediction).toMatchObject({ metric: "turns", proposal: null });
    evalHome(home, { cases: cases(3, "hard"), script: THOROUGH });
    const ran = await mecha(
      ...argv,
      "--ab-config",
      "max_turns=10",
      "--predicts",
      "compactions",
      "-o",
      "ab.json",
      "--resume",
      journal,
    );
    expect((await verdictIn(home, ran.out)).prediction).toMatchObject({ metric: "turns" });
  });

  async function brokenOff(home: string, words: string[]): Promise<{ journal: string }> {
    const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
    const env = { ...process.env, HOME: home };
    const child = spawn(process.execPath, [bin, ...words, "-o", "ab.json"], {
      cwd: home,
      env,
      stdio: "ignore",
    });
    const journal = path.join(home, "ab.json.journal.jsonl");
    // The file is there a moment before its first line.
    while (!existsSync(journal) || !readFileSync(journal, "utf8").includes("\n")) await wait(20);
    child.kill("SIGKILL");
    await once(child, "close");
    return { journal };
  }
});

describe("the learned rules as a second arm", () => {
  test("are read under a heading, and the flips are printed", async () => {
    const { home, mecha } = evalHome(temp.home, {
      cases: cases(4, "hard"),
      script: {
        rules: [{ when: { seen_contains: "always say 42" }, steps: [{ text: "42" }], repeat: true }],
        otherwise: { text: "no idea" },
      },
    });
    mkdirSync(path.join(home, ".mecha/learning/rules"), { recursive: true });
    writeFileSync(
      path.join(home, ".mecha/learning/rules/a.learned.toml"),
      '[[rule]]\ntext = "always say 42"\n',
    );
    const ran = await mecha("eval", "cases.jsonl", "-p", "s", "--ab-rules", "-o", "rules.json");
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("without rules: 0/4 cases\nwith rules:    4/4 cases\n  IMPROVED: ep-0\n");
    const file = JSON.parse(readFileSync(path.join(home, "rules.json"), "utf8"));
    expect(Object.keys(file)).toEqual(["ab_rules", "without_rules", "with_rules", "flips"]);
    expect(file.flips).toHaveLength(4);
  });
});
