import {
  BLOCKS,
  BUDGETS,
  CONFIG,
  checkShape,
  isCause,
  isId,
  isList,
  isNumber,
  isTaint,
  isText,
  isTime,
  isTruth,
  isU32,
  isUsage,
  numberOf,
  of,
  type Say,
  textsOf,
  typeOf,
  wordOf,
} from "./format-shapes.ts";
import { type Node, parseNode } from "./json-nodes.ts";

// Knows the written format of a session and nothing of our code: no import from lib/.

/** Which counters a run's row has to show, and whom it belongs to. */
export type CheckedRow = {
  provider: string;
  model: string;
  counters: Record<string, number | boolean | string>;
};
export type Checked = { problems: string[]; rows: CheckedRow[]; torn: boolean };

/** `killed`: the process may have been ended at any moment, so that a last line may be torn and a run unfinished. */
export type CheckOptions = {
  id: string;
  /** `either`: of several processes, some a run and some a chat. */
  order: "run" | "chat" | "either";
  killed?: boolean;
};

/** Every line of a session's file against the rules; one line for each that is broken. */
export function checkSession(content: Buffer, options: CheckOptions): Checked {
  const walk: Walk = {
    problems: [],
    rows: [],
    provider: "",
    model: "",
    owed: [],
    run: newRun(),
    closing: [],
    options,
  };
  const { lines, torn } = cut(content, walk);
  lines.forEach((line, at) => {
    const say = (problem: string): void => void walk.problems.push(`line ${at + 1}: ${problem}`);
    // The next process to write gives a torn line its end, and says first what it was launched with.
    const attached = options.killed === true && lines[at + 1]?.startsWith('{"record":"config",') === true;
    if (attached && !isJson(line)) return;
    try {
      checkLine(walk, parseNode(line), at, say);
    } catch (error) {
      say(`${String(error)}: ${line.slice(0, 80)}`);
    }
  });
  if (options.killed !== true) {
    if (torn) walk.problems.push("the last line has no end");
    if (walk.owed.length > 0)
      walk.problems.push(`calls without a result at the end: ${walk.owed.join(", ")}`);
  }
  return { problems: walk.problems, rows: walk.rows, torn };
}

function isJson(line: string): boolean {
  try {
    parseNode(line);
    return true;
  } catch {
    return false;
  }
}

type Run = {
  calls: number;
  denied: number;
  failed: number;
  answers: number;
  rewritten: boolean;
  messages: number;
};
type Walk = {
  problems: string[];
  rows: CheckedRow[];
  provider: string;
  model: string;
  /** Ids of the last assistant message's calls. */
  owed: string[];
  run: Run;
  /** The records that have closed the run so far. */
  closing: string[];
  options: CheckOptions;
};

const newRun = (): Run => ({ calls: 0, denied: 0, failed: 0, answers: 0, rewritten: false, messages: 0 });

function cut(content: Buffer, walk: Walk): { lines: string[]; torn: boolean } {
  let text = "";
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    // A line that a kill has torn may end in the middle of a character.
    const whole = content.subarray(0, content.lastIndexOf(0x0a) + 1);
    text = `${new TextDecoder("utf-8", { ignoreBOM: true }).decode(whole)}torn`;
    if (text.includes("\ufffd") || walk.options.killed !== true) walk.problems.push("the file is not UTF-8");
  }
  const lines = text.split("\n");
  const last = lines.pop() ?? "";
  return { lines, torn: last !== "" };
}

function checkLine(walk: Walk, node: Node, at: number, say: Say): void {
  const [tag, kind] = node.kind === "object" ? (node.entries[0] ?? []) : [];
  if (node.kind !== "object" || tag !== "record" || kind?.kind !== "string") throw new Error("is no record");
  if ((at === 0) !== (kind.value === "meta")) throw new Error(`a ${kind.value} record stands here`);
  if (at === 1 && kind.value !== "config") say("no config record follows the header");
  const check = KINDS[kind.value];
  if (check === undefined) throw new Error(`unknown kind ${kind.value}`);
  check(walk, node, say);
}

