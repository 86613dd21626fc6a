import { describe, expect, it } from "vitest";
import { type SeriesAsk, seriesByModel } from "#lib/health/series.ts";
import { aRun } from "#tests/support/a-run.ts";

const ask: SeriesAsk = {
  metric: "tool_error_rate",
  per: "day",
  zone: "Europe/Zurich",
  from_ms: Date.parse("2026-11-26T23:00:00Z"),
  to_ms: Date.parse("2026-11-30T10:00:00Z"),
};
const on = (started_at: string, tool_calls = 10, tool_errors = 0) =>
  aRun({ started_at, tool_calls, tool_errors });

describe("a series", () => {
  it("has a point for every bucket, and a gap is no zero", () => {
    const [series] = seriesByModel(
      [on("2026-11-27T08:00:00Z", 10, 2), on("2026-11-29T22:59:59Z", 5, 5)],
      ask,
    );
    expect(series?.points.map(({ bucket, rate }) => [bucket, rate.hits, rate.of])).toEqual([
      ["2026-11-27", 2, 10],
      ["2026-11-28", 0, 0],
      ["2026-11-29", 5, 5],
      ["2026-11-30", 0, 0],
    ]);
    expect(series?.points[1]).toMatchObject({
      interval: null,
      runs: 0,
      faded: true,
      start: "2026-11-27T23:00:00Z",
    });
    expect(series?.points.map(({ partial }) => partial)).toEqual([false, false, false, true]);
  });

  it("puts a run into the day of its zone", () => {
    const [series] = seriesByModel([on("2026-11-28T23:30:00Z")], ask);
    expect(series?.points.find(({ runs }) => runs > 0)?.bucket).toBe("2026-11-29");
    const [utc] = seriesByModel([on("2026-11-28T23:30:00Z")], { ...ask, zone: "UTC" });
    expect(utc?.points.find(({ runs }) => runs > 0)?.bucket).toBe("2026-11-28");
  });

  it("takes the window as [from, to)", () => {
    const edge = [on("2026-11-26T22:59:59.999Z"), on("2026-11-30T10:00:00Z"), on("not a time")];
    expect(seriesByModel(edge, ask)).toEqual([]);
    expect(seriesByModel([on("2026-11-26T23:00:00Z")], ask)[0]?.points[0]?.runs).toBe(1);
  });

  it("fades under twenty runs, whatever the calls", () => {
    const runs = (n: number) => Array.from({ length: n }, () => on("2026-11-27T08:00:00Z", 100, 1));
    expect(seriesByModel(runs(19), ask)[0]?.points[0]?.faded).toBe(true);
    expect(seriesByModel(runs(20), ask)[0]?.points[0]?.faded).toBe(false);
  });

  it("never mixes provenances, models or sub-agents", () => {
    const at = { started_at: "2026-11-27T08:00:00Z" };
    const rows = [
      aRun({ ...at, model: "b" }),
      aRun({ ...at, model: "a", provenance: "derived" }),
      aRun({ ...at, model: "a" }),
      aRun({ ...at, model: "a", subagent: true }),
    ];
    expect(seriesByModel(rows, ask).map((one) => [one.provenance, one.model, one.points[0]?.runs])).toEqual([
      ["recorded", "a", 1],
      ["recorded", "b", 1],
      ["derived", "a", 1],
    ]);
  });

  it("counts runs for the two metrics about runs", () => {
    const at = { started_at: "2026-11-27T08:00:00Z" };
    const rows = [
      aRun({ ...at, stop_cause: "loop" }),
      aRun({ ...at, stop_cause: "interrupted" }),
      aRun({ ...at, ended_on_failed_call: true }),
    ];
    const rate = (metric: SeriesAsk["metric"]) => seriesByModel(rows, { ...ask, metric })[0]?.points[0]?.rate;
    expect(rate("cut_short")).toEqual({ hits: 1, of: 3 });
    expect(rate("ended_on_failed_call")).toEqual({ hits: 1, of: 3 });
    expect(rate("tool_error_rate")).toEqual({ hits: 0, of: 0 });
  });

  it("keeps the newest buckets of too long a window and says how many are missing", () => {
    const long = { ...ask, from_ms: Date.parse("2000-01-01T00:00:00Z"), buckets_max: 5 };
    const [series] = seriesByModel([on("2026-11-30T08:00:00Z")], long);
    expect(series?.points).toHaveLength(5);
    expect(series?.points.at(-1)?.bucket).toBe("2026-11-30");
    expect(series?.buckets_left_out).toBeGreaterThan(9000);
  });
});
