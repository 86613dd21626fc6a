import { appendFileSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendRecords, createSession } from "#lib/transcript/append.io.ts";
import { loadConversation } from "#lib/transcript/load.io.ts";
import { mendConversation } from "#lib/transcript/mend.ts";
import type { Block, Message, TranscriptRecord } from "#lib/transcript/record.ts";

const id = fc.constantFrom("a", "b", "c", "d");
const text = fc
  .string({ unit: "binary", maxLength: 20 })
  .map((words): Block => ({ type: "text", text: words.replace(/\p{Surrogate}/gu, "") }));
const use = id.map((one): Block => ({ type: "tool_use", id: one, name: "t", input: {} }));
const result = id.map(
  (one): Block => ({ type: "tool_result", tool_use_id: one, content: "r", is_error: false }),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  fc
    .array(fc.oneof(text, result), { minLength: 1, maxLength: 4 })
    .map((content) => ({ role: "user" as const, content })),
  fc
    .tuple(
      fc.array(text, { maxLength: 1 }),
      fc.uniqueArray(use, { selector: (one) => JSON.stringify(one), maxLength: 3 }),
    )
    .filter(([words, calls]) => words.length + calls.length > 0)
    .map(([words, calls]) => ({ role: "assistant" as const, content: [...words, ...calls] })),
);

/** Each call has its one result in the next message, and no result is without its call. */
function isWhole(messages: readonly Message[]): boolean {
  return [...messages, null].every((one, at) => {
    const calls =
      messages[at - 1]?.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])) ?? [];
    const results =
      one?.content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])) ?? [];
    return calls.every((call) => results.includes(call)) && results.every((each) => calls.includes(each));
  });
}

function mended(messages: readonly Message[]): readonly Message[] {
  const made = mendConversation(messages);
  switch (made.kind) {
    case "whole":
      return messages;
    case "added":
      return [...messages, made.message];
    case "rewritten":
      return made.messages;
    default:
      return made satisfies never;
  }
}

describe("mending a conversation", () => {
  it("makes any one whole, leaves a whole one alone, and is done in one go", () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        const after = mended(messages);
        expect(isWhole(after)).toBe(true);
        expect(mendConversation(after).kind).toBe("whole");
        if (isWhole(messages)) expect(after).toEqual(messages);
      }),
      { numRuns: 2000, seed: 5 },
    );
  });

  it("takes no word of anybody away", () => {
    const words = (messages: readonly Message[]) =>
      messages.flatMap(({ content }) => content.filter((block) => block.type !== "tool_result"));
    fc.assert(
      fc.property(fc.array(message, { maxLength: 8 }), (messages) => {
        expect(words(mended(messages))).toEqual(words(messages));
      }),
      { numRuns: 1000, seed: 6 },
    );
  });
});

describe("a session that is written and loaded", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(path.join(tmpdir(), "mecha-load-"));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  const record: fc.Arbitrary<TranscriptRecord> = fc.oneof(
    { weight: 5, arbitrary: message.map((one) => ({ record: "message" as const, ...one })) },
    fc.array(message, { maxLength: 3 }).map((messages) => ({ record: "rewrite" as const, messages })),
    fc.record({ record: fc.constant("taint" as const), private: fc.boolean(), untrusted: fc.boolean() }),
  );
  let made = 0;
  const start = () => {
    made += 1;
    const meta = {
      created_at: "2026-08-05T09:15:00Z",
      provider: "p",
      model: "m",
      workspace: "/",
      title: null,
    };
    return createSession(dir, { id: `s${made}`, ...meta });
  };

  it("gives back the conversation, also when it was torn and gone on with", () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 12 }), fc.nat(12), (records, tearAt) => {
        const file = start();
        let messages: Message[] = [];
        const taint = { private: false, untrusted: false };
        for (const [at, one] of records.entries()) {
          if (at === tearAt) appendFileSync(file, '{"record":"message","role":"user","content":[{"type"');
          appendRecords(file, [one]);
          if (one.record === "message") messages.push({ role: one.role, content: one.content });
          if (one.record === "rewrite") messages = [...one.messages];
          if (one.record === "taint") {
            taint.private ||= one.private;
            taint.untrusted ||= one.untrusted;
          }
        }
        const loaded = loadConversation(file);
        expect(loaded).toMatchObject({ messages, taint, skipped: tearAt < records.length ? 1 : 0 });
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it("cut off anywhere, is what it was before its last record", () => {
    const file = start();
    const say = (words: string) =>
      appendRecords(file, [{ record: "message", role: "user", content: [{ type: "text", text: words }] }]);
    say("first");
    const before = loadConversation(file);
    say("the second, with é and 漢字 in it");
    const whole = loadConversation(file);
    const { size: bytes } = statSync(file);
    for (let cut = 1; cut < 100; cut++) {
      truncateSync(file, bytes - cut);
      const loaded = loadConversation(file);
      // Only the newline is missing: the record is all there.
      expect(loaded.messages).toEqual(cut === 1 ? whole.messages : before.messages);
    }
  });
});
