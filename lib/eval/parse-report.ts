import { z } from "zod";
import type { Parsed } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import { schemaProblem } from "#lib/schema-problem.ts";
import { STOP_CAUSES } from "#lib/transcript/record.ts";
import type { CaseRun, Report } from "./scorecard.ts";

const count = z.int().min(0);
const number = z.number().min(0);
/** Absent and null are the same here: the file does not tell. */
const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null);
const wellFormed = (text: string) => !/\p{Cs}/u.test(text);
// An id is hashed and written again: what is no Unicode text would change on the way.
const id = z.string().min(1).refine(wellFormed, "is not valid Unicode");

export const usageSchema = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count.default(0),
  cache_read_input_tokens: count.default(0),
});

/** An outcome row; as in a transcript, absent keys are zeros, and a usage that is there is there whole. */
export const statsSchema = z.object({
  turns: count.default(0),
  usage: z
    .object({
      input_tokens: count,
      output_tokens: count,
      cache_creation_input_tokens: count,
      cache_read_input_tokens: count,
    })
    .default(() => ({
      input_tokens: 0,
      output_tokens: 0,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    })),
  cost_usd: maybe(number),
  usage_complete: z.boolean().default(false),
  stop_cause: maybe(z.enum(STOP_CAUSES)),
  exhausted: z.boolean().default(false),
  ended_on_failed_call: z.boolean().default(false),
  tool_calls: count.default(0),
  tool_errors: count.default(0),
  tool_denied: count.default(0),
  tool_staged: count.default(0),
  malformed_tool_args: count.default(0),
  blocked_sends: count.default(0),
  compactions: count.default(0),
  taint: z
    .object({ private: z.boolean().default(false), untrusted: z.boolean().default(false) })
    .default(() => ({ private: false, untrusted: false })),
});

const runSchema = z.object({
  id,
  run: z.int().min(1).default(1),
  passed: z.boolean(),
  tags: z.array(z.string()).default(() => []),
  checks: z
    .array(z.object({ name: z.string(), passed: z.boolean(), detail: z.string().default("") }))
    .default(() => []),
  turns: maybe(count),
  elapsed_ms: maybe(number),
  malformed_tool_args: maybe(count),
  unknown_tools: maybe(count),
  tool_errors: maybe(count),
  tool_denied: maybe(count),
  tools_called: maybe(z.array(z.string())),
  tool_calls: maybe(count),
  usage: maybe(usageSchema),
  cost_usd: maybe(number),
  error: maybe(z.string()),
  text: z.string().default(""),
  stats: maybe(statsSchema),
  transcript: maybe(z.string()),
});

const headSchema = z.object({
  model: z.string(),
  provider: z.string(),
  total: count,
  passed: count,
  passed_any: maybe(count),
  runs_per_case: z.int().min(1).default(1),
  check_pass_rate: maybe(number),
  malformed_tool_args: maybe(count),
  unknown_tools: maybe(count),
  tool_errors: maybe(count),
  runs_errored: maybe(count),
  mean_turns: maybe(number),
  median_latency_ms: maybe(number),
  total_usage: maybe(usageSchema),
  wall_clock_ms: maybe(number),
  by_tag: maybe(
    z.array(z.object({ tag: z.string(), passed: count, total: count, passed_any: maybe(count) })),
  ),
});

const metaSchema = z.object({
  case_set_sha256: maybe(z.string()),
  fixture_sha256: maybe(z.string()),
  judge: maybe(z.object({ provider: z.string(), model: z.string() })),
  concurrency: maybe(count),
  grader_version: maybe(z.string()),
  seed: maybe(count),
  sandbox: maybe(z.string()),
  created_at: maybe(z.string()),
  partial: maybe(z.boolean()),
  cost_usd: maybe(number),
  judge_usage: maybe(usageSchema),
  judge_cost_usd: maybe(number),
  not_scored: z.array(z.object({ id, reason: z.string() })).default(() => []),
});

const reportSchema = z.object({
  scorecard: z.intersection(headSchema, metaSchema),
  cases: z.array(runSchema),
});

/** One graded run as reports and journals hold it. */
export function parseRun(value: unknown): Parsed<CaseRun> {
  const parsed = runSchema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, problem: schemaProblem(parsed.error, "the run") };
}

/** True for an object that means to be a scorecard, whatever else is wrong with it. */
export function looksLikeReport(value: unknown): boolean {
  return isObject(value) && isObject(value.scorecard) && Array.isArray(value.cases);
}

/**
 * Reads a report of either shape: cards from before cases could be repeated have no `runs_per_case`, `passed_any` and `run`.
 * The problem names the place in the file.
 */
export function parseReport(value: unknown): Parsed<Report> {
  const parsed = reportSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: schemaProblem(parsed.error, "the file") };
  const { scorecard, cases } = parsed.data;
  const { model, provider, wall_clock_ms, ...rest } = scorecard;
  const head = headSchema.omit({ model: true, provider: true, wall_clock_ms: true }).parse(rest);
  return {
    ok: true,
    value: { model, provider, head, wall_clock_ms, meta: metaSchema.parse(rest), runs: numbered(cases) },
  };
}

/**
 * A case id that comes twice under one run number (old cards number nothing) is a case that ran twice: its later runs
 * get the next number, so that none of them is lost and the card shows the larger count of runs.
 */
function numbered(runs: CaseRun[]): CaseRun[] {
  const taken = new Map<string, { numbers: Set<number>; highest: number }>();
  for (const run of runs) {
    const own = taken.get(run.id) ?? { numbers: new Set<number>(), highest: 0 };
    taken.set(run.id, own);
    if (own.numbers.has(run.run)) run.run = own.highest + 1;
    own.numbers.add(run.run);
    own.highest = Math.max(own.highest, run.run);
  }
  return runs;
}