const KINDS: Record<string, (walk: Walk, node: Node, say: Say) => void> = {
  meta(walk, node, say) {
    const shape = { id: isId, created_at: isTime, provider: isText, model: isText, workspace: isText };
    checkShape(node, shape, say, { title: isText });
    const { id } = textsOf(node);
    if (id !== walk.options.id) say(`the header's id is ${id}`);
    setModel(walk, node);
  },
  config(walk, node, say) {
    checkShape(node, CONFIG, say);
    const tools = of(node, "tools");
    const names =
      tools?.kind === "array" ? tools.items.map((one) => (one.kind === "string" ? one.value : "")) : [];
    if (
      names.some(
        (name, at) => at > 0 && Buffer.compare(Buffer.from(names[at - 1] ?? ""), Buffer.from(name)) > 0,
      )
    )
      say("the tools are not in order");
    setModel(walk, node);
    // Another process has taken over: whatever was open stays open.
    if (walk.closing.length > 0) settle(walk);
  },
  message(walk, node, say) {
    if (walk.closing.length > 0) settle(walk);
    walk.run.messages += 1;
    checkMessage(walk, node, ["record", "role", "content"], say);
  },
  rewrite(walk, node, say) {
    checkShape(node, { messages: isList }, say);
    if (walk.closing.length > 0) settle(walk);
    walk.run.rewritten = true;
    walk.run.messages += 1;
    walk.owed = [];
    const messages = of(node, "messages");
    const counted = walk.run;
    walk.run = newRun();
    if (messages?.kind === "array")
      for (const message of messages.items) checkMessage(walk, message, ["role", "content"], say);
    walk.run = counted;
  },
  taint(walk, node, say) {
    checkShape(node, { private: isTruth, untrusted: isTruth }, say);
    close(walk, "taint", say);
  },
  summary(walk, node, say) {
    if (walk.options.order === "chat") say("a chat writes no summary");
    checkShape(node, { usage: isUsage, turns: isU32 }, say);
    close(walk, "summary", say);
  },
  outcome(walk, node, say) {
    checkOutcome(walk, node, say);
    close(walk, "outcome", say);
  },
};

const ORDERS = { run: ["taint", "summary", "outcome"], chat: ["outcome", "taint"] };

/** Each closing record once per run, and in its order; a run that failed leaves out its outcome. */
function close(walk: Walk, kind: string, say: Say): void {
  const last = walk.closing.at(-1);
  if (walk.run.messages === 0) say(`a ${kind} record without a run before it`);
  if (walk.owed.length > 0) say(`a ${kind} record while calls have no result: ${walk.owed.join(", ")}`);
  if (walk.closing.includes(kind)) say(`a second ${kind} record for one run`);
  if (walk.options.order !== "either") checkOrder(ORDERS[walk.options.order], kind, last, say);
  if (kind === "outcome" && walk.options.order === "run" && last !== "summary")
    say("outcome without its summary");
  walk.closing.push(kind);
}

function checkOrder(order: string[], kind: string, last: string | undefined, say: Say): void {
  if (last !== undefined && order.indexOf(last) > order.indexOf(kind)) say(`${kind} behind ${last}`);
}

function settle(walk: Walk): void {
  walk.closing = [];
  walk.run = newRun();
}

