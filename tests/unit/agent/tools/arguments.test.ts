import { describe, expect, it } from "vitest";
import { NO_CAPABILITIES, toolText } from "#lib/agent/tool.ts";
import { choice, group, list, optional, readArguments, text, whole } from "#lib/agent/tools/arguments.ts";
import { defineTool, ToolProblem } from "#lib/agent/tools/define-tool.ts";
import { bad, call } from "./call-tool.ts";

const known = {
  path: text("a file"),
  offset: optional(whole("a line", 1, 100)),
  kind: optional(choice("a kind", ["a", "b"])),
  items: optional(list("things", group({ name: text("a name") }), 3)),
};
const read = (input: Record<string, unknown>) => readArguments(known, input);
const problem = (input: Record<string, unknown>) => {
  const result = read(input);
  return result.ok ? "" : result.problem;
};

describe("arguments", () => {
  it("says of text that was no JSON that it was none, and names no argument that the model never wrote", () => {
    const said = problem({ __malformed_arguments: '{"path": "a.txt"' });
    expect(said).toBe(
      "the arguments cannot be read as JSON. Arguments: path (required), offset, kind, items.",
    );
  });

  it("gives null for what was left out, also when it was spelled null", () => {
    const all = { path: "x", offset: null, kind: null, items: null };
    expect(read({ path: "x" })).toEqual({ ok: true, value: all });
    expect(read(all)).toEqual({ ok: true, value: all });
  });

  it.each([
    [{}, "`path` is missing"],
    [{ path: null }, "`path` must be text, not null"],
    [{ path: 3 }, "`path` must be text, not 3"],
    [{ path: ["x"] }, "`path` must be text, not a list"],
    [{ path: "a\ud800" }, "`path` holds half of a surrogate pair"],
    [{ path: "x", offset: "3" }, '`offset` must be a whole number from 1 up, not "3"'],
    [{ path: "x", offset: 0 }, "not 0"],
    [{ path: "x", offset: 1.5 }, "not 1.5"],
    [{ path: "x", kind: "c" }, '`kind` must be one of a, b, not "c"'],
    [{ path: "x", kind: "😀".repeat(40) }, `not "${"😀".repeat(29)}…`],
    [{ path: "x", items: {} }, "`items` must be a list, not an object"],
    [
      { path: "x", items: [{ name: "a" }, { name: 2 }] },
      "`items` item 2 is wrong: `name` must be text, not 2",
    ],
    [{ path: "x", items: [1] }, "item 1 must be an object"],
    [{ path: "x", items: [{}, {}, {}, {}] }, "at most 3 items, not 4"],
    [{ path: "x", ofset: 3 }, 'no argument "ofset" (did you mean `offset`?)'],
    [{ path: "x", append: true }, 'no argument "append"'],
    [{ path: "x", constructor: 1 }, 'no argument "constructor"'],
    [JSON.parse('{"path":"x","__proto__":1}'), 'no argument "__proto__"'],
  ])("refuses %j and says why", (input, said) => {
    expect(problem(input)).toContain(said);
    expect(problem(input)).toContain("Arguments: path (required), offset, kind, items.");
  });

  it("takes a list, or an object in one, that was written as JSON in a text", () => {
    const items = [{ name: "a" }, { name: "[1]" }];
    for (const given of [
      JSON.stringify(items),
      ` ${JSON.stringify(items, null, 2)}`,
      items.map((one) => JSON.stringify(one)),
    ])
      expect(read({ path: "x", items: given })).toMatchObject({ ok: true, value: { items } });
    expect(read({ path: "[1]" })).toMatchObject({ ok: true, value: { path: "[1]" } });
    expect(problem({ path: "x", items: "[{]" })).toContain('`items` must be a list, not "[{]"');
    expect(problem({ path: "x", items: '{"name":"a"}' })).toContain("`items` must be a list, not");
    expect(problem({ path: "x", items: '[{"name":1}]' })).toContain("`name` must be text, not 1");
  });

  it("takes a number above the most for the most", () => {
    expect(read({ path: "x", offset: 1e9 })).toMatchObject({ value: { offset: 100 } });
  });

  it("stays short whatever it was sent", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}${"x".repeat(500)}`, 1]));
    expect(problem(many).length).toBeLessThan(1000);
    expect(problem({ path: "x", kind: "y".repeat(1e6) }).length).toBeLessThan(300);
  });

  it("announces the arguments as a closed JSON Schema", () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      args: known,
      readOnly: true,
      capabilities: NO_CAPABILITIES,
      run: async () => toolText("ran"),
    });
    expect(tool.spec.parameters).toMatchObject({
      type: "object",
      required: ["path"],
      additionalProperties: false,
      properties: { offset: { type: "integer", minimum: 1 }, items: { items: { required: ["name"] } } },
    });
  });

  it("makes a problem of the tool an error result, and lets a bug through", async () => {
    const failing = (error: Error) =>
      defineTool({
        name: "t",
        description: "",
        args: {},
        readOnly: true,
        capabilities: NO_CAPABILITIES,
        run: () => Promise.reject(error),
      });
    expect(await bad(failing(new ToolProblem("so it is")), {})).toBe("so it is");
    await expect(call(failing(new TypeError("bug")), {})).rejects.toThrow("bug");
  });
});
