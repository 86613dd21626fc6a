import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineCutter } from "#lib/agent/mcp/line-cutter.ts";
import type { ListedTool } from "#lib/agent/mcp/listed-tool.ts";
import { resultText } from "#lib/agent/mcp/result-text.ts";
import { serverEnv } from "#lib/agent/mcp/server-env.ts";
import { StderrTail } from "#lib/agent/mcp/stderr-tail.ts";
import { toolNameOf } from "#lib/agent/mcp/tool-name.ts";
import { cleanText, toolSpec } from "#lib/agent/mcp/tool-spec.ts";
import { toolTerms } from "#lib/agent/mcp/tool-terms.ts";

const texts = fc.string({ unit: "binary", maxLength: 200 });
const ADDS_NOTHING = {
  private_data: false,
  untrusted_input: false,
  external_send: false,
  destructive: false,
};

describe("names", () => {
  test.each<[string, string, boolean, string | null]>([
    ["web", "fetch", true, "web__fetch"],
    ["web", "fetch", false, "fetch"],
    ["my server", "a.b/c", true, "my_server__a_b_c"],
    ["web", "grüße 🙂", false, "gr__e__"],
    ["web", "", true, null],
    ["web", "", false, null],
  ])("%s and %s", (server, tool, prefixed, name) => expect(toolNameOf(server, tool, prefixed)).toBe(name));

  test("every name is one that providers take, and always the same", () => {
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (server, tool, prefixed) => {
        const name = toolNameOf(server, tool, prefixed);
        if (tool !== "") expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(toolNameOf(server, tool, prefixed)).toBe(name);
      }),
    );
  });

  test("two long names that differ at their ends stay two", () => {
    const long = "x".repeat(80);
    expect(toolNameOf("s", `${long}a`, true)).not.toBe(toolNameOf("s", `${long}b`, true));
  });
});

describe("what a tool may do", () => {
  test.each([
    ["nothing is said", undefined, false, [true, false, false, false]],
    ["it only reads", { readOnlyHint: true }, true, [true, false, false, false]],
    ["it meets an open world", { openWorldHint: true }, false, [true, true, true, false]],
    ["it says that its world is closed", { openWorldHint: false }, false, [true, false, false, false]],
    ["it destroys", { destructiveHint: true }, false, [true, false, false, true]],
    [
      "a hint is no truth value",
      { readOnlyHint: "yes", openWorldHint: 1 } as never,
      false,
      [true, false, false, false],
    ],
  ])("%s", (_, annotations, readOnly, [private_data, untrusted_input, external_send, destructive]) => {
    expect(toolTerms(annotations, ADDS_NOTHING)).toEqual({
      readOnly,
      capabilities: { private_data, untrusted_input, external_send, destructive },
    });
  });

  test("the configuration adds to it and never takes away", () => {
    const flags = fc.record({
      private_data: fc.boolean(),
      untrusted_input: fc.boolean(),
      external_send: fc.boolean(),
      destructive: fc.boolean(),
    });
    const hint = fc.option(fc.boolean(), { nil: undefined });
    const hints = fc.record({ readOnlyHint: hint, destructiveHint: hint, openWorldHint: hint });
    fc.assert(
      fc.property(hints, flags, (annotations, added) => {
        const plain = toolTerms(annotations, ADDS_NOTHING);
        const more = toolTerms(annotations, added);
        for (const key of Object.keys(added) as (keyof typeof added)[])
          expect(more.capabilities[key]).toBe(plain.capabilities[key] || added[key]);
        expect(more.readOnly && !plain.readOnly).toBe(false);
      }),
    );
  });
});

function listed(what: Partial<ListedTool>): ListedTool {
  return { name: "n", description: "", inputSchema: {}, annotations: {}, problem: null, ...what };
}

