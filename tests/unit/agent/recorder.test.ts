import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { RunEnd } from "#lib/agent/recorder.io.ts";
import { recordInto, startSession } from "#lib/agent/recorder.io.ts";
import { configRecord } from "#lib/agent/recorder-config.ts";
import { sessionId, titleOf } from "#lib/agent/session-id.ts";
import { UserError } from "#lib/errors.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { Message, Meta, Outcome } from "#lib/transcript/record.ts";
import { checkSession } from "#tests/support/format-check.ts";
import { aRunOptions } from "#tests/support/run-options.ts";
import { scratchDir } from "#tests/support/session-files.ts";

const ID = "20260805T091500-3f2a1b7c";
const meta: Meta = {
  id: ID,
  created_at: "2026-08-05T09:15:00.120Z",
  provider: "local",
  model: "wren",
  workspace: "/w",
  title: "tidy",
};
const usual = aRunOptions({ model: "wren" });
const options = {
  ...usual,
  settings: { ...usual.settings, seed: 7 },
  limits: { ...usual.limits, maxCostUsd: 1.5 },
};
const outcome: Outcome = {
  turns: 2,
  usage: { input_tokens: 9, output_tokens: 4, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  cost_usd: null,
  usage_complete: true,
  stop_cause: "completed",
  exhausted: false,
  ended_on_failed_call: false,
  tool_calls: 1,
  tool_errors: 0,
  tool_denied: 0,
  tool_staged: 0,
  malformed_tool_args: 0,
  blocked_sends: 0,
  compactions: 0,
  taint: { private: true, untrusted: false },
};
const done: RunEnd = { failure: null, outcome, conversation: { taint: outcome.taint } };
const says = (role: Message["role"], text: string): Message => ({ role, content: [{ type: "text", text }] });
const RUN: Message[] = [
  says("user", "hello"),
  { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "fs_read", input: { path: "a" } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "x", is_error: false }] },
  says("assistant", "done"),
];
const primary = { provider: "local", model: "wren" };
const configOf = (answerer: { provider: string; model: string }) =>
  configRecord(options, ["fs_read", "fs_list"], answerer);

function session(order: "summary" | "chat") {
  const dir = path.join(scratchDir(), "sessions");
  const file = startSession(dir, meta);
  return { dir, file, recorder: recordInto(file, primary, configOf, order) };
}
const kinds = (file: string): string[] =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).record);
const problems = (file: string, order: "run" | "chat") =>
  checkSession(readFileSync(file), { id: ID, order }).problems;

describe("recording a run", () => {
  it("writes a run that ends with its process: messages, taint, summary, outcome", () => {
    const { file, dir, recorder } = session("summary");
    recorder.begin();
    for (const message of RUN) recorder.note({ type: "message", message });
    recorder.note({ type: "text", delta: "not kept" });
    recorder.end(done);
    expect(kinds(file)).toEqual([
      "meta",
      "config",
      ...RUN.map(() => "message"),
      "taint",
      "summary",
      "outcome",
    ]);
    expect(problems(file, "run")).toEqual([]);
    expect([statSync(file).mode & 0o777, statSync(dir).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  it("writes a chat: outcome before taint, no summary, one row per run", async () => {
    const { file, dir, recorder } = session("chat");
    for (let run = 0; run < 2; run++) {
      recorder.begin();
      for (const message of RUN) recorder.note({ type: "message", message });
      recorder.end(done);
    }
    const run = ["message", "message", "message", "message", "outcome", "taint"];
    expect(kinds(file)).toEqual(["meta", "config", ...run, ...run]);
    expect(problems(file, "chat")).toEqual([]);
    const { runs } = await scanRuns({ kind: "mecha", place: dir });
    expect(runs.map(({ run: number, turns }) => [number, turns])).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it("writes no outcome for a run that failed", () => {
    const { file, recorder } = session("summary");
    recorder.note({ type: "message", message: says("user", "hello") });
    recorder.end({ ...done, failure: "the provider is down" });
    expect(kinds(file)).toEqual(["meta", "config", "message", "taint", "summary"]);
    expect(problems(file, "run")).toEqual([]);
  });

  it("attributes rows to whoever answered: a fallback, and the configured model again in the next run", async () => {
    const { dir, recorder } = session("chat");
    const spare = { provider: "spare", model: "finch" };
    recorder.begin();
    recorder.note({ type: "message", message: says("user", "hello") });
    recorder.note({ type: "answerer", answerer: spare });
    recorder.note({ type: "answerer", answerer: spare });
    recorder.end({ ...done, outcome: { ...outcome, tool_calls: 0 } });
    recorder.begin();
    recorder.note({ type: "message", message: says("user", "again") });
    recorder.end({ ...done, outcome: { ...outcome, tool_calls: 0 } });
    const { runs } = await scanRuns({ kind: "mecha", place: dir });
    expect(runs.map(({ provider, model }) => `${provider}/${model}`)).toEqual(["spare/finch", "local/wren"]);
  });

  it("says what the run was launched with", () => {
    const { file } = session("chat");
    expect(JSON.parse(readFileSync(file, "utf8").split("\n")[1] ?? "")).toMatchObject({
      system_prompt: "be brief",
      tools: ["fs_list", "fs_read"],
      seed: 7,
      max_cost_usd: 1.5,
      max_output_tokens: null,
      permission_mode: "ask",
      sandbox: "bwrap",
      sandbox_network: false,
    });
  });

  it("keeps half a character from making a line unreadable", () => {
    const { file, recorder } = session("chat");
    recorder.note({ type: "message", message: says("user", "cut \ud83d off") });
    expect(problems(file, "chat")).toEqual([]);
    expect(readFileSync(file, "utf8")).toContain("cut \ufffd off");
  });
});

describe("a place that cannot be written", () => {
  it("is said with its name: a folder that is a file", () => {
    const dir = path.join(scratchDir(), "sessions");
    writeFileSync(dir, "");
    expect(() => startSession(dir, meta)).toThrow(UserError);
    expect(() => startSession(dir, meta)).toThrow(`cannot start a session in ${dir}: `);
  });

  it("is said when the file goes away", () => {
    const { file, recorder } = session("chat");
    rmSync(file);
    expect(() => recorder.note({ type: "message", message: says("user", "x") })).toThrow(
      `cannot write the transcript ${file}: it is gone`,
    );
  });

  it.skipIf(process.getuid?.() === 0)("is said when the file may not be written (not as root)", () => {
    const { file, recorder } = session("chat");
    chmodSync(file, 0o400);
    expect(() => recorder.end(done)).toThrow("you may not write there");
  });

  it("leaves what is our own mistake a mistake", () => {
    const { file, recorder } = session("summary");
    const wrong = { ...done, outcome: { ...outcome, turns: 1.5 } };
    expect(() => recorder.end(wrong)).toThrow("a record that its readers would drop");
    // The records that close a run come together or not at all.
    expect(kinds(file)).toEqual(["meta", "config"]);
  });
});

describe("a session's name", () => {
  it("has the second in UTC and eight hex digits", () => {
    expect(sessionId(Date.parse("2026-08-05T09:15:00.999Z"), Buffer.from("3f2a1b7cff", "hex"))).toBe(ID);
  });

  it.each([
    ["\n\n  tidy   the\tnotes \nnow", "tidy the notes"],
    [" \n\t", null],
    ["x".repeat(81), `${"x".repeat(79)}…`],
    ["😀".repeat(80), "😀".repeat(80)],
  ])("takes the title from the first line: %j", (prompt, title) => {
    expect(titleOf(prompt)).toBe(title);
  });
});
