import { execFileSync } from "node:child_process";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard } from "#tests/unit/eval/cards.ts";
import { ACTS, cardText, passingFrom, put } from "./eval-files.ts";

let home: string;
let remove: () => void;
beforeEach(() => {
  ({ home, remove } = tempHome());
});
afterEach(() => remove());

const mecha = (...argv: string[]) => runCli(argv, { home });
const golden = async (name: string, ...argv: string[]) =>
  expectGolden(name, argv, await mecha(...argv), home);
const read = (name: string) => readFileSync(path.join(home, name), "utf8");

const card = (marks: Record<string, string>, model = "qwen3-moe") =>
  writeReport({ ...aCard("", marks).report, model });
const AB = '{"ab_config":["max_turns=40"],"cases":[]}';

describe("what eval says, to the letter", () => {
  test("its help, and that it runs no cases", async () => {
    await golden("eval-help", "eval", "--help");
    await golden("eval-import-help", "eval", "import", "--help");
    await golden("eval-bare", "eval");
    await golden("eval-cases", "eval", "eval/cases.jsonl");
  });

  test("cards side by side, others named and passed over", async () => {
    put(home, {
      "results/a.json": card({ one: "✓", two: "✗", three: "!" }),
      "results/b.json": card({ one: "✓", two: "✓", three: "✓" }, "gpt-oss-120b"),
      "results/k3.json": card({ one: "✓✓✗", two: "✓✓✓" }),
      "results/ab.json": AB,
      "results/torn.json": card({ one: "✓" }).slice(0, 90),
    });
    await golden("eval-compare", "eval", "--compare", "results", "gone.json");
    await golden("eval-compare-json", "eval", "--compare", "a.json", "torn.json", "--json");
  });

  test("nothing to compare is exit code 1", async () => {
    put(home, { "ab.json": AB });
    await golden("eval-compare-none", "eval", "--compare", "ab.json");
    const { code, out } = await mecha("eval", "--compare", "ab.json", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ groups: [], passed_over: [{ file: "ab.json" }] });
  });

  test("cards of one arm as repeats of one another", async () => {
    put(home, {
      "run1.json": card({ solid: "✓", shaky: "✓", hopeless: "✗" }),
      "run2.json": card({ solid: "✓", shaky: "✗", hopeless: "✗" }),
      "run3.json": card({ solid: "✓", shaky: "✓", hopeless: "✗" }),
    });
    await golden("eval-repeats", "eval", "--compare", "run1.json", "run2.json", "run3.json", "--repeats");
  });

  test("rows become a card", async () => {
    put(home, {
      "rows.jsonl": [
        '{"task_id":"a","trial":0,"reward":1,"tool_calls":3}',
        '{"task_id":"a","trial":1,"reward":0.5,"tool_calls":2}',
        '{"task_id":"b","trial":0,"reward":1}',
        '{"task_id":"b","trial":1,"error":"503"}',
        '{"task_id":"c","trial":0}',
      ].join("\n"),
    });
    await golden("eval-import", "eval", "import", "--format", "rows", "rows.jsonl", "-o", "results/c.json");
    const { out } = await mecha(
      "eval",
      "import",
      "rows.jsonl",
      "--json",
      "-o",
      "results/d.json",
      "--model",
      "m",
    );
    expect(JSON.parse(out)).toMatchObject({
      model: "m",
      file: path.join(home, "results/d.json"),
      head: { total: 2, passed: 0, passed_any: 2 },
      reliability: { curve: [{ k: 1, pass_all: 0.5 }, { k: 2 }] },
    });
    expect(parseReport(JSON.parse(read("results/c.json")))).toMatchObject({ ok: true });
  });
});

describe("where cards are looked for", () => {
  test("a path counts before a card's name, and a card has one name wherever it is named from", async () => {
    put(home, {
      "a.json": card({ here: "✓" }),
      "results/a.json": card({ there: "✓" }),
      "results/deep/b.json": card({ deep: "✓" }),
      "more/a.json": card({ more: "✓" }),
    });
    const names = async (...argv: string[]) => {
      const { out } = await mecha("eval", "--json", ...argv);
      return JSON.parse(out).groups[0].columns.map(({ name }: { name: string }) => name);
    };
    expect(await names("--compare", "a.json", "deep/b.json", "results/deep/b.json")).toEqual([
      "a.json",
      "deep/b.json",
      "deep/b.json",
    ]);
    expect(await names("--results", "results", "--results", "more", "--compare", "more/a.json")).toEqual([
      "2:a.json",
    ]);
  });

  test("no name leads out of the results folder", async () => {
    put(home, { "down/secret.json": card({ a: "✓" }), "down/results/x.json": card({ a: "✓" }) });
    const ran = await mecha("eval", "--results", "down/results", "--compare", "../secret.json");
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toContain("there is no such file");
  });
});