describe("words for a model", () => {
  test("what is not seen is not said: controls, marks that reorder, letters that are drawn as nothing", () => {
    expect(cleanText("a\u0000b\u001b[2Jc\u202ed\u2066e\u200bf\u{e0041}g\u2028h\r\ni\tj")).toBe(
      "ab[2Jcdefgh\ni\tj",
    );
    expect(cleanText("👩‍🚀 می‌خواهم ❤️")).toBe("👩‍🚀 می‌خواهم ❤️");
  });

  test("in a schema only words are cleaned; what values are checked against stays", () => {
    const inputSchema = {
      type: "object",
      description: "x\u202e",
      properties: {
        description: { type: "string", title: "t\u0007", pattern: "^\u0007$", enum: ["\u202e"] },
      },
    };
    const spec = toolSpec("n", listed({ inputSchema }));
    expect(spec).toEqual({
      ok: true,
      value: {
        name: "n",
        description: "",
        parameters: {
          type: "object",
          description: "x",
          properties: { description: { type: "string", title: "t", pattern: "^\u0007$", enum: ["\u202e"] } },
        },
      },
    });
  });

  const fitted = (schema: object) => {
    const spec = toolSpec("n", listed({ inputSchema: { type: "object", properties: { a: schema } } }));
    if (!spec.ok) throw new Error(spec.problem);
    return (spec.value.parameters.properties as { a: unknown }).a;
  };

  test.each<[string, object, object]>([
    ["a list of it is not said what", { type: "array" }, { type: "array", items: {} }],
    ["a list or nothing", { type: ["array", "null"] }, { type: ["array", "null"], items: {} }],
    [
      "a list of lists",
      { type: "array", items: { type: "list" } },
      { type: "array", items: { type: "array", items: {} } },
    ],
    ["a list of anything", { type: "array", items: true }, { type: "array", items: {} }],
    [
      "a tuple",
      { type: "array", prefixItems: [{ type: "str" }] },
      { type: "array", prefixItems: [{ type: "string" }] },
    ],
    ["nulls", { type: "string", enum: null, items: null, default: null }, { type: "string", default: null }],
    ["a choice of nothing", { enum: [], anyOf: [], required: true }, {}],
    [
      "types of another language",
      { anyOf: [{ type: "int" }, { type: "any" }] },
      { anyOf: [{ type: "integer" }, {}] },
    ],
    [
      "references to nothing, and to another document",
      {
        anyOf: [
          { $ref: "#/$defs/Gone" },
          { $ref: "https://x.test/a.json" },
          { $ref: "", title: "t" },
          { $ref: 1 },
        ],
      },
      { anyOf: [{}, {}, { title: "t" }, {}] },
    ],
    [
      "references to what is there",
      {
        $defs: { "F/%": {} },
        anyOf: [{ $ref: "#/properties/a/$defs/F~1%25" }, { $ref: "#" }],
        const: { $ref: "x" },
      },
      {
        $defs: { "F/%": {} },
        anyOf: [{ $ref: "#/properties/a/$defs/F~1%25" }, { $ref: "#" }],
        const: { $ref: "x" },
      },
    ],
    [
      "a property that is anything, and one that is required and not there",
      { type: "object", properties: { b: true, c: null }, required: ["b", "c", 3] },
      { type: "object", properties: { b: {} }, required: ["b"] },
    ],
    [
      "properties named like keywords",
      { properties: { type: { type: "string" }, enum: { enum: [null] }, required: { const: null } } },
      { properties: { type: { type: "string" }, enum: { enum: [null] }, required: { const: null } } },
    ],
    [
      "what is in order",
      { $ref: "#/properties/a", additionalProperties: false, minItems: 1, format: "uri", examples: [null] },
      { $ref: "#/properties/a", additionalProperties: false, minItems: 1, format: "uri", examples: [null] },
    ],
  ])("a schema as every provider takes it: %s", (_, schema, wanted) =>
    expect(fitted(schema)).toEqual(wanted),
  );

  test("a description without end is cut", () => {
    const spec = toolSpec("n", listed({ description: "🙂".repeat(10_000) }));
    expect(spec.ok && spec.value.description).toMatch(/^(🙂)+…$/u);
    expect(spec.ok && spec.value.description.length).toBeLessThan(8002);
  });
});

describe("results", () => {
  test.each<[string, { [key: string]: unknown }, string]>([
    ["nothing", {}, ""],
    ["no list", { content: "w" }, "w"],
    ["one piece and no list", { content: { type: "text", text: "w" } }, "w"],
    ["a number", { content: 3 }, "3"],
    ["words in a kind nobody knows", { content: [{ type: "markdown", text: "w" }, null, "x"] }, "w\n\nx"],
    ["figures alone", { structuredContent: [1] }, "[1]"],
    ["the first version's name", { toolResult: "w" }, "w"],
    ["a kind nobody knows", { content: [{ type: "hologram" }] }, "[hologram, not shown]"],
    ["a text that is none", { content: [{ type: "text", text: 4 }] }, "4"],
    [
      "a resource without anything",
      { content: [{ type: "resource" }] },
      "[resource , unknown type, 0 bytes, not shown]",
    ],
    ["figures beside words", { content: [{ type: "text", text: "w" }], structuredContent: { n: 1 } }, "w"],
  ])("%s", (_, result, text) => expect(resultText(result)).toBe(text));
});

describe("streams", () => {
  test("lines are the same however they arrive; what is too long is passed over, alone", () => {
    const line = fc.oneof(
      texts.map((text) => text.replaceAll("\n", "")),
      fc.constant("x".repeat(50)),
    );
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.integer({ min: 1, max: 40 })), (lines, sizes) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(""));
        const cutter = new LineCutter(40);
        const got: (string | null)[] = [];
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          got.push(...cutter.add(bytes.subarray(at, at + size)));
          at += size;
        }
        const whole = lines.map((one) => {
          const held = Buffer.from(one);
          return held.length > 40 ? null : held.toString("utf8");
        });
        expect(got).toEqual(whole);
      }),
    );
  });

  test("a line without an end is told once, when it is too long", () => {
    const cutter = new LineCutter(40);
    const chunks = ["x".repeat(40), "x", "x".repeat(99), "\nnext\n"].map((text) =>
      cutter.add(Buffer.from(text)),
    );
    expect(chunks).toEqual([[], [null], [], ["next"]]);
  });

  test("of what a program complained about the end is kept", () => {
    const tail = new StderrTail();
    for (let i = 0; i < 1000; i += 1) tail.add(Buffer.from(`line ${i} ${"y".repeat(50)}\n`));
    tail.add(Buffer.from("the end\n\n"));
    expect(tail.said().length).toBeLessThanOrEqual(401);
    expect(tail.said().endsWith(" / the end")).toBe(true);
    expect(new StderrTail().said()).toBe("");
  });
});

test("a server's own variable wins over one that is passed on, and what is missing is told", () => {
  const server = { env: { HOME: "/srv" }, env_passthrough: ["TOKEN", "GONE", "HOME"] };
  expect(serverEnv(server, { HOME: "/home/ada", TOKEN: "t", OTHER: "o", PATH: "/bin" })).toEqual({
    env: { HOME: "/srv", TOKEN: "t", PATH: "/bin" },
    missing: ["GONE"],
  });
});
