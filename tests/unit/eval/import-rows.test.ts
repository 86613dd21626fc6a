import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { headOf } from "#lib/eval/head.ts";
import { doubtsOf, hasDoubts } from "#lib/eval/head-check.ts";
import { type Imported, type ImportOptions, importRows } from "#lib/eval/import-rows.ts";
import { parseReport } from "#lib/eval/parse-report.ts";
import { reliabilityOf } from "#lib/eval/reliability.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";

const options: ImportOptions = { model: null, provider: null, pass_at: 1, created_at: null };
const imported = (text: string, parts: Partial<ImportOptions> = {}): Imported => {
  const result = importRows(text, { ...options, ...parts });
  if (!result.ok) throw new Error(result.problem);
  return result.value;
};
const problem = (text: string) => {
  const result = importRows(text, options);
  return result.ok ? "" : result.problem;
};
const runsOf = (text: string, parts: Partial<ImportOptions> = {}) => imported(text, parts).report.runs;
const marks = (text: string) =>
  runsOf(text).map((run) => `${run.id}/${run.run} ${run.passed ? "passed" : "failed"}`);

describe("trial rows", () => {
  const expected = ["a/1 passed", "a/2 failed", "b/1 passed"];
  it.each([
    [
      "as a JSON array",
      '[{"case":"a","trial":0,"reward":1},{"case":"a","trial":1,"reward":0},{"case":"b","trial":0,"reward":1.0}]',
    ],
    [
      "under rows",
      '\uFEFF{"about":1,"rows":[{"task_id":"a","run":1,"passed":true},{"task_id":"a","run":2,"passed":false},{"task_id":"b","run":1,"passed":1}]}',
    ],
    [
      "one per line",
      '{"task":"a","epoch":1,"success":true}\n\n{"task":"a","epoch":2,"success":false}\r\n{"task":"b","epoch":1,"success":true}',
    ],
    ["as CSV", "Case_ID,Trial,Passed\r\na,0,True\r\na,1,False\r\nb,0,1\r\n"],
    ["as CSV with semicolons and quotes", '"case";"trial";"reward"\n"a";1;1.0\n"a";2;0\n\n"b";1;1'],
    [
      "without numbers, in their order",
      '[{"id":"a","pass":"yes"},{"id":"a","pass":"no"},{"id":"b","pass":"yes"}]',
    ],
  ])("%s", (_, text) => {
    expect(marks(text)).toEqual(expected);
  });

  it.each([
    ["Python's words", "id,passed,error,turns,cost\na,True,None,nan,NaN\nb,False,N/A,3.0,0.5\n"],
    ["a column of yes and no", "id,passed,error\na,True,False\nb,False,false\n"],
    ["empty lists", '[{"id":"a","passed":true,"error":[]},{"id":"b","passed":false,"error":{}}]'],
    ["zeros", '[{"id":"a","passed":true,"error":0},{"id":"b","passed":false,"error":"None"}]'],
  ])("with %s in the place of an error have none", (_, text) => {
    expect(runsOf(text).map((run) => [run.id, run.passed, run.error])).toEqual([
      ["a", true, null],
      ["b", false, null],
    ]);
  });

  it("that say of an error only that there is one have one", () => {
    expect(runsOf("id,passed,error\na,True,True\n")[0]).toMatchObject({
      error: "the row says so",
      passed: false,
    });
    expect(runsOf("id,passed,exception,error\na,True,Boom,None\n")[0]).toMatchObject({ error: "Boom" });
  });

  it.each([
    ["a column", ",id,passed\n0,a,1\n1,b,0\n"],
    ["a key", '[{"":0,"id":"a","passed":true},{"":1,"id":"b","passed":false}]'],
  ])("take nothing from %s without a name", (_, text) => {
    const named = runsOf("id,passed\na,1\nb,0\n");
    expect(runsOf(text)).toEqual(named);
  });

  it("may be called like nothing", () => {
    expect(runsOf("id,passed,model\nnull,1,none\n")[0]).toMatchObject({ id: "null" });
  });

  it.each([
    '[{"id":"a","passed":true,"cost":NaN,"turns":Infinity,"text":"NaN, -Infinity \\" NaN"}]',
    '{"id":"a","passed":true,"cost":-Infinity,"text":"NaN, -Infinity \\" NaN"}\n{"id":"b","passed":null,"reward":NaN}',
  ])("with numbers that are none, as Python writes them: %s", (text) => {
    expect(runsOf(text)).toMatchObject([
      { id: "a", passed: true, cost_usd: null, turns: null, text: 'NaN, -Infinity " NaN' },
    ]);
  });

  it("with such a number beside a text of any length", () => {
    const [run] = runsOf(`[{"id":"a","passed":true,"cost":NaN,"text":"${"x\\n".repeat(5_000_000)}"}]`);
    expect(run).toMatchObject({ id: "a", cost_usd: null });
  });

  it("whose ids are numbers that fall together are refused", () => {
    expect(problem('[{"id":9007199254740993,"passed":true},{"id":9007199254740992,"passed":true}]')).toBe(
      "row 1: its id is a number too large to be told apart; write it as text",
    );
    expect(marks('[{"id":9007199254740991,"passed":true}]')).toEqual(["9007199254740991/1 passed"]);
  });

  it("keep what they tell and leave the rest unknown", () => {
    const [run] = runsOf(
      '[{"task_id":7,"reward":1,"assistant_turns":9,"assistant_tool_calls":3,"tool_errors":1,"agent_cost":0.02,"tags":["x"]}]',
    );
    expect(run).toMatchObject({
      id: "7",
      turns: 9,
      tool_calls: 3,
      tool_errors: 1,
      cost_usd: 0.02,
      tags: ["x"],
      elapsed_ms: null,
      usage: null,
      malformed_tool_args: null,
      tools_called: null,
    });
  });

  it("pass at the full reward only, unless the line is moved", () => {
    const text = '[{"id":"a","reward":0.9999999},{"id":"b","reward":0.5},{"id":"c","reward":0}]';
    expect(marks(text)).toEqual(["a/1 passed", "b/1 failed", "c/1 failed"]);
    expect(imported(text).notes).toEqual([
      "1 rewards lie between nothing and a pass, and count as failed (--pass-at moves the line)",
    ]);
    expect(runsOf(text, { pass_at: 0.5 })[1]?.passed).toBe(true);
  });

  it("on a scale beyond 1 pass with a word about it: 45 of 100 may be no pass", () => {
    const text = '[{"id":"a","score":45},{"id":"b","score":100},{"id":"c","score":200,"passed":true}]';
    const word =
      "2 rewards are above 1, and pass: on a scale that goes further, such as percent, --pass-at moves the line";
    expect(imported(text).notes).toEqual([word]);
    const moved = imported(text, { pass_at: 100 });
    expect(moved.report.runs.map((run) => run.passed)).toEqual([false, true, true]);
    expect(moved.notes.join()).not.toContain("above 1");
    expect(imported('[{"id":"a","reward":1.0000001}]').notes).toEqual([]);
  });

  it("that errored fail their case; those without a grade are not scored, never failed", () => {
    const { report, notes } = imported(
      '[{"id":"a","run":1,"reward":1},{"id":"a","run":2,"error":"503"},{"id":"b","run":1},' +
        '{"id":"a","run":3,"reward":0,"termination_reason":"infrastructure_error"}]',
    );
    expect(headOf(report.runs)).toMatchObject({ total: 1, passed: 0, runs_errored: 2 });
    expect(report.meta.not_scored).toEqual([{ id: "b", reason: "no row of it has a grade" }]);
    expect(notes).toHaveLength(2);
  });

  it("errored however their ending is spelled", () => {
    const rows = [
      "TerminationReason.INFRASTRUCTURE_ERROR",
      " Error",
      "EvalStatus.error",
      "TerminationReason.USER_STOP",
    ];
    const runs = runsOf(
      `id,reward,termination_reason\n${rows.map((end, at) => `c${at},0,${end}`).join("\n")}`,
    );
    expect(runs.map((run) => run.error !== null)).toEqual([true, true, true, false]);
  });

  it("give a card that its own doubts and its reader have nothing against", () => {
    const { report } = imported('[{"id":"a","reward":1},{"id":"a","reward":0},{"id":"b","error":"x"}]');
    const read = parseReport(JSON.parse(writeReport(report)));
    expect(read.ok && read.value.runs).toEqual(report.runs);
    expect(read.ok && hasDoubts(doubtsOf(read.value))).toBe(false);
  });

  it("of several models need one chosen", () => {
    const text = '[{"id":"a","model":"x","reward":1},{"id":"a","model":"y","reward":0}]';
    expect(problem(text)).toBe("the rows are of 2 models (x, y): choose one with --model");
    expect(imported(text, { model: "y" })).toMatchObject({
      report: { model: "y", runs: [{ passed: false }] },
      notes: ["1 rows of other models were left out"],
    });
  });
});

