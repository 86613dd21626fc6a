import { createHash } from "node:crypto";
import type { RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import { type Node, parseSlowly } from "./slow-json.ts";

// The rules for reading a mecha session, written down once more: the whole file in memory, every line looked at as a
// whole, no shared code with the product. The scanner must say exactly what this says.

export type SlowRead = {
  found: "session" | "none" | "unreadable";
  id: string | null;
  created_at: string | null;
  runs: RunRow[];
  lines_oversize: number;
  lines_torn: number;
  lines_unknown: number;
  lines_not_utf8: number;
};

type Members = Map<string, Node>;
type Meta = { id: string; created_at: string; provider: string; model: string };

export function readSlowly(file: Buffer, lineBytesMax: number): SlowRead {
  const lines = splitLines(file);
  const head = findHead(lines, lineBytesMax);
  if (typeof head === "string") return { ...nothing(head), ...headCounts(lines, lineBytesMax, head) };
  const read: SlowRead = { ...nothing("session"), id: head.id, created_at: head.created_at };
  const state: State = { head, provider: "", model: "", config: null, runs: read.runs };
  for (const line of lines) readLine(line, lineBytesMax, read, state);
  return read;
}

type State = { head: Meta; provider: string; model: string; config: RunConfig | null; runs: RunRow[] };
type Line = { bytes: Buffer; ended: boolean };

function splitLines(file: Buffer): Line[] {
  const bom = file.length >= 3 && file[0] === 0xef && file[1] === 0xbb && file[2] === 0xbf;
  const lines: Line[] = [];
  let start = bom ? 3 : 0;
  for (let i = start; i < file.length; i++) {
    if (file[i] !== 0x0a) continue;
    lines.push({ bytes: file.subarray(start, i), ended: true });
    start = i + 1;
  }
  if (start < file.length) lines.push({ bytes: file.subarray(start), ended: false });
  return lines;
}

function nothing(found: SlowRead["found"]): SlowRead {
  return {
    found,
    id: null,
    created_at: null,
    runs: [],
    lines_oversize: 0,
    lines_torn: 0,
    lines_unknown: 0,
    lines_not_utf8: 0,
  };
}

// ---- the header: the first object of the first line that is not blank ------------------------------------------

function findHead(lines: Line[], lineBytesMax: number): Meta | "none" | "unreadable" {
  const first = lines.find(({ bytes }) => bytes.length > lineBytesMax || trim(bytes).length > 0);
  if (first === undefined) return "none";
  if (first.bytes.length > lineBytesMax) return "unreadable";
  const text = trim(first.bytes);
  if (!isUtf8(text)) return "unreadable";
  const object = firstObject(text);
  const members = object === null ? null : membersOf(text.subarray(0, object));
  const meta = members === null || tagOf(members) !== "meta" ? null : readMeta(members);
  return meta ?? "none";
}

function headCounts(lines: Line[], lineBytesMax: number, found: string): Partial<SlowRead> {
  if (found !== "unreadable") return {};
  const first = lines.find(({ bytes }) => bytes.length > lineBytesMax || trim(bytes).length > 0);
  return first !== undefined && first.bytes.length > lineBytesMax
    ? { lines_oversize: 1 }
    : { lines_not_utf8: 1 };
}

// ---- one line ----------------------------------------------------------------------------------------------------

const UNREAD = /^[ \t\r]*\{[ \t\r]*"record"[ \t\r]*:[ \t\r]*"(?:message|rewrite|taint|summary)"/;

function readLine({ bytes, ended }: Line, lineBytesMax: number, read: SlowRead, state: State): void {
  if (bytes.length > lineBytesMax) {
    read.lines_oversize++;
    return;
  }
  const outcome = readObjects(trim(bytes), ended, state);
  if (outcome === "bad bytes") read[ended ? "lines_not_utf8" : "lines_torn"]++;
  if (outcome === "broken") read[ended ? "lines_unknown" : "lines_torn"]++;
  if (outcome === "unknown") read.lines_unknown++;
}

function isUnread(bytes: Buffer): boolean {
  return UNREAD.test(bytes.toString("latin1"));
}

function readObjects(
  line: Buffer,
  ended: boolean,
  state: State,
): "fine" | "unknown" | "broken" | "bad bytes" {
  let rest = line;
  let result: "fine" | "unknown" = "fine";
  let checked = false;
  while (rest.length > 0) {
    const end = firstObject(rest);
    if (isUnread(rest)) {
      // A line that is not all there yet is said to be; one that never will be is passed over, like a whole one.
      if (end === null) return ended ? result : "broken";
      rest = trim(rest.subarray(end));
      // Behind a record that is not read, what is empty or does not start like an object is not read either.
      const empty = /^(?:\{[ \t\v\f\r]*\}[ \t\v\f\r]*)*/.exec(rest.toString("latin1"));
      rest = rest.subarray(empty?.[0].length ?? 0);
      if (!/^\{[ \t\v\f\r]*"/.test(rest.toString("latin1"))) return result;
      continue;
    }
    if (!checked && !isUtf8(rest)) return "bad bytes";
    checked = true;
    const members = end === null ? null : membersOf(rest.subarray(0, end));
    if (end === null || members === null) return "broken";
    if (!readRecord(members, state)) result = "unknown";
    rest = trim(rest.subarray(end));
  }
  return result;
}

/** How long the object at the start is, by its braces; null when there is none or it does not end. */
function firstObject(bytes: Buffer): number | null {
  const text = bytes.toString("latin1");
  if (text[0] !== "{") return null;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth++;
    else if (char === "}") {
      depth--;
      if (depth === 0) return i + 1;
    }
  }
  return null;
}

/** The members of the object in `bytes`; a map cannot hold a key twice, so twice is marked. */
function membersOf(bytes: Buffer): Members | null {
  const node = parseSlowly(bytes.toString("utf8"));
  return node?.kind === "object" ? mapOf(node) : null;
}

const TWICE: Node = { kind: "word", value: "null" };

function mapOf(node: Node & { kind: "object" }): Members {
  const map: Members = new Map();
  for (const [key, value] of node.members) map.set(key, map.has(key) ? TWICE : value);
  return map;
}

// ---- one record --------------------------------------------------------------------------------------------------

function tagOf(members: Members): string | null {
  const tag = members.get("record");
  return tag?.kind === "string" ? tag.value : null;
}

function readRecord(members: Members, state: State): boolean {
  switch (tagOf(members)) {
    case "message":
    case "rewrite":
    case "taint":
    case "summary":
      return true;
    case "meta": {
      const meta = readMeta(members);
      if (meta === null) return false;
      state.provider = meta.provider;
      state.model = meta.model;
      return true;
    }
    case "config":
      return readConfig(members, state);
    case "outcome": {
      const row = readOutcome(members, state);
      if (row !== null) state.runs.push(row);
      return row !== null;
    }
    default:
      return false;
  }
}

const BAD = Symbol("a value the key may not hold");

/** The value of a key: its default when absent; BAD when it is given twice or is not of the kind. */
function take<T>(
  members: Members,
  key: string,
  absent: T,
  kind: (node: Node) => T | typeof BAD,
): T | typeof BAD {
  const node = members.get(key);
  if (node === undefined) return absent;
  return node === TWICE ? BAD : kind(node);
}

const text = (node: Node) => (node.kind === "string" ? node.value : BAD);
const truth = (node: Node) => (node.kind === "word" && node.value !== "null" ? node.value === "true" : BAD);
const integer = (max: bigint) => (node: Node) =>
  node.kind === "number" && /^[0-9]+$/.test(node.raw) && BigInt(node.raw) <= max ? Number(node.raw) : BAD;
const u32 = integer(2n ** 32n - 1n);
const u64 = integer(2n ** 64n - 1n);
const f64 = (node: Node) =>
  node.kind === "number" && Math.abs(Number(node.raw)) <= Number.MAX_VALUE ? Number(node.raw) : BAD;
const maybe =
  <T>(kind: (node: Node) => T | typeof BAD) =>
  (node: Node): T | null | typeof BAD =>
    node.kind === "word" && node.value === "null" ? null : kind(node);
const among =
  (...words: string[]) =>
  (node: Node) =>
    node.kind === "string" && words.includes(node.value) ? node.value : BAD;

function readMeta(members: Members): Meta | null {
  const [id, created, provider, model, workspace] = [
    "id",
    "created_at",
    "provider",
    "model",
    "workspace",
  ].map((key) => take<string | typeof BAD>(members, key, BAD, text));
  const title = take<string | null>(members, "title", null, maybe(text));
  const created_at = typeof created === "string" ? utc(created) : null;
  if (typeof id !== "string" || created_at === null || typeof workspace !== "string" || title === BAD)
    return null;
  if (typeof provider !== "string" || typeof model !== "string") return null;
  return { id, created_at, provider, model };
}

function readConfig(members: Members, state: State): boolean {
  const strings = (node: Node) => {
    if (node.kind !== "array") return BAD;
    const items = node.items.map(text);
    return items.some((item) => item === BAD) ? BAD : (items as string[]);
  };
  const given = {
    mecha_version: take(members, "mecha_version", undefined, text),
    provider: take(members, "provider", "", text),
    model: take(members, "model", "", text),
    workspace: take(members, "workspace", "", text),
    system_prompt: take(members, "system_prompt", undefined, maybe(text)),
    tools: take(members, "tools", undefined, strings),
    effort: take(members, "effort", undefined, maybe(among("low", "medium", "high", "xhigh", "max"))),
    temperature: take(members, "temperature", undefined, maybe(f64)),
    seed: take(members, "seed", null, maybe(u64)),
    thinking: take(members, "thinking", undefined, truth),
    cache_prompt: take(members, "cache_prompt", false, truth),
    max_tokens: take(members, "max_tokens", 0, u32),
    max_turns: take(members, "max_turns", undefined, u32),
    max_output_tokens: take(members, "max_output_tokens", undefined, maybe(u64)),
    max_cost_usd: take(members, "max_cost_usd", undefined, maybe(f64)),
    compact_at_tokens: take(members, "compact_at_tokens", undefined, maybe(u64)),
    compact_keep_recent: take(members, "compact_keep_recent", 0, u64),
    permission_mode: take(members, "permission_mode", undefined, among("ask", "allow", "read-only")),
    trifecta: take(members, "trifecta", undefined, among("block", "ask", "allow")),
    sandbox: take(members, "sandbox", undefined, text),
    sandbox_network: take(members, "sandbox_network", false, truth),
  };
  if (Object.values(given).some((value) => value === BAD)) return false;
  state.provider = given.provider as string;
  state.model = given.model as string;
  const { mecha_version, system_prompt, tools } = given;
  const all = {
    harness_version: mecha_version,
    effort: given.effort,
    max_turns: given.max_turns,
    max_output_tokens: given.max_output_tokens,
    max_cost_usd: given.max_cost_usd,
    compact_at_tokens: given.compact_at_tokens,
    permission_mode: given.permission_mode,
    trifecta: given.trifecta,
    sandbox: given.sandbox,
    temperature: given.temperature,
    thinking: given.thinking,
    system_prompt_sha: typeof system_prompt === "string" ? sha(system_prompt) : system_prompt,
    tools_sha: tools === undefined ? undefined : sha((tools as string[]).join("\n")),
  };
  state.config = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined),
  ) as RunConfig;
  return true;
}

function sha(value: string): string {
  return createHash("sha256").update(value).digest("hex").slice(0, 12);
}

const CAUSES = [
  "completed",
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "interrupted",
  "loop",
  "no_output",
];

function readOutcome(members: Members, state: State): RunRow | null {
  const usageOf = (node: Node) => {
    if (node.kind !== "object") return BAD;
    const inner = mapOf(node);
    const counts = [
      "input_tokens",
      "output_tokens",
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
    ].map((key) => [key, take<number | typeof BAD>(inner, key, BAD, u64)] as const);
    return counts.some(([, count]) => count === BAD) ? BAD : (Object.fromEntries(counts) as RunRow["usage"]);
  };
  const taintOf = (node: Node) => {
    if (node.kind !== "object") return BAD;
    const inner = mapOf(node);
    const taint = {
      private: take(inner, "private", false, truth),
      untrusted: take(inner, "untrusted", false, truth),
    };
    return Object.values(taint).includes(BAD) ? BAD : (taint as { private: boolean; untrusted: boolean });
  };
  const none = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const row = {
    source: "mecha",
    provenance: "recorded",
    session_id: state.head.id,
    run: state.runs.length + 1,
    started_at: state.head.created_at,
    provider: state.provider,
    model: state.model,
    subagent: false,
    turns: take(members, "turns", 0, u32),
    usage: take(members, "usage", none, usageOf),
    usage_complete: take(members, "usage_complete", false, truth),
    cost_usd: take(members, "cost_usd", null, maybe(f64)),
    stop_cause: take(members, "stop_cause", null, maybe(among(...CAUSES))),
    exhausted: take(members, "exhausted", false, truth),
    ended_on_failed_call: take(members, "ended_on_failed_call", false, truth),
    tool_calls: take(members, "tool_calls", 0, u32),
    tool_errors: take(members, "tool_errors", 0, u32),
    tool_denied: take(members, "tool_denied", 0, u32),
    tool_cancelled: null,
    tool_staged: take(members, "tool_staged", 0, u32),
    malformed_tool_args: take(members, "malformed_tool_args", 0, u32),
    blocked_sends: take(members, "blocked_sends", 0, u32),
    compactions: take(members, "compactions", 0, u32),
    taint: take(members, "taint", { private: false, untrusted: false }, taintOf),
    config: state.config,
  };
  return Object.values(row).some((value) => value === BAD) ? null : (row as RunRow);
}

// ---- bytes and times ---------------------------------------------------------------------------------------------

function trim(bytes: Buffer): Buffer {
  const isSpace = (byte: number | undefined) =>
    byte !== undefined && " \t\v\f\r\n".includes(String.fromCharCode(byte));
  let start = 0;
  let end = bytes.length;
  while (start < end && isSpace(bytes[start])) start++;
  while (end > start && isSpace(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString("utf8"), "utf8").equals(bytes);
}

/** RFC 3339 to UTC with as many digits of a second as it needs, in threes. */
function utc(written: string): string | null {
  const match = /^(\d\d\d\d)-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.exec(
    written,
  );
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, digits = "", zone = ""] = match;
  const noon = new Date(`${year}-${month}-${day}T12:00:00Z`);
  if (Number.isNaN(noon.getTime()) || noon.toISOString().slice(0, 10) !== `${year}-${month}-${day}`)
    return null;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null;
  let shift = 0;
  if (zone.length > 1) {
    const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4))];
    if (hours > 23 || minutes > 59) return null;
    shift = (hours * 60 + minutes) * (zone.startsWith("-") ? -1 : 1);
  }
  const seconds =
    noon.getTime() / 1000 - 43_200 + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - shift * 60;
  const iso = new Date(seconds * 1000).toISOString();
  if (!/^\d{4}-/.test(iso)) return null;
  const nine = digits.slice(1, 10).padEnd(9, "0");
  const kept = [nine.slice(0, 3), nine.slice(3, 6), nine.slice(6, 9)];
  while (kept.at(-1) === "000") kept.pop();
  return `${iso.slice(0, 19)}${kept.length > 0 ? `.${kept.join("")}` : ""}Z`;
}
