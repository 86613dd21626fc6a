import type { Node } from "./json-nodes.ts";

// What each record and block of a session may hold, and what a value is. No import from lib/.

export const BUDGETS = ["max_turns", "output_token_budget", "cost_budget"];

export type Say = (problem: string) => void;
type Check = (node: Node) => boolean;
type Shape = Record<string, Check>;

/** Exactly these keys, in this order, once each; `optional` ones may follow. `tag`: the key before them. */
export function checkShape(node: Node, keys: Shape, say: Say, optional: Shape = {}, tag = "record"): void {
  if (node.kind !== "object") throw new Error("is no object");
  const found = node.entries.map(([key]) => key);
  const wanted = [tag, ...Object.keys(keys), ...Object.keys(optional).filter((key) => found.includes(key))];
  if (found.join() !== wanted.join()) say(`keys ${found.join()} instead of ${wanted.join()}`);
  for (const [key, value] of node.entries) {
    const check = keys[key] ?? optional[key];
    if (check !== undefined && !check(value)) say(`${key} holds ${JSON.stringify(value).slice(0, 80)}`);
  }
}

export const isText: Check = (node) => node.kind === "string";
export const isList: Check = (node) => node.kind === "array";
export const isTruth: Check = (node) => node.kind === "word" && node.value !== null;
export const isNumber: Check = (node) => node.kind === "number" && Number.isFinite(Number(node.raw));
export const isU32: Check = (node) => isWhole(node, 2n ** 32n - 1n);
const isU64: Check = (node) => isWhole(node, 2n ** 64n - 1n);
const isTexts: Check = (node) => node.kind === "array" && node.items.every(isText);
export const isId: Check = (node) => node.kind === "string" && /^\d{8}T\d{6}-[0-9a-f]{8}$/.test(node.value);
export const isTime: Check = (node) =>
  node.kind === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.(\d{3}|\d{6}|\d{9}))?Z$/.test(node.value);
export const isUsage: Check = (node) =>
  has(
    node,
    ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"],
    isU64,
  );
export const isTaint: Check = (node) => has(node, ["private", "untrusted"], isTruth);
export const isCause = word("completed", ...BUDGETS, "interrupted", "loop", "no_output");

function isWhole(node: Node, max: bigint): boolean {
  return node.kind === "number" && /^(0|[1-9]\d*)$/.test(node.raw) && BigInt(node.raw) <= max;
}

function word(...words: string[]): Check {
  return (node) => node.kind === "string" && words.includes(node.value);
}

function orNull(check: Check): Check {
  return (node) => (node.kind === "word" && node.value === null) || check(node);
}

function has(node: Node, keys: string[], check: Check): boolean {
  return (
    node.kind === "object" &&
    node.entries.map(([key]) => key).join() === keys.join() &&
    node.entries.every(([, value]) => check(value))
  );
}

export const CONFIG: Shape = {
  mecha_version: isText,
  provider: isText,
  model: isText,
  workspace: isText,
  system_prompt: orNull(isText),
  tools: isTexts,
  effort: orNull(word("low", "medium", "high", "xhigh", "max")),
  temperature: orNull(isNumber),
  seed: orNull(isU64),
  thinking: isTruth,
  cache_prompt: isTruth,
  max_tokens: isU32,
  max_turns: isU32,
  max_output_tokens: orNull(isU64),
  max_cost_usd: orNull(isNumber),
  compact_at_tokens: orNull(isU64),
  compact_keep_recent: isU64,
  permission_mode: word("ask", "allow", "read-only"),
  trifecta: word("block", "ask", "allow"),
  sandbox: word("none", "bwrap", "docker", "landlock"),
  sandbox_network: isTruth,
};

export const BLOCKS: Record<string, { keys: Shape; optional?: Shape }> = {
  text: { keys: { text: isText } },
  thinking: { keys: { text: isText }, optional: { signature: isText } },
  tool_use: { keys: { id: isText, name: isText, input: () => true } },
  tool_result: { keys: { tool_use_id: isText, content: isText, is_error: isTruth } },
  image: {
    keys: { media_type: word("image/png", "image/jpeg", "image/gif", "image/webp"), data: isText },
    optional: { source: isText },
  },
};

export function of(node: Node, key: string): Node | undefined {
  return node.kind === "object" ? node.entries.find(([name]) => name === key)?.[1] : undefined;
}

/** The keys that hold a string. */
export function textsOf(node: Node): Record<string, string> {
  if (node.kind !== "object") return {};
  return Object.fromEntries(
    node.entries.flatMap(([key, value]) => (value.kind === "string" ? [[key, value.value]] : [])),
  );
}

export function typeOf(node: Node): string {
  return textsOf(node).type ?? "";
}

export function wordOf(node: Node, key: string): boolean | null | undefined {
  const value = of(node, key);
  return value?.kind === "word" ? value.value : undefined;
}

export function numberOf(node: Node, key: string): number {
  const value = of(node, key);
  return value?.kind === "number" ? Number(value.raw) : Number.NaN;
}
