import { describe, expect, test } from "vitest";
import { numbersAsk } from "#app/api/numbers-ask.ts";
import { UserError } from "#lib/errors.ts";

const ask = (query: string, given?: Parameters<typeof numbersAsk>[2]) =>
  numbersAsk(new URLSearchParams(query), "Europe/Zurich", given);

describe("the address of an answer for programs", () => {
  test("means everything, as of now, where it says nothing", () => {
    expect(ask("")).toEqual({ days: null, as_of_ms: null, zone: "Europe/Zurich", source: null, model: null });
    expect(ask("", { days: 30 }).days).toBe(30);
    expect(ask("days=all", { days: 30 }).days).toBeNull();
    expect(ask("days=&model=")).toEqual(ask(""));
  });

  test("takes what the command line takes", () => {
    expect(ask("days=0.5&as_of=2026-11-29&zone=UTC&source=claude-code&model=a%20b")).toEqual({
      days: 0.5,
      as_of_ms: Date.parse("2026-11-29T23:59:59.999Z"),
      zone: "UTC",
      source: "claude-code",
      model: "a b",
    });
  });

  test.each([
    "days=0",
    "days=-1",
    "days=1e3",
    "days=36501",
    "days=7&days=8",
    "as_of=soon",
    "as_of=2026-02-30",
    "zone=Nowhere",
    "source=codex",
    "day=7",
    "metric=cut_short",
    `model=${"x".repeat(501)}`,
    "%1b%5b31m=%1b",
  ])("refuses %s in one line", (query) => {
    try {
      ask(query);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ code: "usage", message: expect.stringMatching(/^\P{Cc}{10,300}$/u) });
    }
  });

  test("knows only the keys that it was given", () => {
    expect(() => ask("days=7", { keys: ["as_of"] })).toThrow('"days" is no parameter here; use as_of');
  });
});
