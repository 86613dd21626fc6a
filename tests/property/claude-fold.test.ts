import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { JsonObject } from "#lib/sources/adapter.ts";
import { claudeCode } from "#lib/sources/claude-code/adapter.ts";
import { deriveRuns } from "#lib/sources/claude-code/derive.ts";
import { claudeDrafts } from "#lib/sources/claude-code/entries.ts";
import type { DerivedRun, State } from "#lib/sources/claude-code/state.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { type Counted, countSlowly } from "./claude-reference.ts";

const RUNS = process.env.MECHA_SOAK === "1" ? 400_000 : 6000;
vi.setConfig({ testTimeout: 3_600_000 });

const HEAD = {
  id: "s",
  created_at: "2026-01-01T00:00:00Z",
  provider: "anthropic",
  model: "m",
  workspace: "",
  title: null,
  subagent: false,
  parent_id: null,
};

/** Few ids, so that messages straddle prompts and calls repeat. */
const callId = fc.constantFrom("a", "b", "c", "d");
const messageId = fc.constantFrom("m1", "m2", "m3", "m4", "m5");
const stopReason = fc.constantFrom(
  "end_turn",
  "tool_use",
  "max_tokens",
  "refusal",
  "stop_sequence",
  "pause_turn",
  null,
);
const words = fc.constantFrom(
  "hello",
  "",
  " ",
  "[Request interrupted by user]",
  "<command-name>/x</command-name>",
  "<local-command-stdout>",
  "<task-notification>",
  "<system-reminder>x",
);
const errorText = fc.constantFrom(
  "Exit code 1",
  "The user doesn't want to proceed with this tool use",
  "<tool_use_error>Sibling tool call errored",
  "<tool_use_error>InputValidationError: x",
  "This command requires approval",
);

const textBlock = words.map((text) => ({ type: "text", text }));
const callBlock = callId.map((id) => ({ type: "tool_use", id, name: "Bash", input: {} }));
const resultBlock = fc
  .tuple(callId, fc.boolean(), errorText, fc.boolean())
  .map(([tool_use_id, is_error, text, listed]) => ({
    type: "tool_result",
    tool_use_id,
    is_error,
    content: listed ? [{ type: "image" }, { type: "text", text }] : text,
  }));

const assistant = fc
  .record({
    id: messageId,
    model: fc.constantFrom("x", "y", "x", "<synthetic>"),
    stop_reason: stopReason,
    content: fc.array(fc.oneof(textBlock, callBlock, fc.constant({ type: "thinking" })), { maxLength: 3 }),
    output: fc.nat(1000),
  })
  .map(({ output, ...message }) => ({
    type: "assistant",
    message: { ...message, usage: { input_tokens: 1, output_tokens: output } },
  }));

const flags = fc.oneof(
  { weight: 5, arbitrary: fc.constant({}) },
  fc.constantFrom<JsonObject>(
    { isMeta: true },
    { isCompactSummary: true },
    { isVisibleInTranscriptOnly: true },
    { origin: { kind: "task-notification" } },
    { toolDenialKind: "permission-rule" },
  ),
);
const content = fc.oneof(
  words,
  fc.array(resultBlock, { minLength: 1, maxLength: 3 }),
  fc.array(fc.oneof(textBlock, resultBlock, fc.constant({ type: "image" })), { maxLength: 3 }),
);
const user = fc
  .tuple(content, flags)
  .map(([said, more]) => ({ type: "user", message: { content: said }, ...more }));

const record: fc.Arbitrary<JsonObject> = fc.oneof(
  { weight: 5, arbitrary: assistant },
  { weight: 5, arbitrary: user },
  fc.constant({ type: "assistant", isApiErrorMessage: true, message: { model: "<synthetic>", content: [] } }),
  fc.constantFrom<JsonObject>(
    { type: "system", subtype: "compact_boundary" },
    { type: "system", subtype: "x" },
  ),
  fc.constantFrom<JsonObject>(
    { type: "progress", message: { id: "m1" } },
    { type: "attachment" },
    { type: "mode" },
  ),
);
const sessionRecords = fc.array(record, { maxLength: 40 }).map(stamped);

function stamped(records: JsonObject[]): JsonObject[] {
  return records.map((one, i) => ({
    ...one,
    timestamp: new Date(Date.UTC(2026, 0, 1) + i * 1500 + 1).toISOString(),
  }));
}

function read(records: readonly JsonObject[], state: State = claudeCode.start(HEAD) as State): State {
  for (const one of records) {
    const line = JSON.stringify(one);
    const bytes = Buffer.from(line);
    if (claudeCode.wants(bytes, 0, bytes.length))
      claudeCode.record(state, JSON.parse(line) as JsonObject, line);
  }
  return state;
}

function countedOf(run: DerivedRun): Counted {
  return {
    started: run.started,
    turns: run.turns,
    output: run.usage.output_tokens,
    complete: run.usageComplete,
    calls: run.calls,
    results: Object.fromEntries(Object.entries(run.results).filter(([, count]) => count > 0)),
    interruptions: run.interruptions,
    compactions: run.compactions,
    stop: run.stop,
    failedLast: run.endedOnFailedCall,
  };
}

