import { describe, expect, it } from "vitest";
import { parseRecord } from "#lib/transcript/record-schema.ts";

const message = (block: object) => ({ record: "message", role: "user", content: [block] });

describe("records for showing", () => {
  it.each([
    message({ type: "text", text: "x" }),
    message({ type: "thinking", text: "x", signature: "s" }),
    message({ type: "tool_use", id: "1", name: "n", input: { any: [1] } }),
    message({ type: "tool_result", tool_use_id: "1", content: "x", is_error: true }),
    message({ type: "image", media_type: "image/png", data: "AAAA", source: "a.png" }),
    { record: "rewrite", messages: [{ role: "assistant", content: [] }] },
    { record: "taint", private: true, untrusted: false },
  ])("keeps %j as it is", (record) => {
    expect(parseRecord(record)).toEqual(record);
  });

  it("fills in what may be left out, and ignores what it does not know", () => {
    expect(parseRecord({ record: "taint", later: 1 })).toEqual({
      record: "taint",
      private: false,
      untrusted: false,
    });
    expect(parseRecord(message({ type: "tool_result", tool_use_id: "1", content: "x" }))).toEqual(
      message({ type: "tool_result", tool_use_id: "1", content: "x", is_error: false }),
    );
  });

  it.each([
    null,
    7,
    "outcome",
    [],
    {},
    { record: "Outcome" },
    { record: "nonsense" },
    message({ type: "video" }),
    message({ type: "image", media_type: "image/svg+xml", data: "" }),
    { record: "message", role: "system", content: [] },
    { record: "message", role: "user", content: "text" },
    { record: "rewrite" },
    { record: "summary", turns: 1 },
    { record: "outcome", turns: -1 },
    { record: "outcome", turns: 2 ** 32 },
    { record: "outcome", stop_cause: "end_turn" },
    { record: "config", effort: "turbo" },
    { record: "meta", id: "a", created_at: "2026-02-30T00:00:00Z", provider: "", model: "", workspace: "" },
  ])("takes %j for no record", (value) => {
    expect(parseRecord(value)).toBeNull();
  });
});
