import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AnswerReader, blocksOf } from "#lib/agent/providers/answer-blocks.ts";
import { anthropicReader } from "#lib/agent/providers/anthropic-stream.ts";
import { openaiReader } from "#lib/agent/providers/openai-stream.ts";
import { eventData } from "#lib/agent/providers/sse.ts";
import { PIECES } from "#tests/support/bad-answers.ts";

const READERS: Record<keyof typeof PIECES, () => AnswerReader> = {
  "openai-compatible": openaiReader,
  anthropic: anthropicReader,
};

/** An event that brings no words. */
const EMPTY: Record<keyof typeof PIECES, object> = {
  "openai-compatible": { choices: [{ delta: { content: "" } }] },
  anthropic: { type: "ping" },
};

/** The words that mean something in a dialect, at any place and with any value. */
const KEYS = [
  ...["type", "index", "id", "name", "content", "text", "delta", "message", "choices", "error", "usage"],
  ...["tool_calls", "function", "arguments", "finish_reason", "reasoning_content", "refusal"],
  ...["content_block", "input", "partial_json", "signature", "thinking", "data", "stop_reason"],
  ...["prompt_tokens", "completion_tokens", "prompt_tokens_details", "cached_tokens", "input_tokens"],
  ...["output_tokens", "__proto__", "constructor"],
];
const WORDS = [
  ...["message_start", "content_block_start", "content_block_delta", "message_delta", "message_stop"],
  ...["text", "tool_use", "redacted_thinking", "text_delta", "input_json_delta", "signature_delta", "stop"],
];

const { event } = fc.letrec((tie) => ({
  event: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    fc.constantFrom(...WORDS),
    fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie("event"), { maxLength: 3 }),
    fc.array(fc.tuple(fc.constantFrom(...KEYS), tie("event")), { maxLength: 6 }).map(Object.fromEntries),
  ),
}));

describe.each(Object.entries(READERS))("the reader of %s", (kind, reader) => {
  test("takes whatever a server sends without throwing, and gives blocks, counts and a reason", () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const reading = reader();
        for (const one of events) {
          const taken = reading.take(one);
          if (typeof taken !== "string") expect(taken.problem).toEqual(expect.any(String));
        }
        const { blocks, usage, missing } = reading.draft();
        for (const block of blocksOf(blocks).content)
          expect(["text", "thinking", "tool_use"]).toContain(block.type);
        for (const count of Object.values(usage ?? {}))
          expect(Number.isSafeInteger(count) && count >= 0).toBe(true);
        expect(missing === null || missing.length > 0).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test("gives up on a stream that says nothing and does not end", () => {
    const reading = reader();
    let taken: ReturnType<AnswerReader["take"]> = "";
    for (let n = 0; taken === "" && n < 1_100_000; n += 1)
      taken = reading.take(EMPTY[kind as keyof typeof PIECES]);
    expect(taken).toMatchObject({
      problem: "the answer does not end: given up after 1000000 events",
      transient: false,
    });
  });

  test("gives the same whatever pieces the network cuts a stream into", async () => {
    const of = PIECES[kind as keyof typeof PIECES];
    const bytes = Buffer.from(of.start + of.text("wörld 🎉\n") + of.call("c", '{"a":', '"ü"}') + of.end);
    const read = async (cuts: readonly number[]) => {
      const reading = reader();
      const at = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length];
      async function* chunks() {
        for (const [i, from] of at.slice(0, -1).entries()) yield bytes.subarray(from, at[i + 1]);
      }
      for await (const data of eventData(chunks(), 1_000_000))
        if (data !== "[DONE]") reading.take(JSON.parse(data));
      return blocksOf(reading.draft().blocks).content;
    };
    const whole = await read([]);
    expect(whole).toMatchObject([{ text: "wörld 🎉\n" }, { input: { a: "ü" } }]);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { maxLength: 30 }), async (cuts) => {
        expect(await read(cuts)).toEqual(whole);
      }),
      { numRuns: 200 },
    );
  });
});

test("parts that are no calls leave no room for more of them", () => {
  const reading = anthropicReader();
  const words = { type: "content_block_start", content_block: { type: "text", text: "" } };
  for (let n = 0; n < 1001; n += 1) expect(reading.take(words)).toBe("");
  const call = { type: "content_block_start", content_block: { type: "tool_use", id: "c", name: "a" } };
  for (let n = 0; n < 1000; n += 1) expect(reading.take(call)).toBe("");
  expect(reading.take(call)).toMatchObject({ problem: "the answer holds more than 1000 calls" });
});
