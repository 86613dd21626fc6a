import { describe, expect, it } from "vitest";
import { hrefTo, sessionHref } from "#app/_ui/href.ts";
import { healthHref, sessionsHref } from "#app/health-href.ts";
import { parseHealthAsk, parseSessionsAsk, perFor } from "#app/search.ts";

describe("the health page's address", () => {
  it("means the last 30 days of everything where it says nothing", () => {
    const { ask, problems } = parseHealthAsk({}, "Europe/Zurich");
    expect(ask).toEqual({
      days: 30,
      asOfMs: null,
      zone: "Europe/Zurich",
      zoneAsked: null,
      source: null,
      model: null,
      metric: "tool_error_rate",
      per: null,
    });
    expect(problems).toEqual([]);
  });

  it("takes what it is given", () => {
    const { ask, problems } = parseHealthAsk(
      {
        days: "0.5",
        as_of: "2026-11-30",
        zone: "Asia/Kathmandu",
        source: "claude-code",
        model: "x",
        metric: "cut_short",
        per: "day",
      },
      "UTC",
    );
    expect(problems).toEqual([]);
    expect(ask).toMatchObject({
      days: 0.5,
      zone: "Asia/Kathmandu",
      source: "claude-code",
      metric: "cut_short",
      per: "day",
    });
    // The end of that day in the page's zone.
    expect(ask.asOfMs).toBe(Date.parse("2026-11-30T18:15:00Z") - 1);
  });

  it("says which window is shown in place of one it cannot use", () => {
    expect(parseHealthAsk({ days: "abc" }, "UTC").problems).toEqual([
      'days="abc" is not a number of days, nor "all"; the last 30 days are shown.',
    ]);
    expect(parseSessionsAsk({ days: "abc" }, "UTC").problems).toEqual([
      'days="abc" is not a number of days, nor "all"; all time is shown.',
    ]);
  });

  it.each([
    ["days", "0"],
    ["days", "-1"],
    ["days", "1e9"],
    ["days", "36501"],
    ["days", "NaN"],
    ["zone", "Mars/Olympus"],
    ["source", "/etc/passwd"],
    ["source", "mecha=/etc"],
    ["metric", "joy"],
    ["per", "hour"],
    ["as_of", "31st"],
  ])("passes over %s=%s and says so", (key, value) => {
    const { ask, problems } = parseHealthAsk({ [key]: value }, "UTC");
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(key);
    expect(ask).toEqual(parseHealthAsk({}, "UTC").ask);
  });

  it("takes the first of a repeated key, and an empty one as absent", () => {
    expect(parseHealthAsk({ model: ["a", "b"], days: "" }, "UTC").ask).toMatchObject({
      model: "a",
      days: 30,
    });
  });

  it("says nothing of what it passed over with control characters in it", () => {
    expect(parseHealthAsk({ zone: "\u202ex\u0000" }, "UTC").problems[0]).toContain("\\u{202e}x\\u{0}");
  });
});

describe("the session list's address", () => {
  it("means everything, newest first, where it says nothing", () => {
    const { ask } = parseSessionsAsk({}, "UTC");
    expect(ask).toMatchObject({
      days: null,
      stopCause: null,
      errors: false,
      failedEnd: false,
      q: "",
      subagents: "with",
    });
    expect(ask.sort).toEqual({ by: "created", descending: true });
  });

  it.each([
    ["-errors", { by: "errors", descending: true }],
    ["created", { by: "created", descending: false }],
    ["-constructor", { by: "created", descending: true }],
  ])("sort=%s", (sort, expected) => {
    expect(parseSessionsAsk({ sort }, "UTC").ask.sort).toEqual(expected);
  });
});

it.each([
  [1, "day"],
  [14, "day"],
  [30, "week"],
  [200, "week"],
  [365, "month"],
])("%d days are cut per %s", (days, per) => {
  expect(perFor(days)).toBe(per);
});

describe("addresses", () => {
  it("leave out what is empty, and encode what is not", () => {
    expect(hrefTo("/sessions", { a: null, b: false, c: "", d: true, e: 0, f: "x&y=<z>" })).toBe(
      "/sessions?d=1&e=0&f=x%26y%3D%3Cz%3E",
    );
    expect(sessionHref("../../etc", "mecha")).toBe("/sessions/..%2F..%2Fetc?source=mecha");
  });

  it("carry the window along", () => {
    const { ask } = parseHealthAsk(
      { days: "all", zone: "UTC", source: "mecha", per: "day" },
      "Europe/Zurich",
    );
    expect(healthHref(ask, { model: "m" })).toBe("/?days=all&zone=UTC&source=mecha&model=m&per=day");
    expect(sessionsHref(ask, { errors: "1" })).toBe("/sessions?zone=UTC&source=mecha&errors=1");
    const usual = parseHealthAsk({}, "Europe/Zurich").ask;
    expect(healthHref(usual, {})).toBe("/");
    expect(sessionsHref(usual, {})).toBe("/sessions?days=30");
  });
});