describe("rows that are wrong are refused with their place", () => {
  it.each([
    ["", "the file is empty"],
    ["[]", "there is no row to import"],
    ['[{"reward":1}]', "row 1: it has no case or task id"],
    ['[{"id":"a","reward":-1}]', "row 1: reward is -1, not a number of 0 or more"],
    ['[{"id":"a","reward":"NaN"}]', 'row 1: reward is "NaN", not a number of 0 or more'],
    ['[{"id":"a","reward":1e999}]', "row 1: reward is null, not a number of 0 or more"],
    ['[{"id":"a","passed":"maybe"}]', 'row 1: passed is "maybe", not true or false'],
    ['[{"id":"a","reward":1,"turns":1.5}]', "row 1: turns is 1.5, not a whole number"],
    [
      '[{"id":"a","run":1,"reward":1},{"id":"a","run":1,"reward":0}]',
      "row 2: trial 1 of a stands in row 1 already",
    ],
    [
      '[{"id":"a","run":1,"reward":1},{"id":"b","reward":0}]',
      "row 2: it has no trial number, and other rows have one",
    ],
    ["[1]", "row 1: not an object"],
    ['{"id":"a","reward":1}\n{"id":', "line 2: it is cut off in the middle"],
    ["id,reward\na,1,2\n", "line 2: 3 cells where the header has 2"],
    ['id,reward\n"a,1\n', "line 2: a quoted cell does not end where it should"],
    ['id,reward\n"a"b,1\n', "line 2: a quoted cell does not end where it should"],
    ["id,id\na,1\n", 'the header names "id" twice'],
    ['[{"ID":"a","id":"b","reward":1}]', 'row 1: it names "id" twice, in different letters'],
    ['[{"id":"\\ud800","reward":1}]', "row 1: its id is not valid Unicode"],
  ])("%j", (text, expected) => {
    expect(problem(text)).toBe(expected);
  });
});

describe.skipIf(!sharedDir)(`the shared repeated runs${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const load = (name: string) =>
    readFileSync(path.join(sharedDir ?? "", "data/repeated-runs", `${name}.json`), "utf8");

  it.each([
    "tau2-telecom-gpt-4.1-4trials",
    "tau2-ab-airline-base",
    "tau2-ab-airline-sft",
    "tau2-ab-retail-base",
    "tau2-ab-retail-sft",
    "tau2-ab-telecom_default-base",
    "tau2-ab-telecom_default-sft",
  ])("%s: pass^k as the file itself states it", (name) => {
    const text = load(name);
    const stated = JSON.parse(text) as { computed: Record<string, number>; tasks: number; trials: number };
    const { report, notes } = imported(text);
    expect(notes).toEqual([]);
    const card = { name, report: { ...report, head: headOf(report.runs) } };
    const { curve, runs_per_case, cases } = reliabilityOf([card]);
    expect([cases.length, runs_per_case]).toEqual([stated.tasks, stated.trials]);
    expect(curve.length).toBe(Object.keys(stated.computed).length);
    for (const { k, pass_all } of curve) expect(pass_all).toBeCloseTo(stated.computed[`pass^${k}`] ?? -1, 12);
  });
});
