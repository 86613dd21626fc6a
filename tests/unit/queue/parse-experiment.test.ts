import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FIELDS, type Form, parseExperiment } from "#lib/queue/parse-experiment.ts";

const around = { osHome: "/home/p", cwd: "/proj" };
const parse = (form: Form) => parseExperiment(form, around);

describe("a form becomes an experiment", () => {
  test("with the defaults of the command line where nothing is filled in", () => {
    expect(parse({ change: "max_turns=40", metric: "", tags: " " })).toEqual({
      ok: true,
      value: {
        overrides: ["max_turns=40"],
        changeClass: "config",
        metric: null,
        rationale: null,
        holdoutIn: 3,
        proposalId: null,
        provider: null,
        model: null,
        casesFile: "/proj/eval/cases.jsonl",
        tags: [],
        runsPerCase: 1,
        concurrency: 4,
        judge: { provider: null, model: null },
        mcpFile: null,
      },
    });
  });

  test("with everything filled in", () => {
    const parsed = parse({
      change: "max_turns=40 effort=high",
      class: "prose",
      metric: "cut_short",
      rationale: " runs stop too early ",
      holdout_in: "4",
      proposal: "0b7c",
      provider: "local",
      model: "qwen3-moe",
      cases: "~/set/cases.jsonl",
      tags: ["edit, shell", "single-call"],
      runs: "5",
      concurrency: "8",
      judge_provider: "anthropic",
      judge_model: "claude",
      mcp_file: "eval/../eval/mcp.toml",
    });
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        overrides: ["max_turns=40", "effort=high"],
        changeClass: "prose",
        metric: "cut_short",
        rationale: "runs stop too early",
        holdoutIn: 4,
        proposalId: "0b7c",
        casesFile: "/home/p/set/cases.jsonl",
        tags: ["edit", "shell", "single-call"],
        runsPerCase: 5,
        concurrency: 8,
        judge: { provider: "anthropic", model: "claude" },
        mcpFile: "/proj/eval/mcp.toml",
      },
    });
  });
});

describe("what is wrong is said with the field's name", () => {
  test.each<[keyof Form & string, Form, RegExp]>([
    ["change", {}, /KEY=VALUE/],
    ["change", { change: "max_turn=3" }, /did you mean max_turns/],
    ["change", { change: "sandbox=none" }, /must be one of/],
    ["change", { change: "max_turns=3 max_turns=4" }, /given twice/],
    ["class", { change: "max_turns=3", class: "cosmetic" }, /one of config/],
    ["metric", { change: "max_turns=3", metric: "cost" }, /one of ended_on_failed_call/],
    ["holdout_in", { change: "max_turns=3", holdout_in: "1" }, /from 2/],
    ["runs", { change: "max_turns=3", runs: "0" }, /from 1 to 100/],
    ["runs", { change: "max_turns=3", runs: "1e2" }, /whole number/],
    ["concurrency", { change: "max_turns=3", concurrency: "65" }, /to 64/],
    ["model", { change: "max_turns=3", model: ["a", "b"] }, /given twice/],
    ["cases", { change: "max_turns=3", cases: "a\0b" }, /not text/],
    ["rationale", { change: "max_turns=3", rationale: "x".repeat(4_001) }, /at most 4000/],
    ["provider", { change: "max_turns=3", provider: "\ud800" }, /not text/],
  ])("%s: %j", (field, form, words) => {
    const parsed = parse(form);
    expect(parsed).toMatchObject({ ok: false, field });
    expect(parsed.ok ? "" : parsed.problem).toMatch(words);
    expect(parsed.ok ? "" : parsed.problem.startsWith(`${field}: `)).toBe(true);
  });

  test("whatever is sent, nothing is thrown", () => {
    const value = fc.oneof(fc.string({ unit: "binary" }), fc.array(fc.string(), { maxLength: 3 }));
    const form = fc.dictionary(fc.constantFrom<string>(...FIELDS, "$ACTION_ID", "__proto__"), value);
    fc.assert(
      fc.property(form, (sent) => {
        const parsed = parse({ change: "max_turns=3", ...sent });
        expect(parsed.ok || parsed.problem.startsWith(parsed.field)).toBe(true);
      }),
    );
  });
});
