import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "#lib/nearest.ts";
import { durationText, isTriggerName, parseDuration, parseTrigger } from "#lib/trigger/trigger.ts";

const REQUIRED = 'schedule = "0 7 * * *"\nprompt = "Summarise."\n';

const read = (text: string) => {
  const parsed = parseTrigger("morning", text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};
const problem = (text: string) => {
  const parsed = parseTrigger("morning", text);
  return parsed.ok ? null : parsed.problem;
};

describe("a trigger file", () => {
  it("needs a schedule and a prompt, and has defaults for the rest", () => {
    expect(read(REQUIRED)).toEqual({
      name: "morning",
      schedule: { pattern: "0 7 * * *" },
      prompt: "Summarise.",
      description: null,
      timezone: null,
      enabled: true,
      created_at: null,
      provider: null,
      model: null,
      workspace: null,
      permission_mode: "read-only",
      tools: [],
      skills: [],
      no_mcp: false,
      max_turns: null,
      max_output_tokens: null,
      max_cost_usd: null,
      timeout_ms: 1_200_000,
      catch_up: "always",
      notify: null,
    });
  });

  it("takes every key it knows", () => {
    const text = `${REQUIRED}description = "d"\ntimezone = "Asia/Kathmandu"\nenabled = false
created_at = "2026-08-01T02:00:00+02:00"\nprovider = "p"\nmodel = "m"\nworkspace = "/w"\npermission_mode = "ask"
tools = ["fs_read"]\nskills = []\nno_mcp = true\nmax_turns = 40\nmax_output_tokens = 9_000_000_000
max_cost_usd = 1\ntimeout = "90s"\ncatch_up = "2h"\nnotify = "desk"\n`;
    expect(read(text)).toMatchObject({
      timezone: "Asia/Kathmandu",
      enabled: false,
      created_at: "2026-08-01T00:00:00Z",
      permission_mode: "ask",
      tools: ["fs_read"],
      no_mcp: true,
      max_turns: 40,
      max_output_tokens: 9e9,
      max_cost_usd: 1,
      timeout_ms: 90_000,
      catch_up: 7_200_000,
      notify: "desk",
    });
    expect(read(`${REQUIRED}created_at = 2026-08-01T00:00:00Z`).created_at).toBe("2026-08-01T00:00:00Z");
    expect(read(`\uFEFF${REQUIRED.replaceAll("\n", "\r\n")}catch_up = "never"`).catch_up).toBe("never");
  });

  it("refuses an unknown key, naming file, line and the key that was meant", () => {
    expect(problem(`# a comment\n${REQUIRED}enabeld = false\n`)).toBe(
      'morning.toml:4: unknown key "enabeld"; did you mean "enabled"?',
    );
    expect(problem(`${REQUIRED}xyzzy = 1`)).toBe('morning.toml:3: unknown key "xyzzy"');
    expect(problem(`${REQUIRED}[mcp]\nx = 1`)).toBe('morning.toml:3: unknown key "mcp"');
    // A misspelt required key is both unknown and missing; the first is what to say.
    expect(problem('shedule = "0 7 * * *"\nprompt = "p"')).toContain('did you mean "schedule"?');
    expect(problem(`${REQUIRED}"a.b" = 1`)).toBe('morning.toml:3: unknown key "a.b"');
  });

  it.each([
    ["", 'morning.toml: "schedule" is missing'],
    ['schedule = "0 7 * * *"', 'morning.toml: "prompt" is missing'],
    ["schedule = 7\nprompt = 'p'", 'morning.toml:1: "schedule" must be a text in quotes'],
    [`${REQUIRED}enabled = "yes"`, 'morning.toml:3: "enabled" must be true or false'],
    [`${REQUIRED}max_turns = 3.0`, 'morning.toml:3: "max_turns" must be a whole number'],
    [`${REQUIRED}max_turns = -1`, 'morning.toml:3: "max_turns" is out of range'],
    [`${REQUIRED}max_turns = 4294967296`, 'morning.toml:3: "max_turns" is out of range'],
    [`${REQUIRED}max_cost_usd = nan`, '"max_cost_usd" must be a number'],
    [`${REQUIRED}tools = "fs_read"`, 'morning.toml:3: "tools" must be a list of texts'],
    [`${REQUIRED}tools = [1]`, 'morning.toml:3: "tools"'],
    [`${REQUIRED}timezone = "Mars/Olympus"`, 'morning.toml:3: "timezone" is not a time zone'],
    [`${REQUIRED}timeout = "20 minutes"`, 'morning.toml:3: "timeout" must be a duration'],
    [`${REQUIRED}catch_up = "sometimes"`, 'morning.toml:3: "catch_up" must be'],
    [`${REQUIRED}permission_mode = "yolo"`, 'morning.toml:3: "permission_mode" must be'],
    [`${REQUIRED}created_at = 2026-08-01`, 'morning.toml:3: "created_at" must be a time with its offset'],
    [
      `${REQUIRED}created_at = 2026-08-01T00:00:00`,
      'morning.toml:3: "created_at" must be a time with its offset',
    ],
    [`${REQUIRED}created_at = "yesterday"`, 'morning.toml:3: "created_at" must be a time with its offset'],
    [`${REQUIRED}enabled = maybe`, "morning.toml:3: "],
    [`${REQUIRED}prompt = "again"`, "morning.toml:3: "],
    [
      "schedule = \"* * * * * *\"\nprompt = 'p'",
      'morning.toml:1: "schedule" "* * * * * *" is not a schedule; write five fields',
    ],
    ["schedule = \"@reboot\"\nprompt = 'p'", "is not a schedule; known names"],
    ["schedule = \"2026-01-01T00:00:00\"\nprompt = 'p'", "is not a schedule; write five fields"],
    ["schedule = \"61 * * * *\"\nprompt = 'p'", "is not a schedule: "],
  ])("%j is refused in one line", (text, start) => {
    const said = problem(text);
    expect(said).toContain(start);
    expect(said).not.toContain("\n");
  });

  it("never throws, whatever the file holds", () => {
    const word = fc.constantFrom(
      "schedule",
      "prompt",
      "enabled",
      "=",
      '"0 7 * * *"',
      "[",
      "]",
      "\n",
      "1",
      "__proto__",
      "true",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(word).map((words) => words.join(" ")),
        ),
        (text) => {
          const parsed = parseTrigger("t", text);
          if (!parsed.ok) expect(parsed.problem).toMatch(/^t\.toml/);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("names and durations", () => {
  it.each(["a", "morning", "a_b-9", "x".repeat(64)])("%s is a name", (name) => {
    expect(isTriggerName(name)).toBe(true);
  });
  it.each(["", "A", "a b", "../x", "a.b", "é", "x".repeat(65)])("%s is none", (name) => {
    expect(isTriggerName(name)).toBe(false);
  });
  it("are written in the largest unit that leaves nothing over, and read back the same", () => {
    const written = {
      "0s": 0,
      "90s": 90_000,
      "2m": 120_000,
      "90m": 5_400_000,
      "2h": 7_200_000,
      "3d": 259_200_000,
    };
    for (const [text, ms] of Object.entries(written)) {
      expect(durationText(ms)).toBe(text);
      expect(parseDuration(text)).toBe(ms);
    }
  });

  it("reads durations of one unit", () => {
    expect(["90s", "30m", "2h", "1d", "0s"].map(parseDuration)).toEqual([
      90_000, 1_800_000, 7_200_000, 86_400_000, 0,
    ]);
    expect(["", "5", "m", "1.5h", "-1h", "1w", "1h30m", " 1h"].map(parseDuration)).toEqual(
      Array.from({ length: 8 }, () => null),
    );
  });
});

describe("the nearest word", () => {
  it.each([
    ["promt", "prompt"],
    ["PROMPT", "prompt"],
    ["shcedule", "schedule"],
    ["max_turn", "max_turns"],
    ["xyz", null],
    ["", null],
    ["p".repeat(10_000), null],
  ])("of %.12s is %s", (word, meant) => {
    expect(nearest(word, ["schedule", "prompt", "max_turns", "tools"])).toBe(meant);
  });
});