describe("cards that are none, or hostile", () => {
  test.each([
    ["an empty file", "", "it.json is empty"],
    ["bytes", new Uint8Array([0xff, 0xfe, 0x00]), "it is not UTF-8 text"],
    ["NaN", cardText().replace('"turns": 2', '"turns": NaN'), "it.json is not JSON"],
    ["a negative count", cardText().replace('"turns": 2', '"turns": -2'), "cases[0].turns"],
    ["an array of 100 000 brackets", "[".repeat(100_000), "cut off in the middle"],
    ["a cut-off card", cardText().slice(0, -3), "cut off in the middle"],
  ])("%s is passed over beside a sound card", async (_, content, said) => {
    put(home, { "it.json": content, "sound.json": passingFrom(3) });
    const { code, out, err } = await mecha("eval", "--compare", "it.json", "sound.json");
    expect(err).toContain(said);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect(out).toContain("21/24");
    expect(code).toBe(0);
  });

  test("a pipe, a link that goes round and a file over the limit do not stop it", async () => {
    put(home, { "sound.json": passingFrom(3), "big.json": '{"scorecard":' });
    truncateSync(path.join(home, "big.json"), 200_000_000);
    execFileSync("mkfifo", [path.join(home, "pipe.json")]);
    symlinkSync("round.json", path.join(home, "round.json"));
    const argv = ["big.json", "pipe.json", "round.json", "sound.json"];
    const { code, err } = await mecha("eval", "--compare", ...argv);
    expect(err).toMatch(
      /big\.json is too large[^\n]*\n[^\n]*pipe\.json is unreadable[^\n]*\n[^\n]*round\.json/,
    );
    expect(code).toBe(0);
  });

  test("what a card says of itself and does not bear out is said", async () => {
    const doubled = writeReport(aCard("", { a: "✓" }).report);
    const lie = JSON.parse(doubled);
    lie.scorecard.passed = 7;
    lie.cases.push(lie.cases[0]);
    put(home, { "lie.json": JSON.stringify(lie) });
    const { out } = await mecha("eval", "--compare", "lie.json");
    expect(out).toContain("lie.json: the headline says passed 7, its own cases give 1");
    expect(out).toContain("lie.json: ids that stand twice in a card of single runs: a");
  });

  test("nothing in a card acts on a terminal", async () => {
    const evil = "\u001b[2J<b>\u202e\u0007";
    put(home, { [`${"x".repeat(40)}.json`]: card({ [`${evil}/../case`]: "✓" }, evil) });
    for (const flags of [[], ["--json"], ["--repeats"]]) {
      const { out, err } = await mecha("eval", "--compare", `${"x".repeat(40)}.json`, ...flags);
      expect(out + err).not.toMatch(ACTS);
    }
  });
});

describe("import", () => {
  test.each([
    ["no row", "[]", "there is no row to import"],
    ["no id", '[{"passed":true}]', "row 1: it has no case or task id"],
    ["no grade", '[{"case":"a"}]', "no row has a grade"],
    ["an unclear grade", '[{"case":"a","passed":"perhaps"}]', 'passed is "perhaps"'],
    ["a negative count", '[{"case":"a","passed":true,"turns":-1}]', "row 1: turns is -1"],
    ["a cut-off file", '[{"case":"a","passed":tr', "it is cut off in the middle"],
    ["a short line", "case,passed\na\n", "line 2: 1 cells where the header has 2"],
    [
      "a trial twice",
      '[{"case":"a","passed":true,"run":1},{"case":"a","passed":true,"run":1}]',
      "stands in row 1 already",
    ],
    [
      "two models",
      '[{"case":"a","passed":true,"model":"m"},{"case":"a","passed":true,"model":"n"}]',
      "2 models (m, n)",
    ],
    ["a scorecard", cardText(), "rows.json is a scorecard"],
    ["an empty file", "", "the file is empty"],
  ])("%s is refused, and nothing is written", async (_, rows, said) => {
    put(home, { "rows.json": rows });
    const { code, out, err } = await mecha("eval", "import", "rows.json", "-o", "card.json");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toContain(said);
    expect(readdirSync(home)).toEqual(["rows.json"]);
  });

  test("runs that all errored are a card, and exit code 1", async () => {
    put(home, { "rows.json": '[{"case":"a","error":"503"},{"case":"b","error":"503"}]' });
    const { code, out } = await mecha("eval", "import", "rows.json", "-o", "card.json");
    expect(code).toBe(1);
    expect(out).toContain("every run errored: nothing was measured");
    expect(read("card.json")).toContain("503");
  });

  test("the model, the provider and the line of a pass are the person's to name", async () => {
    put(home, { "rows.csv": "task,trial,reward,model\na,1,0.5,m\na,2,0.4,m\nb,1,1,n\n" });
    const argv = ["--model", "m", "--provider", "p", "--pass-at", "0.5", "-o", "card.json"];
    const { out } = await mecha("eval", "import", "rows.csv", ...argv);
    expect(out).toContain("m  (p)");
    expect(out).toContain("1 rows of other models were left out");
    expect(JSON.parse(read("card.json")).cases.map((run: { passed: boolean }) => run.passed)).toEqual([
      true,
      false,
    ]);
  });
});

