import type { Parsed } from "#lib/errors.ts";
import { countOf, fieldOf, numberOf, type RawRow, textOf, truthOf } from "./row-fields.ts";
import type { CaseRun, Check } from "./scorecard.ts";

/** Rewards are sums of products in some harnesses: a hair under 1 is 1. */
const HAIR = 1e-6;
const BROKEN = new Set(["infrastructure_error", "error", "errored", "exception", "crashed"]);

/** One row, understood. */
export type Trial = {
  place: string;
  /** As the row numbers it; null where it does not. */
  number: number | null;
  /** null: the row has neither a grade nor an error. */
  graded: boolean;
  /** A reward that is neither nothing nor a pass. */
  partial: boolean;
  /** A reward that passes by a line of at most 1, and is more: of another scale, it may be. */
  above: boolean;
  /** `passed` and `reward` of the row say different things. */
  contradicts: boolean;
  run: CaseRun;
};

/** A row as a graded run; the problem names the row and its column. */
export function trialOf(row: RawRow, passAt: number): Parsed<Trial> {
  const id = textOf(row, "id");
  if (id === null) return { ok: false, problem: `${row.place}: it has no case or task id` };
  const written = fieldOf(row, "id");
  // Beyond 2^53 several numbers are one, and several cases would be.
  if (typeof written === "number" && Math.abs(written) > Number.MAX_SAFE_INTEGER)
    return {
      ok: false,
      problem: `${row.place}: its id is a number too large to be told apart; write it as text`,
    };
  if (/\p{Cs}/u.test(id)) return { ok: false, problem: `${row.place}: its id is not valid Unicode` };
  const passed = truthOf(row, "passed");
  if (!passed.ok) return passed;
  const reward = numberOf(row, "reward");
  if (!reward.ok) return reward;
  const number = countOf(row, "run");
  if (!number.ok) return number;
  const byReward = reward.value === null ? null : reward.value >= passAt - HAIR;
  const grade = passed.value ?? byReward;
  const error = errorOf(row);
  const run = runOf(row, id, grade === true && error === null, error);
  if (!run.ok) return run;
  run.value.checks = error === null ? checksOf(grade, passed.value, reward.value, passAt) : [];
  return {
    ok: true,
    value: {
      place: row.place,
      number: number.value,
      graded: grade !== null || error !== null,
      partial: passed.value === null && reward.value !== null && reward.value > 0 && byReward === false,
      above: passed.value === null && reward.value !== null && reward.value > 1 + HAIR && passAt <= 1,
      contradicts: passed.value !== null && byReward !== null && passed.value !== byReward,
      run: run.value,
    },
  };
}

function errorOf(row: RawRow): string | null {
  const error = fieldOf(row, "error");
  if (error !== null && !isNoError(error))
    return error === true || isYes(error) ? "the row says so" : textOf(row, "error");
  const ending = textOf(row, "ending");
  return ending !== null && BROKEN.has(bareWord(ending)) ? ending : null;
}

/** Python writes a member of an enumeration with the name of that before it. */
function bareWord(ending: string): string {
  return ending
    .trim()
    .toLowerCase()
    .replace(/^\w+\./, "");
}

/** A column of yes and no, or of lists, has something in every row. */
function isNoError(error: unknown): boolean {
  if (typeof error === "string")
    return /^(none|null|nan|n\/a|false|no|0|0\.0|\[\]|\{\}|-)$/i.test(error.trim());
  return (
    error === false || error === 0 || (typeof error === "object" && Object.keys(error ?? {}).length === 0)
  );
}

function isYes(error: unknown): boolean {
  return typeof error === "string" && /^true$/i.test(error.trim());
}

function checksOf(
  grade: boolean | null,
  passed: boolean | null,
  reward: number | null,
  passAt: number,
): Check[] {
  if (grade === null) return [];
  if (passed !== null) return [{ name: "passed", passed: grade, detail: "" }];
  return [{ name: `reward ≥ ${passAt}`, passed: grade, detail: grade ? "" : `reward ${reward}` }];
}

function runOf(row: RawRow, id: string, passed: boolean, error: string | null): Parsed<CaseRun> {
  const numbers = {
    turns: countOf(row, "turns"),
    calls: countOf(row, "calls"),
    errors: countOf(row, "errors"),
    elapsed: numberOf(row, "elapsed"),
    cost: numberOf(row, "cost"),
    input: countOf(row, "input"),
    output: countOf(row, "output"),
  };
  for (const number of Object.values(numbers)) if (!number.ok) return number;
  const told = (number: Parsed<number | null>) => (number.ok ? number.value : null);
  return {
    ok: true,
    value: {
      id,
      run: 1,
      passed,
      tags: tagsOf(fieldOf(row, "tags")),
      checks: [],
      turns: told(numbers.turns),
      elapsed_ms: told(numbers.elapsed),
      malformed_tool_args: null,
      unknown_tools: null,
      tool_errors: told(numbers.errors),
      tool_denied: null,
      tools_called: null,
      tool_calls: told(numbers.calls),
      usage: usageOf(told(numbers.input), told(numbers.output)),
      cost_usd: told(numbers.cost),
      error,
      text: textOf(row, "text") ?? "",
      stats: null,
      transcript: null,
    },
  };
}

/** Half of a count is none. */
function usageOf(input_tokens: number | null, output_tokens: number | null): CaseRun["usage"] {
  if (input_tokens === null || output_tokens === null) return null;
  return { input_tokens, output_tokens, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
}

function tagsOf(value: unknown): string[] {
  const list = Array.isArray(value)
    ? value.map(String)
    : typeof value === "string"
      ? value.split(/[;,|]/)
      : [];
  return [...new Set(list.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
}
