import { z } from "zod";
import {
  EFFORTS,
  IMAGE_TYPES,
  PERMISSION_MODES,
  STOP_CAUSES,
  TRIFECTA_POLICIES,
  type TranscriptRecord,
} from "./record.ts";
import { utcText } from "./utc.ts";

// Every record kind, for readers that show a transcript. A scan never loads this: it needs three kinds and no schema
// library, see stats.ts.

const U32_MAX = 4_294_967_295;
const U64_MAX = 2 ** 64;

const u32 = z.number().refine((n) => Number.isInteger(n) && n >= 0 && n <= U32_MAX);
// Above 2^53 it is the nearest double.
const u64 = z.number().refine((n) => Number.isInteger(n) && n >= 0 && n <= U64_MAX);
const count = u32.default(0);
const flag = z.boolean().default(false);

const time = z.string().transform((text, context) => {
  const utc = utcText(text);
  if (utc === null) context.addIssue("not an RFC 3339 time");
  return utc ?? z.NEVER;
});

const usage = z.object({
  input_tokens: u64,
  output_tokens: u64,
  cache_creation_input_tokens: u64,
  cache_read_input_tokens: u64,
});
const noUsage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const taint = z.object({ private: flag, untrusted: flag });

const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), text: z.string(), signature: z.string().nullish() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({ type: z.literal("tool_result"), tool_use_id: z.string(), content: z.string(), is_error: flag }),
  z.object({
    type: z.literal("image"),
    media_type: z.enum(IMAGE_TYPES),
    data: z.string(),
    source: z.string().nullish(),
  }),
]);
const message = { role: z.enum(["user", "assistant"]), content: z.array(block) };

const record = z.discriminatedUnion("record", [
  z.object({
    record: z.literal("meta"),
    id: z.string(),
    created_at: time,
    provider: z.string(),
    model: z.string(),
    workspace: z.string(),
    title: z.string().nullable().default(null),
  }),
  z.object({
    record: z.literal("config"),
    mecha_version: z.string().default(""),
    provider: z.string().default(""),
    model: z.string().default(""),
    workspace: z.string().default(""),
    system_prompt: z.string().nullable().default(null),
    tools: z.array(z.string()).default([]),
    effort: z.enum(EFFORTS).nullable().default(null),
    temperature: z.number().nullable().default(null),
    seed: u64.nullable().default(null),
    thinking: flag,
    cache_prompt: flag,
    max_tokens: count,
    max_turns: count,
    max_output_tokens: u64.nullable().default(null),
    max_cost_usd: z.number().nullable().default(null),
    compact_at_tokens: u64.nullable().default(null),
    compact_keep_recent: u64.default(0),
    permission_mode: z.enum(PERMISSION_MODES).default("ask"),
    trifecta: z.enum(TRIFECTA_POLICIES).default("block"),
    sandbox: z.string().default("none"),
    sandbox_network: flag,
  }),
  z.object({ record: z.literal("message"), ...message }),
  z.object({ record: z.literal("rewrite"), messages: z.array(z.object(message)) }),
  z.object({ record: z.literal("taint"), private: flag, untrusted: flag }),
  z.object({ record: z.literal("summary"), usage, turns: u32 }),
  z.object({
    record: z.literal("outcome"),
    turns: count,
    usage: usage.default(noUsage),
    cost_usd: z.number().nullable().default(null),
    usage_complete: flag,
    stop_cause: z.enum(STOP_CAUSES).nullable().default(null),
    exhausted: flag,
    ended_on_failed_call: flag,
    tool_calls: count,
    tool_errors: count,
    tool_denied: count,
    tool_staged: count,
    malformed_tool_args: count,
    blocked_sends: count,
    compactions: count,
    taint: taint.default({ private: false, untrusted: false }),
  }),
]);

/**
 * One record of a session, with the defaults of absent keys filled in; null when `value` is none. Of what the text alone
 * shows (`3.0` for a count, a key given twice) it knows nothing: whoever counts runs uses stats.ts.
 */
export function parseRecord(value: unknown): TranscriptRecord | null {
  const parsed = record.safeParse(value);
  return parsed.success ? parsed.data : null;
}
