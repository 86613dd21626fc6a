import type { JsonObject } from "#lib/sources/adapter.ts";
import { objectOf, stringOf, textStart } from "#lib/sources/claude-code/facts.ts";
import { resultKind, userText } from "#lib/sources/claude-code/wording.ts";

/** What the slow reader says about one run; `stop` in the format's own terms. */
export type Counted = {
  started: unknown;
  turns: number;
  output: number;
  complete: boolean;
  calls: number;
  results: Record<string, number>;
  interruptions: number;
  compactions: number;
  stop: string;
  failedLast: boolean;
};

type Line = { record: JsonObject; at: number };
type Block = { block: JsonObject; line: Line };

/**
 * Counts a session's runs (no sub-agents) the slow way: each question is answered by going through all records again,
 * and nothing is remembered in between. It shares only the tables of wordings with the reader under test.
 */
export function countSlowly(all: readonly JsonObject[]): Counted[] {
  // A record written a second time is the same record.
  const records = all.filter(
    ({ uuid }, at) => typeof uuid !== "string" || all.findIndex((one) => one.uuid === uuid) === at,
  );
  const lines = withUniqueCalls(records.map((record, at) => ({ record, at })));
  const starts = lines.filter(({ record }) => startsRun(record)).map(({ at }) => at);
  const runOf = (at: number) => starts.filter((start) => start <= at).length - 1;
  const runs = starts.map((start, run) => countRun({ lines, start, run, runOf }));
  return runs.filter((one) => one.answered).map((one) => one.counted);
}

/** The same lines with a name of its own for each call: an id in another message is another call, and takes the results that follow. */
function withUniqueCalls(lines: Line[]): Line[] {
  const newest = new Map<unknown, { message: string | null; number: number }>();
  const nameOf = (id: unknown, message: string | null) => {
    const known = newest.get(id);
    const isOther =
      known !== undefined && known.message !== null && message !== null && known.message !== message;
    const number = (known?.number ?? 0) + (isOther ? 1 : 0);
    newest.set(id, { message: message ?? known?.message ?? null, number });
    return `${id} ${number}`;
  };
  return lines.map((line) => {
    const { content } = messageOf(line.record);
    if (!Array.isArray(content)) return line;
    const named = content.map((one) => {
      const block = objectOf(one) ?? {};
      if (block.type === "tool_use" && isSpoken(line)) return { ...block, id: nameOf(block.id, idOf(line)) };
      if (block.type !== "tool_result" || line.record.type !== "user") return one;
      return { ...block, tool_use_id: nameOf(block.tool_use_id, null) };
    });
    return { ...line, record: { ...line.record, message: { ...messageOf(line.record), content: named } } };
  });
}

type Session = { lines: Line[]; start: number; run: number; runOf: (at: number) => number };

function countRun(session: Session): { answered: boolean; counted: Counted } {
  const { lines, start, run, runOf } = session;
  const here = lines.filter(({ at }) => runOf(at) === run);
  const spoken = lines.filter(isSpoken);
  const ids = [...new Set(spoken.map(idOf))].filter(
    (id) => runOf(spoken.find((line) => idOf(line) === id)?.at ?? -1) === run,
  );
  const ofMessage = (id: string) => spoken.filter((line) => idOf(line) === id);
  const lastLines = ids.map((id) => ofMessage(id).at(-1) as Line);
  const mine = new Set(ids);
  const owned = results(lines).filter((one) => ownerOf(one, session) === run);
  const kinds = owned.map(kindOf);
  const interruptions = here.filter(({ record }) => isInterruption(record));
  const errors = here.filter(({ record }) => isApiError(record));
  const events = [
    ...spoken
      .filter((line) => mine.has(idOf(line)))
      .map((line) => ({ at: line.at, order: 0, stop: () => stopOf(line, session) })),
    ...owned.map((one, i) => ({
      at: one.line.at,
      order: i,
      stop: () => (kinds[i] === "denied_user" ? "denied" : "unfinished"),
    })),
    ...interruptions.map(({ at }) => ({ at, order: 1e6, stop: () => "interrupted" })),
    ...errors.map(({ at }) => ({ at, order: 0, stop: () => "api_error" })),
  ].sort((a, b) => a.at - b.at || a.order - b.order);
  const stop = events.at(-1)?.stop() ?? "unfinished";
  const calls = new Set(
    lines
      .flatMap(callsOf)
      .filter(({ line, block }) => firstCall(lines, block.id) === line.at && mine.has(idOf(line)))
      .map(({ block }) => block.id),
  );
  return {
    answered: ids.length + interruptions.length + errors.length > 0,
    counted: {
      started: lines[start]?.record.timestamp,
      turns: ids.length,
      output: lastLines.reduce(
        (sum, line) => sum + Number(objectOf(messageOf(line.record).usage)?.output_tokens ?? 0),
        0,
      ),
      complete: lastLines.every(({ record }) => typeof messageOf(record).stop_reason === "string"),
      calls: calls.size,
      results: tally(kinds),
      interruptions: interruptions.length,
      compactions: compactions(here, lines),
      stop,
      failedLast: stop === "completed" && (kinds.at(-1) === "error" || kinds.at(-1) === "schema_error"),
    },
  };
}

