import { describe, expect, it } from "vitest";
import { configChanges, type Marker } from "#lib/health/markers.ts";
import type { RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const day = (i: number) =>
  new Date(Date.UTC(2026, 8, 1, 9) + i * 3_600_000).toISOString().replace(".000", "");
/** One run an hour, under these settings. */
const runs = (configs: (RunConfig | null)[], what: Partial<RunRow> = {}) =>
  configs.map((config, i) =>
    aRun({ started_at: day(i), session_id: `s${String(i).padStart(5, "0")}`, config, ...what }),
  );
const times = <T>(n: number, value: T) => Array.from({ length: n }, () => value);
const brief = (markers: Marker[]) => markers.map(({ at, key, from, to, kind }) => [at, key, from, to, kind]);

describe("config changes", () => {
  it("date a clean switch to its first run", () => {
    const markers = configChanges(runs([...times(30, { max_turns: 20 }), ...times(30, { max_turns: 40 })]));
    expect(brief(markers)).toEqual([[day(30), "max_turns", 20, 40, "switched"]]);
    expect(markers[0]).toMatchObject({ provenance: "recorded", model: "m", earlier_left_out: 0 });
  });

  it("do not mark every run of two set-ups side by side", () => {
    const both = Array.from({ length: 400 }, (_, i) => ({ effort: i % 2 === 0 ? "low" : "high" }));
    expect(brief(configChanges(runs(both)))).toEqual([[day(1), "effort", "low", "high", "appeared"]]);
  });

  it("mark a value that appeared once, and one that came back for good", () => {
    const series = [
      ...times(30, { effort: "low" }),
      { effort: "max" },
      ...times(30, { effort: "low" }),
      ...times(30, { effort: "high" }),
      ...times(30, { effort: "low" }),
    ];
    expect(brief(configChanges(runs(series)))).toEqual([
      [day(30), "effort", "low", "max", "appeared"],
      [day(61), "effort", "low", "high", "switched"],
      [day(91), "effort", "high", "low", "switched"],
    ]);
  });

  it("follow versions that come quicker than any of them takes over", () => {
    const versions = Array.from({ length: 12 }, (_, i) => times(3, { harness_version: `1.0.${i}` })).flat();
    const markers = configChanges(runs(versions));
    expect(markers).toHaveLength(11);
    expect(markers[5]).toMatchObject({ from: "1.0.5", to: "1.0.6", kind: "appeared", at: day(18) });
  });

  it("mark a change of the model itself, and each model's settings apart", () => {
    const before = runs(times(20, { effort: "low" }), { model: "a" });
    const after = runs(times(20, { effort: "high" }), { model: "b" }).map((run, i) => ({
      ...run,
      started_at: day(20 + i),
    }));
    const markers = configChanges([...after, ...before]);
    expect(brief(markers)).toEqual([[day(20), "model", "a", "b", "switched"]]);
    expect(markers[0]?.model).toBeNull();
  });

  it("keep provenances apart and leave sub-agents out", () => {
    const recorded = runs(times(5, { effort: "low" }));
    const derived = runs(times(5, { effort: "high" }), { provenance: "derived" });
    const subagents = runs(times(5, { effort: "max" }), { subagent: true, model: "small" });
    expect(configChanges([...recorded, ...derived, ...subagents])).toEqual([]);
  });

  it("pass over runs that do not say, and tell null from absent", () => {
    const series: (RunConfig | null)[] = [
      { effort: null },
      null,
      {},
      { effort: "low" },
      {},
      null,
      { effort: null },
    ];
    expect(brief(configChanges(runs(series)))).toEqual([[day(3), "effort", null, "low", "appeared"]]);
  });

  it("are bounded, and say what went", () => {
    const many = Array.from({ length: 100 }, (_, i) => times(3, { harness_version: `v${i}` })).flat();
    const markers = configChanges(runs(many));
    expect(markers).toHaveLength(20);
    expect(markers.at(-1)).toMatchObject({ to: "v99", earlier_left_out: 79 });
  });

  it("take a key that is new in most runs for no setting", () => {
    const noise = Array.from({ length: 50 }, (_, i) => ({ system_prompt_sha: String(i) }));
    expect(configChanges(runs(noise))).toMatchObject([{ to: "49", earlier_left_out: 48 }]);
  });

  it("read fifty thousand rows without taking time with the square of them", () => {
    const configs = [
      { effort: "low", max_turns: 20 },
      { effort: "high", max_turns: 20 },
    ];
    const many = runs(Array.from({ length: 50_000 }, (_, i) => configs[i % 2] ?? null)).reverse();
    const took = cpuTimer();
    const markers = configChanges(many);
    expect(took()).toBeLessThan(3000);
    expect(brief(markers)).toEqual([[day(1), "effort", "low", "high", "appeared"]]);
  });
});