describe("the fold against a slow reader of the same rules", () => {
  test("made-up sessions", () => {
    fc.assert(
      fc.property(sessionRecords, (records) => {
        expect(deriveRuns(read(records).main).map(countedOf)).toEqual(countSlowly(records));
      }),
      { numRuns: RUNS },
    );
  });

  const folder = sharedDir === null ? null : path.join(sharedDir, "data", "claude-code");
  test.skipIf(folder === null)(
    `real sessions, cut, doubled and shuffled${folder === null ? ` (${sharedMissing})` : ""}`,
    () => {
      const files = readdirSync(folder ?? "").map((name) => realRecords(path.join(folder ?? "", name)));
      const change = fc.record({
        file: fc.nat(files.length - 1),
        from: fc.double({ min: 0, max: 1, noNaN: true }),
        swaps: fc.array(fc.tuple(fc.nat(60), fc.nat(60)), { maxLength: 6 }),
        drops: fc.array(fc.nat(60), { maxLength: 6 }),
        doubles: fc.array(fc.nat(60), { maxLength: 6 }),
      });
      fc.assert(
        fc.property(change, ({ file, from, swaps, drops, doubles }) => {
          const all = files[file] ?? [];
          const cut = Math.floor(from * all.length);
          const some = all.slice(cut, cut + 60).filter((_, i) => !drops.includes(i));
          for (const [a, b] of swaps) {
            const [one, other] = [some[a], some[b]];
            if (one !== undefined && other !== undefined) [some[a], some[b]] = [other, one];
          }
          const records = stamped(some.flatMap((one, i) => (doubles.includes(i) ? [one, one] : [one])));
          expect(deriveRuns(read(records).main).map(countedOf)).toEqual(countSlowly(records));
        }),
        { numRuns: RUNS / 4 },
      );
    },
  );
});

function realRecords(file: string): JsonObject[] {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  return lines.map((line) => JSON.parse(line) as JsonObject).filter((one) => one.isSidechain !== true);
}

describe("whatever the values are", () => {
  const hostile = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom<unknown>(
      -1,
      1e300,
      "12",
      null,
      [],
      {},
      true,
      JSON.parse('{"__proto__":{"type":"user"}}'),
    ),
  );
  /** A real-looking record in which some value, somewhere, is something else. */
  const spoiled = fc.tuple(record, fc.nat(30), hostile).map(([one, at, value]) => {
    let seen = 0;
    const text = JSON.stringify(one, (_, inner: unknown) => (seen++ === at ? value : inner));
    const parsed: unknown = JSON.parse(text ?? "{}");
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as JsonObject)
      : {};
  });
  const sessions = fc.array(fc.oneof(spoiled, record), { maxLength: 30 });

  test("nothing throws, and no count leaves its bounds", () => {
    fc.assert(
      fc.property(sessions, (records) => {
        const { runs, unfinished, provider_errors } = claudeCode.finish(read(records));
        for (const row of runs) {
          const parts = [row.tool_errors, row.tool_denied, row.tool_cancelled ?? -1];
          expect(parts.every((part) => part >= 0 && part <= row.tool_calls)).toBe(true);
          expect(Object.values(row.usage).every((count) => Number.isSafeInteger(count) && count >= 0)).toBe(
            true,
          );
          expect(Number.isNaN(Date.parse(row.started_at))).toBe(false);
        }
        expect(unfinished.length + provider_errors.length + runs.length).toBeLessThanOrEqual(records.length);
        for (const one of records) expect(Array.isArray(claudeDrafts(one))).toBe(true);
        const reader = claudeCode.head("p/x.jsonl");
        for (const one of records) reader.take(one, "");
      }),
      { numRuns: RUNS },
    );
  });

  test("asking changes nothing, and a copied state goes on like the original", () => {
    fc.assert(
      fc.property(sessionRecords, fc.nat(40), (records, at) => {
        const whole = claudeCode.finish(read(records));
        const half = read(records.slice(0, at));
        claudeCode.finish(half);
        const rest = read(records.slice(at), structuredClone(half));
        expect(claudeCode.finish(rest)).toEqual(whole);
        expect(claudeCode.finish(rest)).toEqual(whole);
      }),
      { numRuns: 500 },
    );
  });

  test("a line that is not wanted would have changed nothing", () => {
    fc.assert(
      fc.property(sessions, (records) => {
        const all = claudeCode.start(HEAD) as State;
        for (const one of records) {
          const line = JSON.stringify(one);
          // The byte test goes by the type alone; a record without that type is never left out.
          claudeCode.record(all, JSON.parse(line) as JsonObject, line);
        }
        expect(claudeCode.finish(read(records))).toEqual(claudeCode.finish(all));
      }),
      { numRuns: 1000 },
    );
  });

  test("100 000 calls in one run are 100 000 calls", () => {
    const message = (content: unknown, id: string) => ({
      type: "assistant",
      message: { id, content, stop_reason: "tool_use" },
    });
    const ids = Array.from({ length: 100_000 }, (_, i) => `t${i}`);
    const records = [
      { type: "user", message: { content: "go" } },
      message(
        ids.map((id) => ({ type: "tool_use", id })),
        "m1",
      ),
      {
        type: "user",
        message: { content: ids.map((id) => ({ type: "tool_result", tool_use_id: id, is_error: true })) },
      },
      {
        type: "assistant",
        message: { id: "m2", content: [{ type: "text", text: "x" }], stop_reason: "end_turn" },
      },
    ];
    expect(claudeCode.finish(read(records)).runs).toMatchObject([
      { tool_calls: 100_000, tool_errors: 100_000, turns: 2, ended_on_failed_call: true },
    ]);
  });
});