const messageOf = (record: JsonObject) => objectOf(record.message) ?? {};
const idOf = (line: Line) => stringOf(messageOf(line.record).id) ?? `line ${line.at}`;
const blocksOf = (record: JsonObject) => {
  const { content } = messageOf(record);
  return (Array.isArray(content) ? content : []).map((block) => objectOf(block) ?? {});
};
const isApiError = (record: JsonObject) => record.type === "assistant" && record.isApiErrorMessage === true;
const isSpoken = ({ record }: Line) =>
  record.type === "assistant" &&
  !isApiError(record) &&
  record.message !== undefined &&
  messageOf(record).model !== "<synthetic>";
const callsOf = (line: Line): Block[] =>
  isSpoken(line)
    ? blocksOf(line.record)
        .filter((block) => block.type === "tool_use")
        .map((block) => ({ block, line }))
    : [];
const firstCall = (lines: Line[], id: unknown) =>
  lines.flatMap(callsOf).find(({ block }) => block.id === id)?.line.at;

/** The first result of each call, in file order. */
function results(lines: Line[]): Block[] {
  const all = lines
    .filter(({ record }) => record.type === "user")
    .flatMap((line) =>
      blocksOf(line.record)
        .filter((block) => block.type === "tool_result")
        .map((block) => ({ block, line })),
    );
  return all.filter((one) => all.find((other) => other.block.tool_use_id === one.block.tool_use_id) === one);
}

/** A result belongs to the run its call's message began in; one that stands before its call, to the run it stands in. */
function ownerOf({ block, line }: Block, { lines, runOf }: Session): number {
  const call = lines
    .flatMap(callsOf)
    .find((one) => one.block.id === block.tool_use_id && one.line.at < line.at);
  if (call === undefined) return runOf(line.at);
  return runOf(lines.filter(isSpoken).find((one) => idOf(one) === idOf(call.line))?.at ?? -1);
}

function kindOf({ block, line }: Block): string {
  const first = Array.isArray(block.content)
    ? block.content.map(objectOf).find((part) => part?.type === "text")?.text
    : block.content;
  const text = textStart(stringOf(first) ?? "");
  return resultKind({ error: block.is_error === true, text }, stringOf(line.record.toolDenialKind));
}

const hasResult = (record: JsonObject) => blocksOf(record).some((block) => block.type === "tool_result");

function textsOf(record: JsonObject): string[] {
  const { content } = messageOf(record);
  if (typeof content === "string") return [content];
  return blocksOf(record).map((block) => (block.type === "text" ? (stringOf(block.text) ?? "") : "an image"));
}

const isHidden = (record: JsonObject) =>
  record.isMeta === true || record.isCompactSummary === true || record.isVisibleInTranscriptOnly === true;

function isInterruption(record: JsonObject): boolean {
  if (record.type !== "user") return false;
  const marked = textsOf(record).some((text) => userText(textStart(text)) === "interruption");
  return (
    marked &&
    (hasResult(record) || (!isHidden(record) && objectOf(record.origin)?.kind !== "task-notification"))
  );
}

function startsRun(record: JsonObject): boolean {
  if (record.type !== "user" || hasResult(record) || isHidden(record) || isInterruption(record)) return false;
  if (objectOf(record.origin)?.kind === "task-notification") return false;
  const kinds = textsOf(record)
    .filter((text) => text.trim() !== "")
    .map((text) => userText(textStart(text)));
  const first = kinds.find((kind) => kind !== "nothing");
  return first === "prompt" || first === "command";
}

function compactions(here: Line[], lines: Line[]): number {
  const parts = lines.filter(({ record }) => isBoundary(record) || isSummary(record));
  return here.filter((line) => {
    const before = parts[parts.indexOf(line) - 1];
    if (isBoundary(line.record)) return true;
    return isSummary(line.record) && !(before !== undefined && isBoundary(before.record));
  }).length;
}

const isBoundary = (record: JsonObject) => record.type === "system" && record.subtype === "compact_boundary";
const isSummary = (record: JsonObject) =>
  record.type === "user" && record.isCompactSummary === true && !hasResult(record);

function stopOf(line: Line, { lines }: Session): string {
  const reason = stringOf(
    messageOf(lines.filter((one) => isSpoken(one) && idOf(one) === idOf(line)).at(-1)?.record ?? {})
      .stop_reason,
  );
  if (reason === "end_turn" || reason === "stop_sequence") return "completed";
  if (reason === "max_tokens") return "token_limit";
  if (reason === "refusal") return "refusal";
  if (reason !== null) return "unfinished";
  const blocks = lines
    .filter((one) => isSpoken(one) && idOf(one) === idOf(line))
    .flatMap(({ record }) => blocksOf(record));
  const answered = new Set(results(lines).map(({ block }) => block.tool_use_id));
  const firstHere = lines
    .flatMap(callsOf)
    .filter((call) => idOf(call.line) === idOf(line) && firstCall(lines, call.block.id) === call.line.at);
  const open = firstHere.some(({ block }) => !answered.has(block.id));
  return blocks.at(-1)?.type === "text" && !open ? "completed" : "unfinished";
}

function tally(kinds: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
