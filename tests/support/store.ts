import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A line of a session file. */
export type Line = Record<string, unknown>;

/** Adds a session file of the mecha format to the home at `home`, and gives its path. */
export function addSession(
  home: string,
  meta: Line & { id: string },
  lines: readonly Line[],
  name = meta.id,
): string {
  const header = {
    record: "meta",
    created_at: "2026-08-05T09:15:00Z",
    provider: "local",
    model: "qwen3-moe",
    workspace: "/home/u/proj",
    ...meta,
  };
  const dir = path.join(home, "sessions");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, `${name}.jsonl`);
  writeFileSync(file, [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

/** An outcome record; what is not given is a clean run of four turns and three calls. */
export function outcome(over: Line = {}): Line {
  return {
    record: "outcome",
    turns: 4,
    usage: {
      input_tokens: 5120,
      output_tokens: 311,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 900,
    },
    usage_complete: true,
    stop_cause: "completed",
    exhausted: false,
    ended_on_failed_call: false,
    tool_calls: 3,
    tool_errors: 0,
    tool_denied: 0,
    tool_staged: 0,
    malformed_tool_args: 0,
    blocked_sends: 0,
    compactions: 0,
    taint: { private: false, untrusted: false },
    ...over,
  };
}

export function userText(text: string): Line {
  return { record: "message", role: "user", content: [{ type: "text", text }] };
}

export function assistantText(text: string): Line {
  return { record: "message", role: "assistant", content: [{ type: "text", text }] };
}

/** What the model said, and the call it made. */
export function toolUse(id: string, name: string, input: Line, text = "Let me look."): Line {
  return {
    record: "message",
    role: "assistant",
    content: [
      { type: "text", text },
      { type: "tool_use", id, name, input },
    ],
  };
}

export function toolResult(id: string, content: string, isError = false): Line {
  return {
    record: "message",
    role: "user",
    content: [{ type: "tool_result", tool_use_id: id, content, is_error: isError }],
  };
}
