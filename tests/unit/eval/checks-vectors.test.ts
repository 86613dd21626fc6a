import { describe, expect, it } from "vitest";
import type { TraceEntry } from "#lib/agent/trace.ts";
import { argText } from "#lib/eval/arg-text.ts";
import { argsCheck } from "#lib/eval/args-check.ts";
import type { Expect } from "#lib/eval/case.ts";
import { parseCases } from "#lib/eval/case-file.ts";
import { gradeRun, inOrder } from "#lib/eval/checks.ts";
import { folderName } from "#lib/eval/items.ts";
import { firstObject, parseJudgment } from "#lib/eval/judge.ts";
import { normalize, says } from "#lib/eval/normalize.ts";
import { parseOutcome } from "#lib/transcript/stats.ts";
import { sharedDir } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

type Vectors = {
  normalize: { vectors: { in: string; out: string }[] };
  contains: { text: string; needle: string; contains: boolean; not_contains_passes: boolean }[];
  tools_in_order: { want: string[]; trace: string[]; is_subsequence: boolean }[];
  arg_stringify: { json: string; as_string: string }[];
  args_check: {
    calls: { name: string; input: unknown }[];
    expect: { tool: string; key: string; equals?: string; contains?: string };
    result: { passed: boolean; reason: string };
  }[];
  judge_reply: {
    text: string;
    first_object: string | null;
    verdict: { pass: boolean; reason: string } | null;
  }[];
  case_line: { line: string; loads: boolean }[];
  staging_dir_name: { item_id: string; dir: string }[];
  grade: {
    name: string;
    expect: Partial<Expect>;
    result: Record<string, unknown> & { text: string; tool_calls: TraceEntry[] };
    passed: boolean;
    check_names: string[];
    failed: string[];
    tool_errors: number;
    unknown_tools: number;
  }[];
};

const vectors = readVectors<Vectors>({
  normalize: { vectors: [] },
  contains: [],
  tools_in_order: [],
  arg_stringify: [],
  args_check: [],
  judge_reply: [],
  case_line: [],
  staging_dir_name: [],
  grade: [],
});

describe.skipIf(sharedDir === null)(
  "the shared vectors of checks (skipped where they are not on this machine)",
  () => {
    it.each(vectors.normalize.vectors)("normalises $in", ({ in: text, out }) => {
      expect(normalize(text)).toBe(out);
    });

    it.each(vectors.contains)(
      "looks for $needle in $text",
      ({ text, needle, contains, not_contains_passes }) => {
        expect(says(text, needle)).toBe(contains);
        expect(!says(text, needle)).toBe(not_contains_passes);
      },
    );

    it.each(vectors.tools_in_order)("finds $want in $trace", ({ want, trace, is_subsequence }) => {
      expect(inOrder(want, trace)).toBe(is_subsequence);
    });

    it.each(vectors.arg_stringify)("writes $json as $as_string", ({ json, as_string }) => {
      expect(argText(json)).toBe(as_string);
    });

    it.each(vectors.args_check)("checks an argument: $result.reason", ({ calls, expect: entry, result }) => {
      const trace = calls.map((call) => ({
        ...call,
        is_error: false,
        denied: false,
        unknown: false,
        staged: false,
      }));
      const check = argsCheck({ equals: null, contains: null, ...entry }, trace);
      expect(check.passed).toBe(result.passed);
      expect(check.detail.startsWith("no call to ")).toBe(result.reason === "key_never_passed");
    });

    it.each(vectors.judge_reply)("reads a judge's reply: $text", ({ text, first_object, verdict }) => {
      expect(firstObject(text)).toBe(first_object);
      const parsed = parseJudgment(text);
      expect(parsed.ok ? parsed.value : null).toEqual(verdict);
    });

    it.each(vectors.case_line)("loads a case line or refuses it: $line", ({ line, loads }) => {
      expect(parseCases(line, "cases.jsonl").ok).toBe(loads);
    });

    it.each(vectors.staging_dir_name)("names the folder of $item_id", ({ item_id, dir }) => {
      expect(folderName(item_id)).toBe(dir);
    });

    it.each(vectors.grade)("grades: $name", (vector) => {
      const { text, tool_calls, ...counts } = vector.result;
      const cases = parseCases(
        JSON.stringify({ id: "a", tags: ["t"], prompt: "p", sandbox: true, expect: vector.expect }),
        "cases.jsonl",
      );
      if (!cases.ok) throw new Error(cases.problem);
      const row = { record: "outcome", ...counts };
      const outcome = parseOutcome(row, JSON.stringify(row));
      if (outcome === null) throw new Error("the vector's counts are no outcome");
      const [one] = cases.value;
      if (one === undefined) throw new Error("no case");
      const checks = gradeRun(one.expect, { text, trace: tool_calls, outcome, unfinished: null });
      expect(checks.map((check) => check.name)).toEqual(vector.check_names);
      expect(checks.filter((check) => !check.passed).map((check) => check.name)).toEqual(vector.failed);
    });
  },
);
