import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseCases, withTags } from "#lib/eval/case-file.ts";

const LINE = { id: "a", tags: ["t"], prompt: "p" };
const root = path.resolve(import.meta.dirname, "../../..");

function problemOf(...lines: (object | string)[]): string {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const parsed = parseCases(text, "set.jsonl");
  return parsed.ok ? "" : parsed.problem;
}

describe("a case file", () => {
  it("is JSON lines with comments and blank lines between them", () => {
    const parsed = parseCases(`\uFEFF// one\n\n  ${JSON.stringify(LINE)}  \r\n// two\n`, "set.jsonl");
    expect(parsed).toMatchObject({
      ok: true,
      value: [{ id: "a", prompts: ["p"], sandbox: false, max_turns: null }],
    });
  });

  it.each([
    [
      { ...LINE, sandboxed: true },
      'set.jsonl:1: case "a": sandboxed is no key of a case; did you mean sandbox?',
    ],
    [{ ...LINE, expect: { contain: [] } }, "expect.contain is no key of a case; did you mean contains?"],
    [
      { ...LINE, expect: { taint: { privat: true } } },
      "expect.taint.privat is no key of a case; did you mean private?",
    ],
    [{ ...LINE, expect: { args: [{ tool: "t", key: "k", equal: "x" }] } }, "expect.args[0].equal is no key"],
    [{ ...LINE, expect: { args: [{ tool: "t" }] } }, "expect.args[0].key is missing"],
    [
      { ...LINE, expect: { args: [{ tool: "t", key: "k", equals: 3 }] } },
      "expect.args[0].equals must be a string",
    ],
    [{ ...LINE, expect: { tools: null } }, "expect.tools must be a list of strings"],
    [{ ...LINE, expect: { verify: "true" } }, 'expect.verify needs "sandbox": true'],
    [{ ...LINE, tags: [] }, "tags is missing or empty"],
    [{ ...LINE, prompt: ["a", " "] }, "prompt has a blank turn"],
    [{ ...LINE, id: "" }, "id is missing or blank"],
    ['{"id":"a","tags":["t"],"prompt":"p","max_turns":3.0}', "max_turns must be a whole number"],
    [
      '{"id":"a","tags":["t"],"prompt":"p","expect":{"contains":["x"],"contains":["y"]}}',
      "expect.contains is there twice",
    ],
    ['{"id":"a","tags":["t"],"prompt":"p"', "it is cut off in the middle"],
    ["[]", "a case is an object"],
  ])("says what is wrong with %j", (line, problem) => {
    expect(problemOf(line)).toContain(problem);
    expect(problemOf(line).startsWith("set.jsonl:1: ")).toBe(true);
    expect(problemOf(line).split("\n")).toHaveLength(1);
  });

  it("names the line, also behind comments, and uses nothing of the file", () => {
    expect(problemOf("// heading", LINE, "", { ...LINE, id: "b", tags: 3 })).toMatch(
      /^set\.jsonl:4: case "b": tags/,
    );
  });

  it("refuses an id that is taken, and says where", () => {
    expect(problemOf(LINE, LINE)).toBe('set.jsonl:2: case "a": id is taken by line 1');
  });

  it("without a case is no case file", () => {
    expect(problemOf("// nothing")).toBe("set.jsonl: no case in it");
  });

  it("chooses by tag, any of several; an unknown tag is a mistake", () => {
    const parsed = parseCases(
      [LINE, { ...LINE, id: "b", tags: ["u", "t"] }].map((one) => JSON.stringify(one)).join("\n"),
      "f",
    );
    if (!parsed.ok) throw new Error(parsed.problem);
    const ids = (tags: string[]) => {
      const chosen = withTags(parsed.value, tags);
      return chosen.ok ? chosen.value.map((one) => one.id) : chosen.problem;
    };
    expect(ids([])).toEqual(["a", "b"]);
    expect(ids(["u"])).toEqual(["b"]);
    expect(ids(["x"])).toBe('no case has the tag "x"; there are: t, u');
  });
});

describe("the shipped sets", () => {
  it.each([
    ["cases.jsonl", 36, ["list-then-read", "kata-median", "reports-superseded", "chain-total-compacted"]],
    ["pkg-cases.jsonl", 10, ["interlock-blocked"]],
  ])("%s loads", (name, least, ids) => {
    const parsed = parseCases(readFileSync(path.join(root, "eval", name), "utf8"), name);
    if (!parsed.ok) throw new Error(parsed.problem);
    expect(parsed.value.length).toBeGreaterThanOrEqual(least);
    expect(parsed.value.map((one) => one.id)).toEqual(expect.arrayContaining(ids));
  });

  it("holds each tag as often as a scorecard needs to say something about it", () => {
    const parsed = parseCases(readFileSync(path.join(root, "eval/cases.jsonl"), "utf8"), "cases.jsonl");
    if (!parsed.ok) throw new Error(parsed.problem);
    const tags = new Map<string, number>();
    for (const one of parsed.value) for (const tag of one.tags) tags.set(tag, (tags.get(tag) ?? 0) + 1);
    expect(Object.fromEntries(tags)).toMatchObject({
      ...{
        "single-call": 3,
        discrimination: 3,
        chaining: 3,
        args: 3,
        selection: 2,
        recovery: 3,
        safety: 3,
        honesty: 3,
      },
      ...{
        reasoning: 4,
        injection: 2,
        "long-horizon": 3,
        codegen: 4,
        synthesis: 2,
        ambiguity: 3,
        compaction: 2,
      },
    });
  });
});
