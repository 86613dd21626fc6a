import { messageOf } from "#lib/errors.ts";
import { mendConversation } from "#lib/transcript/mend.ts";
import { createHooks } from "./hooks.io.ts";
import type { Agent, LaunchRequest } from "./launch-request.ts";
import { declaredTaint } from "./launch-tools.ts";
import { runLoop } from "./loop.ts";
import type { Model } from "./model.ts";
import { createOutbox } from "./outbox.io.ts";
import { joinTaint } from "./outcome.ts";
import type { Conversation, LoopEvent, LoopParts, RunResult } from "./parts.ts";
import type { Recorder } from "./recorder.io.ts";
import type { Tool } from "./tool.ts";

/** What an agent is made of, beside what the request says. */
export type Made = {
  model: Model;
  tools: readonly Tool[];
  /** The tools' own state that has to outlive a summary. */
  carry(): string | null;
  notices: string[];
  session: { id: string; file: string; recorder: Recorder } | null;
  /** Ends servers, and lets go of the session. */
  close(): Promise<void>;
};

/** Puts the parts of an agent together, and goes on where the session it resumes has ended. */
export function agentOf(request: LaunchRequest, made: Made): Agent {
  const { notices, session } = made;
  let conversation = resumed(request, made);
  /** Of the run that goes on. */
  let watcher: ((event: LoopEvent) => void) | null = null;
  let broken: unknown = null;
  let last: RunResult | null = null;
  let closed: Promise<void> | null = null;
  const tell = (event: LoopEvent): void => watcher?.(event);
  const hooks = hooksOf(request, made, (text) => tell({ type: "note", text }));

  async function run(prompt: string, signal: AbortSignal): Promise<RunResult> {
    session?.recorder.begin();
    const observe = (event: LoopEvent): void => {
      // The transcript first: what it cannot keep has not happened.
      session?.recorder.note(event);
      tell(event);
    };
    const result = await runLoop({ ...partsOf(request, made), hooks, observe, signal }, conversation, prompt);
    conversation = result.conversation;
    session?.recorder.end(result);
    return result;
  }

  return {
    session: session === null ? null : { id: session.id, file: session.file },
    tools: made.tools.map(({ spec }) => spec.name),
    notices,
    async send(prompt, { signal, onEvent }) {
      if (broken !== null) throw broken;
      if (watcher !== null || closed !== null)
        throw new Error("an agent takes one prompt at a time, and none once it is closed");
      watcher = onEvent;
      try {
        last = await run(prompt, signal);
        return last;
      } catch (error) {
        broken = error;
        throw error;
      } finally {
        watcher = null;
      }
    },
    conversation: () => conversation,
    close() {
      closed ??= closing();
      return closed;
    },
  };

  async function closing(): Promise<void> {
    const ended = last === null ? {} : { outcome: last.outcome, failure: last.failure };
    try {
      notices.push(...((await hooks?.sessionEnd(ended)) ?? []));
    } catch (error) {
      notices.push(`hook at the end of the session: ${messageOf(error)}`);
    } finally {
      await made.close();
    }
  }
}

function hooksOf(request: LaunchRequest, { session }: Made, onNote: (text: string) => void) {
  const { config, options, surface, env } = request;
  if (!surface.hooks || config.hook.length === 0) return null;
  const place = session === null ? null : { id: session.id, file: session.file };
  return createHooks({ hooks: config.hook, cwd: options.workspace, env, session: place, onNote });
}

function partsOf(request: LaunchRequest, made: Made): Omit<LoopParts, "hooks" | "observe" | "signal"> {
  const { config, options, surface } = request;
  const { tools } = config.outbox;
  const outbox =
    surface.outbox && tools.length > 0
      ? createOutbox({ dir: request.outboxDir, tools, sessionId: made.session?.id ?? null })
      : null;
  return {
    model: made.model,
    tools: made.tools,
    system: options.systemPrompt,
    settings: options.settings,
    limits: options.limits,
    permissionMode: options.permissionMode,
    trifecta: options.trifecta,
    blockSendsAfterPrivate: options.blockSendsAfterPrivate,
    approve: request.approve,
    outbox,
    carry: made.carry,
  };
}

/**
 * The conversation as it can be gone on with, the mending of what a killed run left recorded like all else. What such a
 * run's calls brought in was never written down, so they count as having brought in all that their tools may.
 */
function resumed({ session: place, conversation }: LaunchRequest, { session, tools }: Made): Conversation {
  let { messages } = conversation;
  const mended = mendConversation(messages);
  if (mended.kind === "rewritten") {
    messages = mended.messages;
    session?.recorder.rewrite(messages);
  } else if (mended.kind === "added") {
    messages = [...messages, mended.message];
    session?.recorder.message(mended.message);
  }
  const unsettled = place.kind === "resume" ? (place.unsettled ?? new Set<string>()) : new Set<string>();
  if (unsettled.size === 0) return { messages, taint: conversation.taint };
  const taint = joinTaint(conversation.taint, declaredTaint(unsettled, tools));
  session?.recorder.taint(taint);
  return { messages, taint };
}