function checkMessage(walk: Walk, node: Node, keys: string[], say: Say): void {
  if (node.kind !== "object" || node.entries.map(([key]) => key).join() !== keys.join())
    throw new Error("bad message keys");
  const role = textsOf(node).role ?? "";
  const content = of(node, "content");
  if (role !== "user" && role !== "assistant") throw new Error(`role ${role}`);
  if (content?.kind !== "array") throw new Error("the content is no list");
  for (const block of content.items) checkBlock(block, say);
  const results = content.items.filter((block) => typeOf(block) === "tool_result");
  const ids = results.map((block) => textsOf(block).tool_use_id ?? "");
  if (role === "assistant" && ids.length > 0) say("an assistant message with results");
  if (ids.join("\n") !== walk.owed.join("\n")) say(`results [${ids}] for the calls [${walk.owed}]`);
  const first = content.items.findIndex((block) => typeOf(block) !== "tool_result");
  if (first >= 0 && first < results.length) say("a result behind text");
  const calls = content.items.filter((block) => typeOf(block) === "tool_use");
  if (role === "user" && calls.length > 0) say("a user message with calls");
  walk.owed = calls.map((block) => textsOf(block).id ?? "");
  count(walk.run, role, calls.length, results);
}

function count(run: Run, role: string, calls: number, results: Node[]): void {
  run.calls += calls;
  if (role === "assistant") run.answers += 1;
  for (const result of results) {
    const denied = REFUSALS.some((words) => (textsOf(result).content ?? "").startsWith(words));
    const failed = wordOf(result, "is_error") === true;
    if (denied) run.denied += 1;
    else if (failed) run.failed += 1;
  }
}

const REFUSALS = ["Denied by the user:", "Blocked by policy:", "Blocked by a hook:"];

function checkBlock(block: Node, say: Say): void {
  const shape = BLOCKS[typeOf(block)];
  if (shape === undefined) throw new Error(`unknown block type ${typeOf(block)}`);
  checkShape(block, shape.keys, say, shape.optional, "type");
}

const OUTCOME_COUNTS = [
  "tool_calls",
  "tool_errors",
  "tool_denied",
  "tool_staged",
  "malformed_tool_args",
  "blocked_sends",
  "compactions",
];

function checkOutcome(walk: Walk, node: Node, say: Say): void {
  const cost = of(node, "cost_usd") === undefined ? {} : { cost_usd: isNumber };
  checkShape(
    node,
    {
      turns: isU32,
      usage: isUsage,
      ...cost,
      usage_complete: isTruth,
      stop_cause: isCause,
      exhausted: isTruth,
      ended_on_failed_call: isTruth,
      ...Object.fromEntries(OUTCOME_COUNTS.map((key) => [key, isU32])),
      taint: isTaint,
    },
    say,
  );
  const cause = textsOf(node).stop_cause ?? "";
  const n = (key: string): number => numberOf(node, key);
  if (wordOf(node, "exhausted") !== BUDGETS.includes(cause)) say(`exhausted beside ${cause}`);
  if (wordOf(node, "ended_on_failed_call") === true && cause !== "completed")
    say("a failed end that was no end");
  if (n("tool_errors") + n("tool_denied") + n("tool_staged") > n("tool_calls"))
    say("more ends of calls than calls");
  if (n("blocked_sends") > n("tool_denied")) say("a blocked send that is no denial");
  if (!walk.run.rewritten && cause !== "interrupted") checkCounts(walk.run, n, say);
  const counters = Object.fromEntries(["turns", ...OUTCOME_COUNTS].map((key) => [key, n(key)]));
  walk.rows.push({
    provider: walk.provider,
    model: walk.model,
    counters: { ...counters, stop_cause: cause },
  });
}

/** The messages of a run that was never shortened say themselves how many calls there were, and how they went. */
function checkCounts(run: Run, n: (key: string) => number, say: Say): void {
  if (run.calls !== n("tool_calls")) say(`tool_calls ${n("tool_calls")}, and ${run.calls} in the messages`);
  if (run.denied !== n("tool_denied"))
    say(`tool_denied ${n("tool_denied")}, and ${run.denied} in the messages`);
  if (run.failed !== n("tool_errors"))
    say(`tool_errors ${n("tool_errors")}, and ${run.failed} in the messages`);
  if (run.answers > n("turns") + 1) say(`turns ${n("turns")}, and ${run.answers} answers in the messages`);
}

function setModel(walk: Walk, node: Node): void {
  walk.provider = textsOf(node).provider ?? "";
  walk.model = textsOf(node).model ?? "";
}
