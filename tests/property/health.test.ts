import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlLimits } from "#lib/health/control.ts";
import { healthJson } from "#lib/health/json.ts";
import { configChanges } from "#lib/health/markers.ts";
import { healthReport, type Window } from "#lib/health/report.ts";
import { seriesByModel } from "#lib/health/series.ts";
import { METRICS, rateOf, tallyByModel, tallyRuns } from "#lib/health/tally.ts";
import { healthText } from "#lib/health/text.ts";
import { ratio, wilson } from "#lib/rate.ts";
import { STOP_CAUSES } from "#lib/transcript/record.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";

const window: Window = {
  days: 90,
  since: null,
  limit: null,
  zone: "Asia/Kathmandu",
  as_of: "2026-11-30T10:00:00Z",
};

const row: fc.Arbitrary<RunRow> = fc
  .record({
    provenance: fc.constantFrom("recorded" as const, "derived" as const),
    model: fc.oneof(
      fc.constantFrom("a", "b", "\uff5e", "\u{1f600}"),
      fc.string({ unit: "binary", maxLength: 8 }),
    ),
    session_id: fc.constantFrom("s1", "s2", "s3", "s4"),
    subagent: fc.boolean(),
    started_at: fc
      .integer({ min: Date.UTC(2026, 8, 1), max: Date.UTC(2026, 10, 30) })
      .map((ms) => new Date(ms).toISOString()),
    stop_cause: fc.constantFrom(...STOP_CAUSES, null),
    ended_on_failed_call: fc.boolean(),
    tool_calls: fc.nat({ max: 30 }),
    tool_errors: fc.nat({ max: 10 }),
    tool_staged: fc.option(fc.nat({ max: 3 })),
    cost_usd: fc.option(fc.nat({ max: 64 }).map((n) => n / 64)),
    config: fc.option(fc.record({ effort: fc.constantFrom("low", "high"), max_turns: fc.nat({ max: 3 }) })),
  })
  .map((what) => {
    const source = what.provenance === "recorded" ? ("mecha" as const) : ("claude-code" as const);
    return aRun({ ...what, source, tool_calls: what.tool_calls + what.tool_errors });
  });
const rows = fc.array(row, { maxLength: 60 });

const scanOf = (runs: RunRow[]) => aScan(runs, { sessions: [] });
const numbers = (runs: RunRow[][]) => {
  const { totals, models, subagents } = healthReport(runs.map(scanOf), window);
  return { totals, models, subagents };
};

describe("health", () => {
  it("is the same for the same rows, however the sources divide them", () => {
    fc.assert(
      fc.property(rows, fc.infiniteStream(fc.nat({ max: 3 })), (all, choice) => {
        const parts: RunRow[][] = [[], [], [], []];
        for (const one of all) parts[choice.next().value ?? 0]?.push(one);
        expect(numbers(parts)).toEqual(numbers([all]));
      }),
    );
  });

  it("loses no run and blends nothing", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const { totals, models, subagents } = numbers([all]);
        const sum = (list: { tally: { runs: number } }[]) => list.reduce((n, { tally }) => n + tally.runs, 0);
        expect(sum(models) + sum(subagents)).toBe(all.length);
        expect(sum(totals)).toBe(sum(models));
        for (const { provenance, model, tally } of models) {
          const own = all.filter(
            (one) => !one.subagent && one.provenance === provenance && one.model === model,
          );
          expect(tally).toEqual(tallyRuns(own));
        }
      }),
    );
  });

  it("has a rate exactly where something was counted", () => {
    fc.assert(
      fc.property(rows, (all) => {
        for (const { tally } of tallyByModel(all)) {
          for (const metric of METRICS) {
            const rate = rateOf(tally, metric);
            expect(ratio(rate) === null).toBe(rate.of === 0);
            expect(wilson(rate) === null).toBe(rate.of === 0);
          }
        }
      }),
    );
  });

  it("draws any rows without a NaN, an undefined or a control character", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const report = healthReport([scanOf(all)], window);
        const text = healthText(report);
        expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
        expect(text.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
        expect(JSON.stringify(healthJson(report))).not.toContain("undefined");
      }),
    );
  });
});

describe("a series", () => {
  it("holds every main run of its window once", () => {
    const ask = {
      per: "week",
      zone: "America/New_York",
      from_ms: Date.UTC(2026, 8, 10),
      to_ms: Date.UTC(2026, 10, 20),
    } as const;
    fc.assert(
      fc.property(rows, fc.constantFrom(...METRICS), (all, metric) => {
        const inside = all.filter((one) => {
          const at = Date.parse(one.started_at);
          return !one.subagent && at >= ask.from_ms && at < ask.to_ms;
        });
        const series = seriesByModel(all, { ...ask, metric });
        const points = series.flatMap((one) => one.points);
        expect(points.reduce((n, { runs }) => n + runs, 0)).toBe(inside.length);
        const rate = rateOf(tallyRuns(inside), metric);
        expect(points.reduce((n, point) => n + point.rate.hits, 0)).toBe(rate.hits);
        expect(points.reduce((n, point) => n + point.rate.of, 0)).toBe(rate.of);
        for (const { interval, rate: own } of points) expect(interval === null).toBe(own.of === 0);
      }),
    );
  });

  it("has limits that are finite, ordered and hold their centre", () => {
    const bucket = fc.record({
      bucket: fc.constant("b"),
      runs: fc.nat({ max: 60 }),
      rate: fc
        .tuple(fc.nat({ max: 500 }), fc.nat({ max: 500 }))
        .map(([hits, rest]) => ({ hits, of: hits + rest })),
    });
    fc.assert(
      fc.property(fc.array(bucket, { maxLength: 40 }), (series) => {
        for (const { centre, limits, out } of controlLimits(series).points) {
          if (limits === null) {
            expect(out).toBeNull();
            continue;
          }
          expect(centre).not.toBeNull();
          const [low, high] = limits;
          expect(low >= 0 && low <= (centre ?? -1) && (centre ?? 2) <= high && high <= 1).toBe(true);
        }
      }),
    );
  });
});

describe("config changes", () => {
  it("do not depend on the order of the rows, and are bounded", () => {
    fc.assert(
      fc.property(rows, (all) => {
        const unique = all.map((one, i) => ({ ...one, run: i }));
        const markers = configChanges(unique);
        expect(configChanges([...unique].reverse())).toEqual(markers);
        for (const { from, to } of markers) expect(from).not.toEqual(to);
      }),
    );
  });
});
