import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeReport } from "#lib/eval/write-report.ts";
import { verifyDocument } from "#lib/verdict/verify.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard } from "#tests/unit/eval/cards.ts";
import { ACTS, cardText, IDS, passingFrom, put } from "./eval-files.ts";

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = tempHome());
});
afterEach(() => remove());

const mecha = (...argv: string[]) => runCli(argv, { home });
const golden = async (name: string, ...argv: string[]) =>
  expectGolden(name, argv, await mecha(...argv), home);
const judged = async (...argv: string[]) => JSON.parse((await mecha("gate", ...argv, "--json")).out);
const database = () => path.join(home, ".mecha/dashboard/mecha.db");

const episodes = (stats: object, ids: readonly string[] = IDS) =>
  ids.map((episode) => JSON.stringify({ episode, stats: { tool_calls: 4, ...stats } })).join("\n");

describe("two scorecards", () => {
  test("are judged on case passes: flips, tallies, work, the rule, what would flip it", async () => {
    put(home, { "results/base.json": passingFrom(6), "results/cand.json": passingFrom(2) });
    await golden("gate-help", "gate", "--help");
    await golden("gate-accept", "gate", "results/base.json", "results/cand.json", "--change", "max_turns=40");
    await golden("gate-reject", "gate", "cand.json", "base.json", "--because", "it was quicker");
  });

  test("on a predicted counter: case passes stand guard, and the prediction is kept or missed", async () => {
    const turns = (n: number) => cardText(() => ({ turns: n }));
    put(home, { "a.json": turns(9), "b.json": turns(4) });
    const argv = ["--predicts", "turns", "--predicted-at", "2026-07-01T09:00:00Z", "--class", "security"];
    await golden("gate-predicts", "gate", "a.json", "b.json", ...argv);
    expect((await judged("b.json", "a.json", "--predicts", "turns")).judgement).toMatchObject({
      prediction: "missed",
      reason: "not_better_on_selection",
    });
    expect((await judged("a.json", "b.json", "--metric", "turns")).judgement.prediction).toBeNull();
  });

  test("whose headline lies are judged by their cases, and it is said", async () => {
    const lie = JSON.parse(passingFrom(2));
    lie.scorecard.passed = 3;
    put(home, { "a.json": passingFrom(6), "lie.json": JSON.stringify(lie) });
    const { code, out, err } = await mecha("gate", "a.json", "lie.json");
    expect(err).toBe("mecha: lie.json: the headline says passed 3, its own cases give 22\n");
    expect(out).toContain("arm B (lie): 22/24 cases");
    expect(code).toBe(0);
  });

  test("that are one and the same are judged, and it is said", async () => {
    put(home, { "a.json": passingFrom(6) });
    const { err } = await mecha("gate", "a.json", "./a.json");
    expect(err).toBe("mecha: both files hold the same: nothing was compared\n");
  });

  test("of one name in two folders are told apart", async () => {
    put(home, { "old/card.json": passingFrom(6), "new/card.json": passingFrom(2) });
    const { arms } = await judged("old/card.json", "new/card.json");
    expect([arms.baseline.label, arms.candidate.label]).toEqual(["old/card.json", "new/card.json"]);
  });
});

describe("two files of episodes", () => {
  test("are judged on the counter that is named", async () => {
    put(home, { "a.jsonl": episodes({ tool_errors: 2 }), "b.jsonl": episodes({ tool_errors: 1 }) });
    await golden("gate-episodes", "gate", "a.jsonl", "b.jsonl", "--metric", "tool_error_rate");
    await golden("gate-no-metric", "gate", "a.jsonl", "b.jsonl");
  });

  test("too few of them leave the prediction unknown", async () => {
    const few = IDS.slice(0, 5);
    put(home, { "a.jsonl": episodes({ turns: 9 }, few), "b.jsonl": episodes({ turns: 2 }, few) });
    const { judgement } = await judged("a.jsonl", "b.jsonl", "--predicts", "turns");
    expect(judgement).toMatchObject({ prediction: "unknown", reason: "selection_thin" });
  });

  test("one in n of them is held out", async () => {
    put(home, { "a.jsonl": episodes({ turns: 9 }), "b.jsonl": episodes({ turns: 2 }) });
    const { split, judgement } = await judged("a.jsonl", "b.jsonl", "--metric", "turns", "--holdout-in", "4");
    expect(split.holdout_in).toBe(4);
    expect([judgement.selection.wins, judgement.holdout.wins]).toEqual([18, 6]);
  });
});

