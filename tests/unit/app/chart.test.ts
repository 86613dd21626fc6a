import { describe, expect, it } from "vitest";
import { linePaths } from "#app/_ui/chart/line-shape.tsx";
import { spread, topOf } from "#app/_ui/chart/scale.ts";
import { type ChartPoint, labelOf, packPoint, unpackChart, unpackPoint } from "#app/_ui/chart/series.ts";
import { healthChart } from "#app/health-chart.ts";
import { configChanges } from "#lib/health/markers.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "./rows.ts";

describe("a line", () => {
  const at = (x: number | null, thin = false) => ({ x, y: x, thin });
  it.each([
    [
      "starts anew behind a gap",
      [at(0), at(1), at(null), at(3), at(4)],
      { solid: "M0,0L1,1M3,3L4,4", faded: "" },
    ],
    [
      "is faded on both sides of few runs",
      [at(0), at(1, true), at(2), at(3)],
      { solid: "M2,2L3,3", faded: "M0,0L1,1L2,2" },
    ],
    ["of one point is no line", [at(0), at(null), at(2)], { solid: "", faded: "" }],
    ["of nothing is nothing", [], { solid: "", faded: "" }],
  ])("%s", (_, points, expected) => {
    expect(linePaths(points)).toEqual(expected);
  });
});

it.each<[ChartPoint | null]>([
  [null],
  [{ hits: 1, of: 2, runs: 3, outside: null }],
  [{ hits: 1, of: 2, runs: 3, outside: "above" }],
  [{ hits: 1, of: 2, runs: 3, outside: "below" }],
])("a point comes back from its packing: %j", (point) => {
  expect(unpackPoint(packPoint(point))).toEqual(point);
});

it("names lines apart whose models begin alike", () => {
  const derived = ["claude-opus-4-6", "claude-opus-4-5-20251101", "claude-opus-4-1-20250805"];
  const series = [
    { provenance: "recorded" as const, model: "heron" },
    ...derived.map((model) => ({ provenance: "derived" as const, model })),
  ];
  const names = series.map((one) => labelOf(one, series));
  expect(new Set(names).size).toBe(4);
  expect(names.slice(0, 2)).toEqual(["heron", "claude…us-4-6 derived"]);
  const alone = series.slice(2);
  expect(alone.map((one) => labelOf(one, alone))).toEqual(["claude-op…5-20251101", "claude-op…1-20250805"]);
});

describe("the scale", () => {
  const data = (hits: number, of: number, threshold: number | null) => ({
    metric: "m",
    buckets: [],
    markers: [],
    threshold,
    series: [
      {
        provenance: "recorded" as const,
        model: "a",
        limits: [],
        points: [{ hits, of, runs: 100, outside: null }],
      },
    ],
  });
  it("reaches to the threshold where the points come near it, and not otherwise", () => {
    expect(topOf(data(100, 1000, 0.25))).toBeGreaterThan(0.25);
    expect(topOf(data(10, 10_000, 0.25))).toBe(0.02);
    expect(topOf(data(999, 1000, null))).toBe(1);
    expect(topOf(data(0, 0, null))).toBe(0.02);
  });

  it("moves labels apart inside its bounds", () => {
    expect(spread([10, 11, 50], { gap: 15, min: 0, max: 100 })).toEqual([10, 25, 50]);
    expect(spread([98, 99], { gap: 15, min: 0, max: 100 })).toEqual([85, 100]);
    expect(spread([], { gap: 15, min: 0, max: 100 })).toEqual([]);
  });
});

