import {
  EFFORTS,
  type Meta,
  type Outcome,
  PERMISSION_MODES,
  STOP_CAUSES,
  TRIFECTA_POLICIES,
} from "#lib/transcript/record.ts";
import { utcText } from "#lib/transcript/utc.ts";

// What the records of interest look like when they are written exactly as mecha writes them: keys in order and once, no
// white space, counts without sign, point or exponent. One expression each, which runs as machine code from its first
// use; a reader written out in steps would be that only after most of a store has been read. Whatever does not match is
// decoded and checked key by key, with the same result. A line stands in `text[start, end)`, which is Latin-1, that is, byte for byte.

const CARRIAGE_RETURN = 0x0d;
const COUNT = String.raw`(?:0|[1-9]\d{0,8})`;
const NUMBER = String.raw`(?:0|[1-9]\d{0,8})(?:\.\d{1,30})?`;
const TRUTH = "(?:true|false)";
/** A string that is the same in bytes, in JSON and decoded. */
const PLAIN = String.raw`"([ !#-\[\]-~]*)"`;
/** Any string as JSON writes it; unrolled, so that matching it needs no memory of each step. */
const STRING = String.raw`"[^"\\\x00-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*)*"`;

const OUTCOME = line(
  `{"record":"outcome","turns":(${COUNT}),"usage":{"input_tokens":(${COUNT}),"output_tokens":(${COUNT}),` +
    `"cache_creation_input_tokens":(${COUNT}),"cache_read_input_tokens":(${COUNT})},` +
    `(?:"cost_usd":(${NUMBER}),)?"usage_complete":(${TRUTH}),(?:"stop_cause":"(${STOP_CAUSES.join("|")})",)?` +
    `"exhausted":(${TRUTH}),"ended_on_failed_call":(${TRUTH}),"tool_calls":(${COUNT}),"tool_errors":(${COUNT}),` +
    `"tool_denied":(${COUNT}),"tool_staged":(${COUNT}),"malformed_tool_args":(${COUNT}),` +
    `"blocked_sends":(${COUNT}),"compactions":(${COUNT}),` +
    `"taint":{"private":(${TRUTH}),"untrusted":(${TRUTH})}}`,
);

export function outcomeAsWritten(text: string, start: number, end: number): Outcome | null {
  const match = matchLine(OUTCOME, text, start, end);
  if (match === null) return null;
  return {
    turns: Number(match[1]),
    usage: {
      input_tokens: Number(match[2]),
      output_tokens: Number(match[3]),
      cache_creation_input_tokens: Number(match[4]),
      cache_read_input_tokens: Number(match[5]),
    },
    cost_usd: match[6] === undefined ? null : Number(match[6]),
    usage_complete: match[7] === "true",
    stop_cause: (match[8] as Outcome["stop_cause"] | undefined) ?? null,
    exhausted: match[9] === "true",
    ended_on_failed_call: match[10] === "true",
    tool_calls: Number(match[11]),
    tool_errors: Number(match[12]),
    tool_denied: Number(match[13]),
    tool_staged: Number(match[14]),
    malformed_tool_args: Number(match[15]),
    blocked_sends: Number(match[16]),
    compactions: Number(match[17]),
    taint: { private: match[18] === "true", untrusted: match[19] === "true" },
  };
}

const META = line(
  `{"record":"meta","id":${PLAIN},"created_at":${PLAIN},"provider":${PLAIN},"model":${PLAIN},` +
    `"workspace":${PLAIN}(?:,"title":${PLAIN})?}`,
);

export function metaAsWritten(text: string): Meta | null {
  const match = matchLine(META, text, 0, text.length);
  if (match === null) return null;
  const created_at = utcText(match[2] ?? "");
  if (created_at === null) return null;
  return {
    id: match[1] ?? "",
    created_at,
    provider: match[3] ?? "",
    model: match[4] ?? "",
    workspace: match[5] ?? "",
    title: match[6] ?? null,
  };
}

const CONFIG = line(
  `{"record":"config","mecha_version":${PLAIN},"provider":${PLAIN},"model":${PLAIN},"workspace":${PLAIN},` +
    String.raw`"system_prompt":(null|${STRING}),"tools":(\[(?:${STRING}(?:,${STRING})*)?\]),` +
    `"effort":(null|"(?:${EFFORTS.join("|")})"),"temperature":(null|${NUMBER}),"seed":(?:null|${COUNT}),` +
    `"thinking":(${TRUTH}),"cache_prompt":${TRUTH},"max_tokens":${COUNT},"max_turns":(${COUNT}),` +
    `"max_output_tokens":(null|${COUNT}),"max_cost_usd":(null|${NUMBER}),"compact_at_tokens":(null|${COUNT}),` +
    `"compact_keep_recent":${COUNT},"permission_mode":("(?:${PERMISSION_MODES.join("|")})"),` +
    `"trifecta":("(?:${TRIFECTA_POLICIES.join("|")})"),"sandbox":(${PLAIN}),"sandbox_network":${TRUTH}}`,
);

/** What a config says: to whom runs belong, and, as the text it stands in, what is worth a marker. */
export type ConfigText = { provider: string; model: string; prompt: string; others: string };

export function configAsWritten(text: string, start: number, end: number): ConfigText | null {
  const match = matchLine(CONFIG, text, start, end);
  if (match === null) return null;
  return {
    provider: match[2] ?? "",
    model: match[3] ?? "",
    prompt: match[5] ?? "",
    others: `${match[1]}\n${match.slice(6).join("\n")}`,
  };
}

function line(source: string): RegExp {
  return new RegExp(source, "y");
}

/** The match of a whole line, which may end in a carriage return. */
function matchLine(expression: RegExp, text: string, start: number, end: number): RegExpExecArray | null {
  expression.lastIndex = start;
  const match = expression.exec(text);
  const stop = expression.lastIndex;
  return stop === end || (stop === end - 1 && text.charCodeAt(stop) === CARRIAGE_RETURN) ? match : null;
}
