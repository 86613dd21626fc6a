import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { addSession, assistantText, outcome, toolResult, toolUse, userText } from "./store.ts";

/** A mecha home with four sessions of two models: clean, failing, denied, hostile and without a finished run. */
export function mechaHome(home: string): void {
  const store = path.join(home, ".mecha");
  const config = { record: "config", mecha_version: "0.1.11", provider: "local", workspace: "/home/u/proj" };
  addSession(
    store,
    { id: "20260805T091500-3f2a1b7c", created_at: "2026-08-05T09:15:00.120Z", title: "tidy the notes" },
    [
      { ...config, model: "qwen3-moe", effort: "high", max_turns: 40 },
      userText("Tidy the notes."),
      toolUse("t1", "fs_read", { path: "notes.md" }),
      toolResult("t1", "no such file: notes.md", true),
      toolUse("t2", "fs_list", {}, "Then I list them."),
      toolResult("t2", "a.md\nb.md"),
      toolUse("t3", "fs_write", { path: "a.md" }, "I write it down."),
      toolResult("t3", "Denied by the user: not that one", true),
      assistantText("There are two."),
      outcome({ tool_errors: 1, tool_denied: 1, cost_usd: 0.25 }),
      userText("And now?"),
      { ...config, model: "gpt-oss-120b" },
      assistantText("Nothing more."),
      outcome({ tool_calls: 0, stop_cause: "max_turns", exhausted: true }),
    ],
  );
  addSession(
    store,
    {
      id: "20260805T101500-3f2a1b7d",
      created_at: "2026-08-05T12:15:00+02:00",
      model: "日本-model",
      title: "\u001b[31mred\u202e <b>bold</b>\ttab",
    },
    [userText("x"), outcome({ tool_calls: 9, tool_errors: 9, ended_on_failed_call: true })],
  );
  addSession(store, { id: "20260806T080000-aaaa0001", created_at: "2026-08-06T08:00:00Z" }, [
    userText("wait"),
  ]);
  addSession(
    store,
    { id: "20260601T080000-bbbb0001", created_at: "2026-06-01T08:00:00Z", title: "long ago" },
    [userText("old"), outcome({ stop_cause: "interrupted" }), { record: "unheard-of" }],
  );
}

/** A mecha home in which one model fails its calls and half of its runs end on a failed one. */
export function failingHome(home: string): void {
  for (let n = 10; n < 40; n++) {
    addSession(
      path.join(home, ".mecha"),
      { id: `20260804T0000${n}-000000${n}`, created_at: `2026-08-04T00:00:${n}Z` },
      [userText("go"), outcome({ tool_calls: 4, tool_errors: 2, ended_on_failed_call: n % 2 === 0 })],
    );
  }
}

/** A Claude Code home with one session of one run, and a sub-agent's file. */
export function claudeHome(home: string): void {
  const dir = path.join(home, ".claude", "projects", "-home-u-proj");
  mkdirSync(path.join(dir, "5e550001-0000-4000-8000-000000000001", "subagents"), { recursive: true });
  const main = "5e550001-0000-4000-8000-000000000001";
  writeFileSync(path.join(dir, `${main}.jsonl`), claudeLines(main, "m", {}));
  writeFileSync(
    path.join(dir, main, "subagents", "agent-a1b2c3d4.jsonl"),
    claudeLines(main, "s", { isSidechain: true, agentId: "a1b2c3d4" }),
  );
}

/** `mark` keeps the ids of two files apart: records of one id are one record. */
function claudeLines(sessionId: string, mark: string, more: object): string {
  const common = {
    sessionId,
    version: "2.1.120",
    cwd: "/home/u/proj",
    userType: "external",
    isSidechain: false,
    ...more,
  };
  const usage = {
    input_tokens: 10,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 30,
  };
  const assistant = (id: string, block: object, stop_reason: string) => ({
    type: "assistant",
    message: { id, role: "assistant", model: "claude-test-1", content: [block], stop_reason, usage },
  });
  const lines = [
    { type: "user", message: { role: "user", content: "Count the files." } },
    assistant(
      `${mark}1`,
      { type: "tool_use", id: `${mark}c1`, name: "Bash", input: { command: "ls | wc -l" } },
      "tool_use",
    ),
    {
      type: "user",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: `${mark}c1`, content: "ls: not found", is_error: true },
        ],
      },
    },
    assistant(`${mark}2`, { type: "text", text: "I could not." }, "end_turn"),
  ];
  return lines
    .map((line, n) => {
      const stamp = {
        uuid: `${mark}u${n}`,
        parentUuid: n === 0 ? null : `${mark}u${n - 1}`,
        timestamp: `2026-08-05T15:00:0${n}.000Z`,
      };
      return `${JSON.stringify({ ...common, ...stamp, ...line })}\n`;
    })
    .join("");
}
