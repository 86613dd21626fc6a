import { describe, expect, it } from "vitest";
import { controlLimits, EARLIER_BUCKETS_MIN, type Judgeable } from "#lib/health/control.ts";

/** Buckets b0, b1 … of `of` runs each with so many hits. */
const buckets = (hits: number[], of = 100): Judgeable[] =>
  hits.map((n, i) => ({ bucket: `b${i}`, rate: { hits: n, of }, runs: of }));
const outs = (series: Judgeable[]) => controlLimits(series).points.map(({ out }) => out);

describe("control limits", () => {
  it("judge nothing before there are enough earlier buckets", () => {
    const { points, left_limits_at } = controlLimits(buckets([0, 90, 0]));
    expect(points.map(({ centre, limits, out }) => [centre, limits, out])).toEqual(
      Array.from({ length: EARLIER_BUCKETS_MIN }, () => [null, null, null]),
    );
    expect(left_limits_at).toBeNull();
  });

  it("are centred on the pooled earlier buckets, and reach three sigma", () => {
    const { points } = controlLimits(buckets([10, 10, 10, 12]));
    const likely = 32 / 304;
    const reach = 3 * Math.sqrt(likely * (1 - likely) * (1 / 100 + 1 / 300));
    expect(points[3]?.centre).toBeCloseTo(0.1, 12);
    expect(points[3]?.limits?.[0]).toBe(0);
    expect(points[3]?.limits?.[1]).toBeCloseTo(0.1 + reach, 12);
  });

  it("pool by count, not by bucket", () => {
    const series = [...buckets([10, 10], 20), ...buckets([0], 960), ...buckets([1], 20)];
    expect(controlLimits(series).points[3]?.centre).toBeCloseTo(20 / 1000, 12);
  });

  it("say where a lasting step began, and keep saying so", () => {
    const steady = [7, 8, 6, 7, 9, 7];
    const series = buckets([...steady, ...Array.from({ length: 30 }, () => 25)]);
    const { points, left_limits_at } = controlLimits(series);
    expect(left_limits_at).toEqual({ bucket: "b6", direction: "above" });
    expect(points.slice(6).every(({ out }) => out === "above")).toBe(true);
    expect(points.at(-1)?.centre).toBeCloseTo(44 / 600, 12);
  });

  it("forget a streak that ended, and tell worse from better", () => {
    expect(controlLimits(buckets([7, 8, 6, 7, 30, 7])).left_limits_at).toBeNull();
    expect(controlLimits(buckets([50, 52, 49, 51, 10])).left_limits_at).toEqual({
      bucket: "b4",
      direction: "below",
    });
    const turned = controlLimits(buckets([50, 52, 49, 51, 90, 10, 10]));
    expect(turned.left_limits_at).toEqual({ bucket: "b5", direction: "below" });
  });

  it("pass over thin buckets and gaps without ending a streak", () => {
    const thin = { bucket: "thin", rate: { hits: 19, of: 19 }, runs: 19 };
    const gap = { bucket: "gap", rate: { hits: 0, of: 0 }, runs: 0 };
    const idle = { bucket: "idle", rate: { hits: 0, of: 0 }, runs: 40 };
    const { points, left_limits_at } = controlLimits([...buckets([7, 8, 6, 30]), thin, gap, idle]);
    expect(left_limits_at).toEqual({ bucket: "b3", direction: "above" });
    expect(points.slice(4).map(({ limits, out }) => [limits, out])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect(points.at(-1)?.centre).toBeCloseTo(21 / 300, 12);
    // Nor do they enter a centre line.
    expect(controlLimits([thin, thin, thin, ...buckets([5])]).points[3]?.centre).toBeNull();
  });

  it("are not fooled by a first failure after none", () => {
    expect(outs(buckets([0, 0, 0, 1], 25))).toEqual([null, null, null, null]);
    expect(outs(buckets([0, 0, 0, 12], 25)).at(-1)).toBe("above");
  });

  it("widen where buckets vary more than a binomial does", () => {
    // Rates of 5 to 9 % over thousands of calls: for a binomial every other bucket would be an alarm.
    const calls = [250, 450, 300, 420, 260, 440, 310, 430];
    expect(outs(buckets(calls, 5000)).every((out) => out === null)).toBe(true);
    expect(outs(buckets([...calls, 1500], 5000)).at(-1)).toBe("above");
  });

  it("stay within 0 and 1 at the ends", () => {
    const { points } = controlLimits([...buckets([100, 100, 100, 100]), ...buckets([0, 0])]);
    for (const { limits } of points) {
      if (limits === null) continue;
      expect(limits[0]).toBeGreaterThanOrEqual(0);
      expect(limits[1]).toBeLessThanOrEqual(1);
    }
  });
});
