import type { Parsed } from "#lib/errors.ts";

/** One row with its place in the file, for messages. Keys are lower case. */
export type RawRow = {
  place: string;
  fields: ReadonlyMap<string, unknown>;
  /** All it holds is text, in which nothing has to be a word. */
  ofText: boolean;
};

/** The names under which harnesses write the same thing; the first one present counts. */
const FIELD_NAMES = {
  id: ["case_id", "case", "task_id", "task", "instance_id", "id", "name"],
  run: ["run", "trial", "attempt", "epoch", "repeat", "run_number", "trial_number"],
  passed: ["passed", "pass", "success", "resolved"],
  reward: ["reward", "score"],
  turns: ["turns", "assistant_turns", "num_turns", "steps"],
  calls: ["tool_calls", "assistant_tool_calls", "calls"],
  errors: ["tool_errors", "errors"],
  cost: ["cost_usd", "agent_cost", "cost"],
  elapsed: ["elapsed_ms", "duration_ms", "latency_ms"],
  input: ["input_tokens", "prompt_tokens"],
  output: ["output_tokens", "completion_tokens"],
  error: ["error", "exception"],
  ending: ["termination_reason", "status"],
  model: ["model"],
  provider: ["provider"],
  tags: ["tags", "tag"],
  text: ["text", "answer", "output"],
} as const;
export type Field = keyof typeof FIELD_NAMES;

/** What programs write as text where they have nothing, Python's among them. */
const NOTHING = /^(none|null|nan|n\/a|<na>)$/i;
/** In these, such a word could be what is meant. */
const WORDS: ReadonlySet<Field> = new Set<Field>(["id", "model", "provider", "tags", "text"]);

/** The value of a field; null where it is absent, null, blank or a word for that. */
export function fieldOf(row: RawRow, field: Field): unknown {
  const column = columnOf(row, field);
  return column === null ? null : row.fields.get(column);
}

/** The column a field was found in; null where the row has none. A column without a name, such as an index, is no field's. */
function columnOf({ fields, ofText }: RawRow, field: Field): string | null {
  const isNothing = (value: unknown) =>
    value === null ||
    value === "" ||
    (ofText && !WORDS.has(field) && typeof value === "string" && NOTHING.test(value));
  return FIELD_NAMES[field].find((name) => !isNothing(fields.get(name) ?? null)) ?? null;
}

/** A field as text, whatever it holds; null where the row has none. */
export function textOf(row: RawRow, field: Field): string | null {
  const value = fieldOf(row, field);
  if (value === null || typeof value === "string") return value;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number ≥ 0 that JSON or a CSV cell holds. */
export function numberOf(row: RawRow, field: Field): Parsed<number | null> {
  const value = fieldOf(row, field);
  if (value === null) return { ok: true, value: null };
  const number = typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
  if (typeof number === "number" && Number.isFinite(number) && number >= 0)
    return { ok: true, value: number };
  return wrong(row, field, value, "a number of 0 or more");
}

/** A whole number ≥ 0; a list counts its entries. */
export function countOf(row: RawRow, field: Field): Parsed<number | null> {
  const value = fieldOf(row, field);
  if (Array.isArray(value)) return { ok: true, value: value.length };
  const number = numberOf(row, field);
  if (!number.ok || number.value === null || Number.isSafeInteger(number.value)) return number;
  return wrong(row, field, number.value, "a whole number");
}

const YES: readonly unknown[] = [true, 1, "true", "1", "1.0", "yes", "pass", "passed"];
const NO: readonly unknown[] = [false, 0, "false", "0", "0.0", "no", "fail", "failed"];

/** A field as true or false, in any of the spellings that harnesses use; null where the row has none. */
export function truthOf(row: RawRow, field: Field): Parsed<boolean | null> {
  const value = fieldOf(row, field);
  if (value === null) return { ok: true, value: null };
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (YES.includes(word)) return { ok: true, value: true };
  if (NO.includes(word)) return { ok: true, value: false };
  return wrong(row, field, value, "true or false");
}

function wrong(row: RawRow, field: Field, value: unknown, wanted: string): { ok: false; problem: string } {
  const shown = JSON.stringify(value)?.slice(0, 60) ?? String(value);
  return { ok: false, problem: `${row.place}: ${columnOf(row, field)} is ${shown}, not ${wanted}` };
}
