import type { PendingCall, RunResult } from "#lib/agent/parts.ts";
import type { TraceEntry } from "#lib/agent/trace.ts";
import { inputTokens } from "#lib/agent/usage.ts";
import { fitTo } from "#lib/display-width.ts";
import { bytes, count, counted, DASH, money, visible } from "#lib/format.ts";
import type { Outcome } from "#lib/transcript/record.ts";

const LINE_COLUMNS = 200;
/** Longer inputs are cut before they are made visible: a call may carry megabytes. */
const LINE_UNITS = 1000;

/** A call that starts, on one line. */
export function callLine({ name, input }: PendingCall): string {
  return oneLine(`→ ${name} ${JSON.stringify(input).slice(0, LINE_UNITS)}`);
}

/** How a call went, on one line. A denial and a draft are no failures and have marks of their own. */
export function resultLine(entry: TraceEntry, content: string): string {
  const said = content.slice(0, LINE_UNITS).trim().split("\n", 1)[0] ?? "";
  if (entry.denied) return oneLine(`⊘ ${entry.name}  denied: ${said}`);
  if (entry.staged) return oneLine(`⧗ ${entry.name}  staged: ${said}`);
  if (entry.is_error || entry.unknown) return oneLine(`✕ ${entry.name}  ${said}`);
  return oneLine(`✓ ${entry.name}  ${bytes(Buffer.byteLength(content))}`);
}

/** Somebody else's words on one line of bounded width. */
export function oneLine(text: string): string {
  return fitTo(visible(text.slice(0, 2 * LINE_UNITS)), LINE_COLUMNS);
}

/** Said before the first word of what no model says. */
export function madeUp(provider: string): string {
  return `${provider} is a script and no model; its answers are made up`;
}

const BLOCK_LINES = 20;

/** The first lines of somebody else's text, set in, and how many there are beyond them. */
export function indented(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, BLOCK_LINES).map((line) => `    ${oneLine(line)}`);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`    … ${more} more line(s)`] : [])].join("\n");
}

/** Text of a model for a terminal: its lines and tabs, and nothing that a terminal would act on. */
export function terminalText(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part, at) => (at % 2 === 1 ? part : visible(part)))
    .join("");
}

/** What a run came to, on one line. */
export function endLine(session: string | null, { outcome, failure }: RunResult): string {
  const parts = [
    ...(session === null ? [] : [`session ${session}`]),
    counted(outcome.turns, "turn"),
    callCounts(outcome),
    `tokens ${tokens(outcome)}`,
    `cost ${cost(outcome)}`,
    failure === null ? (outcome.stop_cause ?? DASH) : "failed",
  ];
  return parts.join(" · ");
}

function callCounts(outcome: Outcome): string {
  const { tool_calls, tool_errors, tool_denied, tool_staged } = outcome;
  const parts = [
    ...(tool_errors > 0 ? [`${tool_errors} failed`] : []),
    ...(tool_denied > 0 ? [`${tool_denied} denied`] : []),
    ...(tool_staged > 0 ? [`${tool_staged} staged`] : []),
  ];
  const calls = counted(tool_calls, "call");
  return parts.length === 0 ? calls : `${calls} (${parts.join(", ")})`;
}

function tokens({ usage, usage_complete }: Outcome): string {
  const into = inputTokens(usage);
  if (!usage_complete && into + usage.output_tokens === 0) return DASH;
  return `${usage_complete ? "" : "≥ "}${count(into)} in, ${count(usage.output_tokens)} out`;
}

/** Small runs cost less than a cent, which two decimals would call nothing. */
function cost({ cost_usd, usage_complete }: Outcome): string {
  if (cost_usd === null) return DASH;
  const text = cost_usd > 0 && cost_usd < 0.01 ? `$${cost_usd.toPrecision(2)}` : money(cost_usd);
  return usage_complete ? text : `≥ ${text}`;
}
