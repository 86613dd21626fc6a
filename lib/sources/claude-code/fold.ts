import type { BlockFacts, Facts, MessageFacts } from "./facts.ts";
import { instantOf } from "./instant.ts";
import { isSameMessage, promptSize } from "./same-message.ts";
import { type Call, type Message, newThread, noResults, type Run, type State, type Thread } from "./state.ts";
import { kindOfText } from "./user-text.ts";
import { originText, resultKind, userText } from "./wording.ts";

/** Adds one record of the conversation (`user`, `assistant`, `system`) to `state`. */
export function fold(state: State, facts: Facts): void {
  if (isCopy(state, facts.uuid)) return;
  const thread = threadOf(state, facts);
  if (facts.type === "assistant") foldAssistant(state, thread, facts);
  else if (facts.type === "user") foldUser(state, thread, facts);
  else if (facts.subtype === "compact_boundary") foldCompaction(thread, "boundary");
}

/**
 * Some versions write what they hold in memory a second time, word for word, when a session is compacted or branched: a
 * prompt in such a copy is no new run, and an interruption in it did not happen twice.
 */
function isCopy({ seen }: State, uuid: string | null): boolean {
  if (uuid === null) return false;
  if (seen.has(uuid)) return true;
  seen.add(uuid);
  return false;
}

/** Up to 1.0 a sub-agent's records stand between those of the session; each chain of parents is one sub-agent. */
function threadOf(state: State, facts: Facts): Thread {
  if (state.subagent || !facts.sidechain) return state.main;
  const parent = facts.parent === null ? undefined : state.sideOf.get(facts.parent);
  const opens = parent === undefined && (facts.type === "user" || state.lastSide === null);
  const root = opens ? (facts.uuid ?? `side-${state.sides.size + 1}`) : (parent ?? state.lastSide ?? "");
  let thread = state.sides.get(root);
  if (thread === undefined) {
    thread = newThread(`agent-${root}`);
    state.sides.set(root, thread);
  }
  if (facts.uuid !== null) state.sideOf.set(facts.uuid, root);
  state.lastSide = root;
  return thread;
}

function foldAssistant(state: State, thread: Thread, facts: Facts): void {
  const run = thread.runs[thread.current];
  if (facts.apiError) {
    if (run === undefined) return;
    run.apiErrors += 1;
    run.last = { kind: "api_error" };
    return;
  }
  const line = facts.message;
  // Written by the harness itself, such as "No response requested." after a resume.
  if (line === null || line.model === "<synthetic>") return;
  const message = messageOf(state, thread, line, facts.request);
  addLine(message, line, thread);
  message.request = facts.request ?? message.request;
  const owner = thread.runs[message.run];
  if (owner === undefined) return;
  owner.last = { kind: "message", message };
  if (facts.effort !== null && owner.config.effort !== facts.effort) {
    owner.config = sharedConfig(state, { ...owner.config, effort: facts.effort });
  }
}

/** A message belongs to the run it began in, also when its later lines stand behind the next prompt. */
function messageOf(state: State, thread: Thread, line: MessageFacts, request: string | null): Message {
  const id = line.id ?? `nameless ${++state.nameless}`;
  const known = thread.messages.get(id);
  const { heard } = thread;
  if (known !== undefined && isSameMessage(known, { request, usage: line.usage, heard })) return known;
  const message: Message = {
    run: thread.current,
    model: line.model ?? "",
    request,
    heard,
    usage: null,
    stopReason: null,
    hasText: false,
    lastBlock: "other",
    open: 0,
  };
  thread.messages.set(id, message);
  const run = thread.runs[thread.current];
  if (run === undefined) return message;
  // Beside the id, which may be that of all answers of a gateway: agents start in one millisecond.
  if (run.messages.length === 0 && line.id !== null) run.mark = `${line.id} ${promptSize(line.usage) ?? ""}`;
  run.messages.push(message);
  return message;
}

function addLine(message: Message, line: MessageFacts, thread: Thread): void {
  message.model = line.model ?? message.model;
  message.heard = thread.heard;
  message.usage = line.usage;
  message.stopReason = line.stopReason;
  if (line.text !== null) addText(message, line.text.blank);
  for (const block of line.blocks) {
    if (block.kind === "text") addText(message, block.text.blank);
    else if (block.kind === "call") addCall(message, block.id, thread);
    else message.lastBlock = "other";
  }
}

function addText(message: Message, blank: boolean): void {
  message.lastBlock = "text";
  if (!blank) message.hasText = true;
}

