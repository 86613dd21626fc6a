import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTriggerFile } from "#lib/trigger/create.io.ts";
import { triggerToml } from "#lib/trigger/toml.ts";
import { parseTrigger } from "#lib/trigger/trigger.ts";

const created_at = "2026-08-01T00:00:00Z";

describe("the text of a trigger file", () => {
  test("reads like one that a person wrote, and sets what was given and nothing else", () => {
    const text = triggerToml({
      schedule: "0 7 * * 1-5",
      prompt: 'Say "good morning".\nThen the mail:\\n',
      timezone: "Europe/Zurich",
      created_at,
      tools: ["fs_read", "calendar__list"],
      max_cost_usd: 0.5,
      timeout_ms: 90_000,
      catch_up: 7_200_000,
    });
    expect(text).toBe(`schedule = "0 7 * * 1-5"
timezone = "Europe/Zurich"
prompt = """
Say \\"good morning\\".
Then the mail:\\\\n"""
created_at = "2026-08-01T00:00:00Z"
tools = ["fs_read", "calendar__list"]
max_cost_usd = 0.5
timeout = "90s"
catch_up = "2h"
`);
  });

  test("its reader gives back every text, whatever stands in it", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc
        .array(fc.constantFrom('"', "\\", "\n", "\r", "\t", "'", '"""', "\u007f", "\0", "x", " ", "\u2028"))
        .map((all) => all.join("")),
    );
    fc.assert(
      fc.property(texts, texts, fc.array(texts), (prompt, description, tools) => {
        const parsed = parseTrigger(
          "t",
          triggerToml({ schedule: "@daily", prompt, description, tools, created_at }),
        );
        expect(parsed).toMatchObject({ ok: true, value: { prompt, description, tools } });
      }),
      { numRuns: 500 },
    );
  });
});

describe("a new file", () => {
  let dir = "";
  beforeEach(() => {
    dir = path.join(mkdtempSync(path.join(tmpdir(), "mecha-triggers-")), "triggers");
  });
  afterEach(() => rmSync(path.dirname(dir), { recursive: true, force: true }));

  test("is its owner's alone, and never takes the place of another", () => {
    const file = createTriggerFile(dir, "morning", "one\n");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(() => createTriggerFile(dir, "morning", "two\n")).toThrow(
      /there is a trigger morning already: .*morning\.toml/,
    );
    expect(readFileSync(file, "utf8")).toBe("one\n");
    expect(readdirSync(dir)).toEqual(["morning.toml"]);
  });
});
