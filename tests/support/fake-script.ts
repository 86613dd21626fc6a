import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { ModelRequest, RequestPurpose, ToolSpec } from "#lib/agent/model.ts";
import type { Script } from "#lib/agent/providers/script.ts";
import { playScript, type ScriptedAnswer } from "#lib/agent/providers/script-player.ts";
import { wordsOf } from "#lib/agent/providers/scripted.ts";
import type { Message } from "#lib/transcript/record.ts";
import { aRequest } from "./a-request.ts";
import { openStream, sendError } from "./fake-server.ts";

/** What a server can tell of a request. */
export type Received = {
  purpose: RequestPurpose;
  system: string | null;
  messages: Message[];
  tools: ToolSpec[];
  /** Why a real server would refuse the request; null: it would not. */
  refusal: string | null;
};

/** How one dialect puts the parts of an answer. */
export type Wire = {
  start(answer: ScriptedAnswer): string[];
  thinking(text: string): string[];
  text(delta: string): string[];
  call(call: ScriptedAnswer["calls"][number], index: number): string[];
  end(answer: ScriptedAnswer): string[];
  error(message: string, transient: boolean): unknown;
  errorEvent(message: string, transient: boolean): string;
};

/** Answers as the script says, over HTTP. */
export function scriptServer(script: Script, wire: Wire) {
  const player = playScript(script);
  return async (received: Received, response: ServerResponse): Promise<void> => {
    const refusal = received.refusal ?? unanswered(received.messages);
    if (refusal !== null) return sendError(response, 400, wire.error(refusal, false));
    const next = player.next(asRequest(received));
    if (!next.ok) return sendError(response, 400, wire.error(next.problem, false));
    const answer = next.value;
    if (answer.delayMs > 0) await wait(answer.delayMs);
    if (answer.fail !== null && answer.text === "") return failAtOnce(answer.fail, wire, response);
    openStream(response);
    await stream(answer, wire, response);
  };
}

/** Every call has an id of its own, and its result in what follows. */
function unanswered(messages: readonly Message[]): string | null {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const { role, content } of messages)
    for (const block of content) {
      if (block.type === "tool_use") {
        if (seen.has(block.id)) return `two calls have the id ${block.id}`;
        seen.add(block.id);
        open.add(block.id);
      } else if (block.type === "tool_result") {
        if (!open.delete(block.tool_use_id)) return `no open call has the id ${block.tool_use_id}`;
      } else if (role === "user" && open.size > 0) return `no result for ${[...open].join(", ")}`;
    }
  return open.size === 0 ? null : `no result for ${[...open].join(", ")}`;
}

function asRequest({ purpose, system, messages, tools }: Received): ModelRequest {
  return aRequest({ purpose, system, messages, tools });
}

function failAtOnce(fail: NonNullable<ScriptedAnswer["fail"]>, wire: Wire, response: ServerResponse): void {
  const words = fail.overflow ? `${fail.problem}: the maximum context length is exceeded` : fail.problem;
  const headers = fail.retry_after_ms === null ? {} : { "retry-after-ms": fail.retry_after_ms };
  sendError(response, fail.transient ? 503 : 400, wire.error(words, fail.transient), headers);
}

async function stream(answer: ScriptedAnswer, wire: Wire, response: ServerResponse): Promise<void> {
  const write = (events: readonly string[]) => {
    for (const event of events) response.write(event);
  };
  write(wire.start(answer));
  if (answer.thinking !== "") write(wire.thinking(answer.thinking));
  do {
    for (const word of wordsOf(answer.text)) {
      if (answer.chunkDelayMs > 0 || answer.endless) await wait(Math.max(1, answer.chunkDelayMs));
      if (response.destroyed) return;
      write(wire.text(word));
    }
  } while (answer.endless);
  if (answer.fail !== null) write([wire.errorEvent(answer.fail.problem, answer.fail.transient)]);
  else {
    for (const [i, call] of answer.calls.entries()) write(wire.call(call, i));
    write(wire.end(answer));
  }
  response.end();
}

/** A text in pieces of a few characters, as arguments come. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}