/** Some models number the calls of each message anew, so that an id in another message is another call. */
function addCall(message: Message, id: string | null, thread: Thread): void {
  message.lastBlock = "call";
  if (id === null) return;
  const known = thread.calls.get(id);
  if (known?.message === message) return;
  const run = thread.runs[message.run];
  if (run !== undefined) run.calls += 1;
  if (known?.message === null) {
    known.message = message;
  } else {
    thread.calls.set(id, { run: message.run, message, result: null });
    message.open += 1;
  }
}

function foldUser(state: State, thread: Thread, facts: Facts): void {
  thread.heard += 1;
  const blocks = facts.message?.blocks ?? [];
  const results = blocks.filter((block) => block.kind === "result");
  for (const result of results) addResult(thread, result, facts.denial);
  if (results.length > 0) {
    // A marker may share its record with the result of the call that was stopped; other text beside one is steering.
    if (blocks.some((block) => block.kind === "text" && userText(block.text) === "interruption")) {
      interrupt(thread);
    }
  } else if (facts.compactSummary) {
    foldCompaction(thread, "summary");
  } else if (!facts.meta && !facts.transcriptOnly) {
    foldText(state, thread, facts);
  }
}

function foldText(state: State, thread: Thread, facts: Facts): void {
  const kind = originText(facts.origin) ?? kindOfText(facts.message);
  const run = thread.runs[thread.current];
  switch (kind) {
    case "prompt":
    case "command":
      startRun(state, thread, facts);
      break;
    case "interruption":
      interrupt(thread);
      break;
    case "machine":
      // The answer to it goes on with the run before.
      if (run !== undefined) run.machineContinuations += 1;
      break;
    case "peer":
      // An agent that works for others has no other prompt; a lead's work goes on.
      if (run === undefined) startRun(state, thread, facts);
      else run.machineContinuations += 1;
      break;
    case "nothing":
      break;
    default:
      kind satisfies never;
  }
}

function startRun(state: State, thread: Thread, facts: Facts): void {
  thread.runs.push(newRun(state, thread, facts));
  thread.current = thread.runs.length - 1;
}

function interrupt(thread: Thread): void {
  const run = thread.runs[thread.current];
  if (run === undefined) return;
  run.interruptions += 1;
  run.last = { kind: "interruption" };
}

function addResult(
  thread: Thread,
  block: Extract<BlockFacts, { kind: "result" }>,
  denial: string | null,
): void {
  const result = resultKind(block, denial);
  const call = callOf(thread, block.call);
  const run = thread.runs[call.run];
  if (call.result !== null) return;
  call.result = result;
  if (call.message !== null) call.message.open -= 1;
  if (run === undefined) return;
  run.results[result] += 1;
  run.lastResult = result;
  run.last = { kind: "result", result };
}

/** The call a result answers; the result may stand before it. */
function callOf(thread: Thread, id: string | null): Call {
  const known = id === null ? undefined : thread.calls.get(id);
  if (known !== undefined) return known;
  const call: Call = { run: thread.current, message: null, result: null };
  if (id !== null) thread.calls.set(id, call);
  return call;
}

/** A compaction is a boundary record and a summary record; where a version wrote only one of them, that one counts. */
function foldCompaction(thread: Thread, part: "boundary" | "summary"): void {
  const run = thread.runs[thread.current];
  const counted = part === "summary" && thread.boundaryOpen;
  thread.boundaryOpen = part === "boundary";
  if (run !== undefined && !counted) run.compactions += 1;
}

function newRun(state: State, thread: Thread, facts: Facts): Run {
  return {
    session: facts.forkedFrom ?? facts.session,
    mark: facts.uuid,
    started: instantOf(facts.time) ?? thread.runs.at(-1)?.started ?? state.createdAt,
    config: sharedConfig(state, {
      ...(facts.version === null ? {} : { harness_version: facts.version }),
      ...(facts.permissionMode === null ? {} : { permission_mode: facts.permissionMode }),
    }),
    messages: [],
    calls: 0,
    results: noResults(),
    lastResult: null,
    interruptions: 0,
    apiErrors: 0,
    compactions: 0,
    machineContinuations: 0,
    last: { kind: "prompt" },
  };
}

function sharedConfig(state: State, config: Run["config"]): Run["config"] {
  const key = JSON.stringify([config.harness_version, config.permission_mode, config.effort]);
  const known = state.configs.get(key);
  if (known !== undefined) return known;
  state.configs.set(key, config);
  return config;
}