describe("the chart of a window", () => {
  const DAY = 86_400_000;
  const from_ms = Date.parse("2026-11-01T00:00:00Z");
  const ask = {
    metric: "tool_error_rate",
    per: "week",
    zone: "UTC",
    from_ms,
    to_ms: from_ms + 28 * DAY,
    threshold: 0.25,
  } as const;
  const chartOf = (rows: RunRow[], how: Parameters<typeof healthChart>[2]) =>
    healthChart(rows, configChanges(rows), how);
  const weekly = (week: number, errors: number, model = "alpha") =>
    Array.from({ length: 30 }, (_, run) =>
      aRun({
        model,
        run,
        started_at: new Date(from_ms + (week * 7 + 2) * DAY).toISOString(),
        tool_calls: 10,
        tool_errors: errors,
      }),
    );

  it("judges a week by the model's history before the window", () => {
    const rows = [...[-6, -5, -4, -3, -2, -1, 0, 1].flatMap((week) => weekly(week, 1)), ...weekly(2, 5)];
    const chart = chartOf(rows, ask);
    const [alpha] = unpackChart(chart.data).series;
    expect(alpha?.points.map((point) => point?.outside ?? null)).toEqual([null, null, null, "above", null]);
    expect(chart.departures).toEqual([
      { provenance: "recorded", model: "alpha", bucket: "2026-W47", direction: "above" },
    ]);
    expect(alpha?.limits.filter((limit) => limit !== null)).toHaveLength(3);
    // Only runs of the window are in its points.
    expect(alpha?.points.reduce((sum, point) => sum + (point?.runs ?? 0), 0)).toBe(90);
  });

  it("puts the models with the most runs first and sends no limits for several", () => {
    const rows = [...weekly(0, 1, "few"), ...weekly(0, 1, "many"), ...weekly(1, 1, "many")];
    const { data } = chartOf(rows, ask);
    expect(data.series.map(({ model }) => model)).toEqual(["many", "few"]);
    expect(data.series.every(({ limits }) => limits.length === 0)).toBe(true);
  });

  it("says what changed when, in one flag for one moment", () => {
    const rows = [
      ...weekly(0, 1).map((row) => ({ ...row, config: { max_turns: 40, harness_version: "1" } })),
      ...weekly(1, 1).map((row) => ({ ...row, config: { max_turns: 20, harness_version: "2" } })),
    ];
    const { data } = chartOf(rows, ask);
    expect(data.markers).toHaveLength(1);
    expect(data.markers[0]).toMatchObject({ date: "2026-11-10", models: ["alpha"] });
    expect(data.markers[0]?.text).toContain("max_turns 40 → 20");
    expect(data.markers[0]?.text).toContain("harness 1 → 2");
  });

  it("says of a long or an empty value that it is cut, or none", () => {
    const version = (week: number, harness_version: string) =>
      weekly(week, 1).map((row) => ({ ...row, config: { harness_version } }));
    const rows = [...version(0, ""), ...version(1, "v".repeat(200))];
    expect(chartOf(rows, ask).data.markers[0]?.text).toBe(`harness unset → ${"v".repeat(80)}…`);
  });

  it("puts the same change of several models on one day into one flag", () => {
    const version = (week: number, model: string, harness_version: string) =>
      weekly(week, 1, model).map((row) => ({ ...row, config: { harness_version } }));
    const rows = ["alpha", "beta"].flatMap((model) => [...version(0, model, "1"), ...version(1, model, "2")]);
    const changed = chartOf(rows, ask).data.markers.filter(({ text }) => text.startsWith("harness"));
    expect(changed.map(({ models }) => models)).toEqual([["alpha", "beta"]]);
  });

  it("stays small however long the window and however many the models", () => {
    const rows = Array.from({ length: 60 }, (_, model) =>
      aRun({ model: `model-${model}`, started_at: new Date(from_ms + model * 20 * DAY).toISOString() }),
    );
    const chart = chartOf(rows, { ...ask, per: "day", to_ms: from_ms + 2000 * DAY });
    expect(JSON.stringify(chart).length).toBeLessThan(80_000);
    expect(chart.seriesLeftOut).toBeGreaterThan(0);
    expect(chart.bucketsLeftOut).toBe(1600);
  });
});