describe("writing a card", () => {
  const rows = '[{"case":"a","passed":true}]';

  test("replaces what stood there, with its permissions, and through a link", async () => {
    put(home, { "rows.json": rows, "card.json": "old" });
    chmodSync(path.join(home, "card.json"), 0o600);
    symlinkSync("card.json", path.join(home, "link.json"));
    expect((await mecha("eval", "import", "rows.json", "-o", "link.json")).code).toBe(0);
    expect(lstatSync(path.join(home, "link.json")).isSymbolicLink()).toBe(true);
    expect(statSync(path.join(home, "card.json")).mode & 0o777).toBe(0o600);
    expect(read("card.json")).toContain('"scorecard"');
    expect(readdirSync(home).sort()).toEqual(["card.json", "link.json", "rows.json"]);
  });

  test("never destroys what is being read", async () => {
    put(home, { "rows.json": rows });
    symlinkSync("rows.json", path.join(home, "link.json"));
    for (const to of ["rows.json", "./rows.json", "link.json"]) {
      const { code, err } = await mecha("eval", "import", "rows.json", "-o", to);
      expect({ code, err }).toEqual({
        code: 2,
        err: `mecha: ${to} is what is read: write to another file\n`,
      });
    }
    expect(read("rows.json")).toBe(rows);
  });

  test("a place that cannot be written is named", async () => {
    put(home, { "rows.json": rows, file: "" });
    mkdirSync(path.join(home, "folder"));
    for (const to of ["folder", "file/card.json", "/dev/full"]) {
      const { code, err } = await mecha("eval", "import", "rows.json", "-o", to);
      expect(code).toBe(1);
      expect(err).toContain(`mecha: ${to} cannot be written: `);
    }
    expect(readdirSync(home).sort()).toEqual(["file", "folder", "rows.json"]);
  });
});

describe("wrong usage is exit code 2", () => {
  test.each([
    [["--compare"], "argument missing"],
    [["--compare", ""], "must not be empty"],
    [["--compare", "a.json", "--json", "b.json"], "'b.json' does not stand behind --compare"],
    [["--runs", "0"], "'0' is invalid"],
    [["import", "rows.json"], "required option '-o, --out <card>'"],
    [["import", "-o", "c.json"], "missing required argument 'file'"],
    [["import", "a", "-o", "c", "--format", "xml"], "Allowed choices are rows"],
    [["import", "a", "-o", "c", "--pass-at", "0"], "a number above 0"],
  ])("%j", async (argv, said) => {
    const { code, out, err } = await mecha("eval", ...argv);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain(said);
  });
});

describe.skipIf(!sharedDir)(`real files${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const cards = path.join(sharedDir ?? "", "data/scorecards");
  const repeated = path.join(sharedDir ?? "", "data/repeated-runs");

  test("the three cards of 25 cases stand in one table, all comparable", async () => {
    const files = ["e4b-full-25.json", "gemma26-full-25.json", "qwen-full-25.json"];
    const { code, out, err } = await mecha(
      "eval",
      "--compare",
      ...files.map((name) => path.join(cards, name)),
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^cases passed +24\/25 +23\/25 +24\/25$/m);
    expect(out).toMatch(/^selection +2\/2 +1\/2 +2\/2$/m);
    expect(out).not.toContain("not comparable");
  });

  test("of 24 files, 23 are cards and one is named as what it is", async () => {
    const { code, out, err } = await mecha("eval", "--compare", cards, "--json");
    const { groups } = JSON.parse(out);
    expect(groups.flatMap(({ columns }: { columns: unknown[] }) => columns)).toHaveLength(23);
    expect(err).toMatch(
      /^mecha: passed over: [^\n]*compaction-passk\.json is a note about several runs[^\n]*\n$/,
    );
    expect(code).toBe(0);
  });

  test.each([
    ["todo-arm", 5, "1/2 cases, 1/10 runs"],
    ["todo-v2", 4, "0/2 cases, 0/8 runs"],
  ])("%s: %i single runs give each case's reliability", async (arm, k, flaky) => {
    const files = Array.from({ length: k }, (_, n) =>
      path.join(cards, `todo-arms-2026-08-04/${arm}-run${n + 1}.json`),
    );
    const { out } = await mecha("eval", "--compare", ...files, "--repeats");
    expect(out).toContain(flaky);
  });

  test("pass^1 to pass^4 of the four trials are those that stand in their file", async () => {
    const file = path.join(repeated, "tau2-telecom-gpt-4.1-4trials.json");
    const { computed } = JSON.parse(readFileSync(file, "utf8"));
    const { out } = await mecha("eval", "import", file, "-o", "card.json", "--json");
    const curve: { k: number; pass_all: number }[] = JSON.parse(out).reliability.curve;
    expect(curve.map(({ k, pass_all }) => [`pass^${k}`, pass_all])).toEqual(Object.entries(computed));
  });
});
