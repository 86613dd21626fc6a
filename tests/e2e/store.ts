import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** One tool call of a made-up run. */
export type FakeCall = { tool?: string; result?: "ok" | "failed" | "denied"; text?: string };

/** One made-up run: what was asked, what was called, and outcome counters that differ from what the calls say. */
export type FakeRun = {
  prompt?: string;
  calls?: FakeCall[];
  /** Counters of the outcome record; those that the calls give need not be named. */
  outcome?: Record<string, unknown>;
  /** A config record before this run. */
  config?: Record<string, unknown>;
};

/** One made-up session of a mecha store. */
export type FakeSession = {
  id: string;
  created_at: string;
  model?: string;
  provider?: string;
  title?: string | null;
  workspace?: string;
  runs: FakeRun[];
};

/** Writes the sessions into `home` as mecha lays them out. */
export function writeStore(home: string, sessions: Iterable<FakeSession>): void {
  const dir = path.join(home, "sessions");
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  for (const session of sessions) writeFileSync(path.join(dir, `${session.id}.jsonl`), sessionText(session));
}

/** Writes trigger files and the ledger. */
export function writeTriggers(home: string, triggers: Record<string, string>, ledger: object[]): void {
  const dir = path.join(home, "triggers");
  mkdirSync(dir, { recursive: true });
  for (const [name, toml] of Object.entries(triggers)) writeFileSync(path.join(dir, `${name}.toml`), toml);
  writeFileSync(path.join(dir, "runs.jsonl"), ledger.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function sessionText(session: FakeSession): string {
  const { id, created_at, model = "qwen3-moe", provider = "local", workspace = "/home/u/proj" } = session;
  const title = session.title == null ? {} : { title: session.title };
  const lines: object[] = [{ record: "meta", id, created_at, provider, model, workspace, ...title }];
  for (const [index, run] of session.runs.entries()) {
    if (run.config) lines.push({ record: "config", provider, model, workspace, ...run.config });
    lines.push(...runRecords(run, index));
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function runRecords(
  { prompt = "Tidy the notes.", calls = [], outcome = {} }: FakeRun,
  index: number,
): object[] {
  const records: object[] = [message("user", { type: "text", text: prompt })];
  for (const [number, call] of calls.entries()) records.push(...callRecords(call, `r${index}c${number}`));
  records.push(message("assistant", { type: "text", text: "Done." }));
  const failed = calls.filter(({ result }) => result === "failed").length;
  const denied = calls.filter(({ result }) => result === "denied").length;
  records.push({
    record: "outcome",
    turns: calls.length + 1,
    usage: {
      input_tokens: 900,
      output_tokens: 40,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
    usage_complete: true,
    stop_cause: "completed",
    exhausted: false,
    ended_on_failed_call: calls.filter(({ result }) => result !== "denied").at(-1)?.result === "failed",
    tool_calls: calls.length,
    tool_errors: failed,
    tool_denied: denied,
    ...outcome,
  });
  return records;
}

function callRecords({ tool = "fs_read", result = "ok", text = "# Notes" }: FakeCall, id: string): object[] {
  const content = result === "denied" ? `Denied by the user: ${text}` : text;
  return [
    message("assistant", { type: "tool_use", id, name: tool, input: { path: "notes.md" } }),
    message("user", { type: "tool_result", tool_use_id: id, content, is_error: result !== "ok" }),
  ];
}

function message(role: "user" | "assistant", block: object): object {
  return { record: "message", role, content: [block] };
}
