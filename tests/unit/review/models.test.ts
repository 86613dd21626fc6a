import { describe, expect, it } from "vitest";
import { scaleTop } from "#lib/review/chart.ts";
import { modelReviews } from "#lib/review/models.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aWeek, knownRuns, runsOn } from "./known.ts";

const known = () => modelReviews(knownRuns(), aWeek());

describe("a model's week", () => {
  it("is counted apart from the eight weeks before", () => {
    const [alpha, beta] = known();
    expect(alpha).toMatchObject({ model: "alpha", runs: 24, sessions: 1, runs_before: 96, weeks_before: 4 });
    expect(alpha?.rates.tool_error_rate).toMatchObject({
      rate: { hits: 72, of: 120 },
      before: { hits: 48, of: 480 },
    });
    expect(alpha?.rates.ended_on_failed_call).toMatchObject({
      rate: { hits: 12, of: 24 },
      before: { hits: 0, of: 96 },
    });
    expect(alpha?.rates.cut_short.rate).toEqual({ hits: 4, of: 24 });
    expect(beta).toMatchObject({ model: "beta", runs: 3, faded: true, runs_before: 9, weeks_before: 3 });
    expect(beta?.rates.tool_error_rate.rate).toEqual({ hits: 1, of: 6 });
  });

  it("has the interval and the limits that were worked out by hand", () => {
    const rate = known()[0]?.rates.tool_error_rate;
    // Wilson, 72 of 120: centre (0.6 + 3.8415/240) / 1.0320 = 0.5969, half 0.0863.
    expect(rate?.interval?.[0]).toBeCloseTo(0.5106, 4);
    expect(rate?.interval?.[1]).toBeCloseTo(0.6832, 4);
    // 48 of 480 before, no spread between weeks: 0.1 ± 3 √(0.1033 · 0.8967 · (1/120 + 1/480)) = 0.1 ± 0.0932.
    expect(rate?.limits?.[0]).toBeCloseTo(0.0068, 4);
    expect(rate?.limits?.[1]).toBeCloseTo(0.1932, 4);
    expect(rate?.out).toBe("above");
  });

  it("of too few runs is faded and not judged", () => {
    const rate = known()[1]?.rates.tool_error_rate;
    expect([rate?.limits, rate?.out]).toEqual([null, null]);
    expect(rate?.weeks.map(({ runs, faded }) => [runs, faded])).toEqual(
      [0, 0, 0, 0, 3, 3, 0, 3, 3].map((n) => [n, true]),
    );
  });

  it("without calls has no rate, and no cost where nothing has a price", () => {
    const [m] = modelReviews(runsOn("2026-11-24", 30, { model: "m" }), aWeek());
    expect(m?.rates.tool_error_rate).toMatchObject({
      rate: { hits: 0, of: 0 },
      interval: null,
      limits: null,
      out: null,
    });
    expect(m?.cost).toEqual({ usd: null, lower_bound: true, runs_priced: 0, runs: 30 });
    expect(m?.cost_before.usd).toBeNull();
  });

  it("costs what its priced runs cost", () => {
    const [alpha] = known();
    expect(alpha?.cost.usd).toBeCloseTo(0.24);
    expect(alpha?.cost).toMatchObject({ lower_bound: false, runs_priced: 24 });
    expect(alpha?.cost_before.usd).toBeCloseTo(0.96);
  });

  it("comes back inside its limits, and that is said of the week in which it does", () => {
    const calm = runsOn("2026-11-30", 24, { model: "alpha", tool_calls: 5 }, (i) => ({
      tool_errors: i % 2 === 0 ? 1 : 0,
    }));
    const [alpha] = modelReviews([...knownRuns(), ...calm], aWeek("2026-W49", "UTC", "2026-12-07T10:00:00Z"));
    expect(alpha?.rates.tool_error_rate).toMatchObject({ out: null, back_inside: true });
    expect(known()[0]?.rates.tool_error_rate.back_inside).toBe(false);
  });

  it("leaves out sub-agents, what is older than the eight weeks, and what is later than the moment of looking", () => {
    const rows = [
      aRun({ started_at: "2026-11-24T12:00:00Z", subagent: true }),
      aRun({ started_at: "2026-09-27T23:59:59Z" }),
      aRun({ started_at: "2026-11-26T00:00:01Z" }),
      aRun({ started_at: "no time at all" }),
    ];
    expect(modelReviews(rows, aWeek("2026-W48", "UTC", "2026-11-26T00:00:00Z"))).toEqual([]);
    expect(modelReviews([aRun({ started_at: "2026-09-28T00:00:00Z" })], aWeek())).toHaveLength(1);
  });

  it("says of the newest week that it is not over", () => {
    const [alpha] = modelReviews(knownRuns(), aWeek("2026-W48", "UTC", "2026-11-26T00:00:00Z"));
    expect(alpha?.rates.cut_short.weeks.map(({ partial }) => partial)).toEqual([
      ...Array(8).fill(false),
      true,
    ]);
  });

  it("falls into the week of the zone where the clock changes", () => {
    const rows = [
      aRun({ started_at: "2026-10-25T22:59:59Z" }),
      aRun({ started_at: "2026-10-25T23:00:00Z", run: 2 }),
    ];
    const [m] = modelReviews(rows, aWeek("2026-W43", "Europe/Zurich"));
    expect(m).toMatchObject({ runs: 1, runs_before: 0 });
    const [utc] = modelReviews(rows, aWeek("2026-W43", "UTC"));
    expect(utc?.runs).toBe(2);
  });

  it("keeps provenances apart, recorded first, then by runs", () => {
    const order = modelReviews(
      [
        ...runsOn("2026-11-24", 2, { model: "b" }),
        ...runsOn("2026-11-24", 1, { model: "a" }),
        ...runsOn("2026-11-24", 9, { model: "b", provenance: "derived", source: "claude-code" }),
      ],
      aWeek(),
    ).map(({ provenance, model, runs }) => [provenance, model, runs]);
    expect(order).toEqual([
      ["recorded", "b", 2],
      ["recorded", "a", 1],
      ["derived", "b", 9],
    ]);
  });
});

describe("the scale of charts side by side", () => {
  it("holds the highest rate of all of them", () => {
    expect(scaleTop(known(), "tool_error_rate")).toBe(0.75);
    expect(scaleTop([], "cut_short")).toBe(0.05);
  });
});
