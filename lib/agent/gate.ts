import { messageOf } from "#lib/errors.ts";
import type { Taint } from "#lib/transcript/record.ts";
import { judgeSend } from "./interlock.ts";
import { denial, INPUT_NO_OBJECT, READ_ONLY_RUN, SEND_REFUSED, unknownTool } from "./loop-words.ts";
import type { Decision, LoopParts, PendingCall } from "./parts.ts";
import { type Tool, type ToolResult, toolError } from "./tool.ts";
import { ABORTED, untilAborted } from "./until-aborted.ts";

/** What becomes of a call before anything of it is done. */
export type Passage =
  /** `reachesTool`: false for arguments that no tool is given. */
  | { kind: "run"; tool: Tool; reachesTool: boolean; execute: () => Promise<ToolResult> }
  | { kind: "unknown" | "staged" | "failed"; content: string }
  /** `blocked`: by the interlock. */
  | { kind: "denied"; content: string; blocked: boolean }
  /** The run was stopped while somebody was asked. */
  | { kind: "aborted" };

/** A call with its tool, if there is one, and with its input as the model gave it. */
export type Asked = { call: PendingCall; input: unknown; tool: Tool | undefined };

/**
 * Decides about one call: the interlock first, then the permission mode, hooks, and whoever approves. A call that the
 * outbox keeps for a person to release sends and changes nothing, so hooks see it but nobody else is asked.
 */
export async function passGate(parts: LoopParts, asked: Asked, arrived: Taint): Promise<Passage> {
  const { call, tool } = asked;
  if (tool === undefined) {
    const names = parts.tools.map(({ spec }) => spec.name);
    return { kind: "unknown", content: unknownTool(call.name, names) };
  }
  if (call.input !== asked.input)
    return { kind: "run", tool, reachesTool: false, execute: async () => toolError(INPUT_NO_OBJECT) };
  const outbox = parts.outbox?.routes(call.name) ? parts.outbox : null;
  const send = outbox === null ? judgeSend(tool.capabilities, arrived, parts) : "run";
  if (send === "blocked") return { kind: "denied", content: denial("policy", SEND_REFUSED), blocked: true };
  if (outbox === null && parts.permissionMode === "read-only" && !tool.readOnly)
    return denied({ allow: false, by: "policy", why: READ_ONLY_RUN });

  const { hooks, signal } = parts;
  if (hooks !== null) {
    const said = await decide("hook", () => hooks.preTool(call, signal), signal);
    if (said === ABORTED) return { kind: "aborted" };
    if (!said.allow) return denied(said);
  }
  if (outbox !== null) return await stage(call, () => outbox.stage(call));
  const mayChange = parts.permissionMode === "ask" && !tool.readOnly;
  if (send === "ask" || mayChange) {
    const reason = send === "ask" ? "interlock" : "permission";
    const said = await decide("policy", () => parts.approve(call, reason, signal), signal);
    if (said === ABORTED) return { kind: "aborted" };
    if (!said.allow) return denied(said);
  }
  return { kind: "run", tool, reachesTool: true, execute: () => tool.execute(call.input, { signal }) };
}

function denied({ by, why }: Extract<Decision, { allow: false }>): Passage {
  return { kind: "denied", content: denial(by, why), blocked: false };
}

/** An answer that cannot be had is a no. */
async function decide(
  by: "hook" | "policy",
  ask: () => Promise<Decision>,
  signal: AbortSignal,
): Promise<Decision | typeof ABORTED> {
  try {
    const said = await untilAborted(ask(), signal);
    return signal.aborted ? ABORTED : said;
  } catch (error) {
    return signal.aborted
      ? ABORTED
      : { allow: false, by, why: `it could not be decided: ${messageOf(error)}` };
  }
}

async function stage(call: PendingCall, store: () => Promise<string>): Promise<Passage> {
  try {
    return { kind: "staged", content: await store() };
  } catch (error) {
    return {
      kind: "failed",
      content: `The draft of ${call.name} could not be stored, and nothing was sent: ${messageOf(error)}`,
    };
  }
}
