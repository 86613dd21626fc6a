import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { appendRecords, createSession } from "#lib/transcript/append.io.ts";
import type { Config, Meta, Outcome, TranscriptRecord } from "#lib/transcript/record.ts";
import { parseRecord } from "#lib/transcript/record-schema.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "mecha-append-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const meta: Meta = {
  id: "20260805T091500-3f2a1b7c",
  created_at: "2026-08-05T09:15:00.120Z",
  provider: "local",
  model: "qwen3-moe",
  workspace: "/home/u/proj",
  title: null,
};
const config: Config = {
  mecha_version: "0.1.11",
  provider: "local",
  model: "qwen3-moe",
  workspace: "/home/u/proj",
  system_prompt: null,
  tools: ["fs_read", "fs_list"],
  effort: "high",
  temperature: null,
  seed: 7,
  thinking: true,
  cache_prompt: true,
  max_tokens: 64000,
  max_turns: 40,
  max_output_tokens: null,
  max_cost_usd: null,
  compact_at_tokens: null,
  compact_keep_recent: 6,
  permission_mode: "ask",
  trifecta: "block",
  sandbox: "none",
  sandbox_network: false,
};
const usage = {
  input_tokens: 5120,
  output_tokens: 311,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const outcome: Outcome = {
  turns: 4,
  usage,
  cost_usd: null,
  usage_complete: true,
  stop_cause: "completed",
  exhausted: false,
  ended_on_failed_call: false,
  tool_calls: 3,
  tool_errors: 1,
  tool_denied: 0,
  tool_staged: 0,
  malformed_tool_args: 0,
  blocked_sends: 0,
  compactions: 0,
  taint: { private: true, untrusted: false },
};

const lines = (file: string) => readFileSync(file, "utf8").split("\n");

describe("writing a session", () => {
  it("writes each kind of record with its keys in order", () => {
    const file = createSession(path.join(home, "sessions"), { ...meta, title: "tidy the notes" });
    const records: TranscriptRecord[] = [
      { record: "config", ...config },
      { record: "message", role: "user", content: [{ type: "text", text: "hello" }] },
      {
        record: "message",
        role: "assistant",
        content: [
          { type: "thinking", text: "hm" },
          { type: "tool_use", id: "t1", name: "fs_read", input: { path: "README.md" } },
        ],
      },
      {
        record: "message",
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "t1", content: "# Title", is_error: false }],
      },
      { record: "rewrite", messages: [{ role: "user", content: [] }] },
      { record: "taint", private: true, untrusted: false },
      { record: "summary", usage, turns: 4 },
      { record: "outcome", ...outcome },
      { record: "outcome", ...outcome, cost_usd: 0.25, stop_cause: null },
    ];
    appendRecords(file, records);
    const counts =
      '"exhausted":false,"ended_on_failed_call":false,"tool_calls":3,"tool_errors":1,"tool_denied":0,"tool_staged":0,"malformed_tool_args":0,"blocked_sends":0,"compactions":0,"taint":{"private":true,"untrusted":false}}';
    const spent =
      '"usage":{"input_tokens":5120,"output_tokens":311,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}';
    expect(lines(file)).toEqual([
      '{"record":"meta","id":"20260805T091500-3f2a1b7c","created_at":"2026-08-05T09:15:00.120Z","provider":"local","model":"qwen3-moe","workspace":"/home/u/proj","title":"tidy the notes"}',
      '{"record":"config","mecha_version":"0.1.11","provider":"local","model":"qwen3-moe","workspace":"/home/u/proj","system_prompt":null,"tools":["fs_list","fs_read"],"effort":"high","temperature":null,"seed":7,"thinking":true,"cache_prompt":true,"max_tokens":64000,"max_turns":40,"max_output_tokens":null,"max_cost_usd":null,"compact_at_tokens":null,"compact_keep_recent":6,"permission_mode":"ask","trifecta":"block","sandbox":"none","sandbox_network":false}',
      '{"record":"message","role":"user","content":[{"type":"text","text":"hello"}]}',
      '{"record":"message","role":"assistant","content":[{"type":"thinking","text":"hm"},{"type":"tool_use","id":"t1","name":"fs_read","input":{"path":"README.md"}}]}',
      '{"record":"message","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"# Title","is_error":false}]}',
      '{"record":"rewrite","messages":[{"role":"user","content":[]}]}',
      '{"record":"taint","private":true,"untrusted":false}',
      `{"record":"summary",${spent},"turns":4}`,
      `{"record":"outcome","turns":4,${spent},"usage_complete":true,"stop_cause":"completed",${counts}`,
      `{"record":"outcome","turns":4,${spent},"cost_usd":0.25,"usage_complete":true,${counts}`,
      "",
    ]);
  });

  it("gives records back as they were", () => {
    const file = createSession(home, meta);
    appendRecords(file, [
      { record: "config", ...config },
      { record: "outcome", ...outcome },
    ]);
    const read = lines(file)
      .slice(0, 3)
      .map((line) => parseRecord(JSON.parse(line)));
    expect(read).toEqual([
      { record: "meta", ...meta },
      { record: "config", ...config, tools: ["fs_list", "fs_read"] },
      { record: "outcome", ...outcome },
    ]);
  });

  it("keeps the folder and the file to their owner, also when the folder was open before", () => {
    const dir = path.join(home, "open");
    mkdirSync(dir, { mode: 0o777 });
    const file = createSession(dir, meta);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("gives a torn line its end before it adds a record", async () => {
    const file = createSession(path.join(home, "s"), meta);
    appendFileSync(file, '{"record":"outcome","turns":');
    appendRecords(file, [{ record: "outcome", ...outcome }]);
    const scan = await scanRuns({ kind: "mecha", place: path.join(home, "s") });
    expect(scan.runs.map((run) => run.turns)).toEqual([4]);
    expect(scan.coverage).toMatchObject({ lines_unknown: 1, lines_torn: 0 });
  });

  it("refuses a name that leads elsewhere, a session that exists, and counts that readers would drop", () => {
    for (const id of ["../evil", "a/b", "", ".hidden", "a\0b"]) {
      expect(() => createSession(home, { ...meta, id })).toThrow("not a session id");
    }
    const file = createSession(home, meta);
    expect(() => createSession(home, meta)).toThrow("EEXIST");
    const taint = { record: "taint", private: true, untrusted: false } as const;
    for (const turns of [1.5, Number.NaN])
      expect(() => appendRecords(file, [taint, { record: "outcome", ...outcome, turns }])).toThrow(
        "readers would drop",
      );
    expect(lines(file)).toHaveLength(2);
  });

  it("writes no half of a surrogate pair", () => {
    const file = createSession(home, meta);
    const content = [{ type: "text" as const, text: "a\ud83d b \ud83d\ude00" }];
    appendRecords(file, [{ record: "message", role: "user", content }]);
    expect(lines(file)[1]).toContain('"a\ufffd b \ud83d\ude00"');
  });
});