describe("the verdict", () => {
  test("is printed byte for byte as it was hashed, and stored", async () => {
    put(home, { "a.json": passingFrom(6), "b.json": passingFrom(2) });
    const { code, out, err } = await mecha("gate", "a.json", "b.json", "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(verifyDocument(out)).toMatchObject({ ok: true });
    const { id } = JSON.parse(out);
    expect((await mecha("verdict", "show", id.slice(0, 8), "--json")).out).toBe(out);
  });

  test("on a terminal holds nothing that acts on it", async () => {
    put(home, { "a.json": passingFrom(6), "b.json": passingFrom(2) });
    const argv = ["gate", "a.json", "b.json", "--change", "\u009b31m\u202e", "--because", "\u001b[2J"];
    for (const flags of [[], ["--json"]]) {
      const { out } = await runCli([...argv, ...flags], { home, answers: [] });
      expect(out).not.toMatch(ACTS);
      expect(out).toContain("31m");
    }
  });

  test("goes to the data folder that the environment names", async () => {
    put(home, { "a.json": passingFrom(6), "b.json": passingFrom(2) });
    const env = { MECHA_DATA_DIR: path.join(home, "elsewhere") };
    await runCli(["gate", "a.json", "b.json"], { home, env });
    expect(readdirSync(home).sort()).toEqual(["a.json", "b.json", "elsewhere"]);
    expect((await runCli(["verdict", "list"], { home, env })).out).toContain("b against a");
  });

  test("that cannot be stored is printed all the same, with exit code 1", async () => {
    put(home, { "a.json": passingFrom(6), "b.json": passingFrom(2) });
    mkdirSync(path.dirname(database()), { recursive: true });
    writeFileSync(database(), "this is no database, whatever its name may say".repeat(50));
    const text = await mecha("gate", "a.json", "b.json");
    expect(text.code).toBe(1);
    expect(text.out).toContain("verdict: BETTER");
    expect(text.out).not.toContain("/verdicts/");
    expect(text.err).toMatch(
      /^mecha: the verdict is not stored: .*mecha\.db cannot be used: .*not a database\n/,
    );
    const json = await mecha("gate", "a.json", "b.json", "--json");
    expect(json.code).toBe(1);
    expect(verifyDocument(json.out)).toMatchObject({ ok: true });
    expect(readFileSync(database(), "utf8")).toContain("this is no database");
  });

  test("is not made of files that cannot be judged, and nothing is stored", async () => {
    const twice = writeReport(aCard("", { "case-0": "✓✓" }).report);
    const contrary = cardText(() => ({ checks: [{ name: "x", passed: false, detail: "" }] }));
    put(home, {
      "good.json": passingFrom(0),
      "twice.json": twice,
      "other.json": writeReport(aCard("", { elsewhere: "✓" }).report),
      "none.json": writeReport({ ...aCard("", {}).report }),
      "contrary.json": contrary,
      "nan.json": passingFrom(0).replace('"turns": 2', '"turns": NaN'),
      "torn.json": passingFrom(0).slice(0, -9),
      "ab.json": '{"ab_config":["max_turns=40"],"cases":[]}',
      "lines.jsonl": episodes({}),
    });
    const said: [string, string][] = [
      ["twice.json", "passing all of them is not the same in both"],
      ["other.json", "have no episode in common"],
      ["none.json", "none.json: it has no cases"],
      ["contrary.json", "case-0 (run 1) is graded against its own checks or error"],
      ["nan.json", "nan.json: not JSON"],
      ["torn.json", "torn.json: it is cut off in the middle"],
      ["ab.json", "ab.json is the result of a config A/B"],
      ["lines.jsonl", "lines.jsonl holds episodes"],
      ["gone.json", "gone.json: there is no such file"],
    ];
    for (const [name, problem] of said) {
      const { code, out, err } = await mecha("gate", "good.json", name);
      expect({ name, code, out }).toEqual({ name, code: 1, out: "" });
      expect(err).toContain(problem);
    }
    expect(readdirSync(home)).not.toContain(".mecha");
  });
});

describe("wrong usage is exit code 2", () => {
  test.each([
    [[], "missing required argument 'baseline'"],
    [["a.json"], "missing required argument 'candidate'"],
    [["a.json", ""], "must not be empty"],
    [["a.json", "b.json", "--metric", "passes"], "Allowed choices are ended_on_failed_call"],
    [["a.json", "b.json", "--class", "urgent"], "Allowed choices are config"],
    [["a.json", "b.json", "--holdout-in", "1"], "a whole number from 2 up"],
    [["a.json", "b.json", "--metric", "turns", "--predicts", "cut_short"], "--predicts names cut_short"],
    [["a.json", "b.json", "--predicted-at", "2026-01-01"], "nothing is predicted without --predicts"],
    [["a.json", "b.json", "--predicts", "turns", "--predicted-at", "soon"], '"soon" is not a time'],
  ])("%j", async (argv, said) => {
    const { code, out, err } = await mecha("gate", ...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(said);
  });
});

describe.skipIf(!sharedDir)(`real A/B pairs${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  test.each([
    ["airline", "verdict: BETTER", "selection  4+ 1- 7=    holdout  2+ 2- 4="],
    ["retail", "verdict: NO", "selection  4+ 5- 16=    holdout  2+ 1- 12="],
    ["telecom_default", "verdict: BETTER", "selection  10+ 0- 20=    holdout  2+ 0- 8="],
  ])("%s: imported, judged, stored, exported and checked", async (name, verdict, tallies) => {
    for (const arm of ["base", "sft"]) {
      const file = path.join(sharedDir ?? "", `data/repeated-runs/tau2-ab-${name}-${arm}.json`);
      expect((await mecha("eval", "import", file, "-o", `results/${arm}.json`, "--model", arm)).code).toBe(0);
    }
    const { out } = await mecha(
      "gate",
      "base.json",
      "sft.json",
      "--class",
      "prose",
      "--change",
      "fine-tuned",
    );
    expect(out).toContain(verdict);
    expect(out).toContain(tallies);
    const id = /\/verdicts\/([0-9a-f]{64})/.exec(out)?.[1] ?? "";
    const argv = ["verdict", "export", id, "--html", "v.html", "--json", "v.json", "--markdown"];
    expect((await mecha(...argv)).code).toBe(0);
    expect(readFileSync(path.join(home, "v.html"), "utf8")).toContain("fine-tuned");
    expect((await mecha("verdict", "verify", "v.json")).code).toBe(0);
  });
});
