import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ensureDemoStore } from "#lib/demo/write-store.io.ts";
import { runDoctor } from "#lib/doctor/doctor.io.ts";
import { controlLimits } from "#lib/health/control.ts";
import { configChanges } from "#lib/health/markers.ts";
import { healthReport } from "#lib/health/report.ts";
import { seriesByModel } from "#lib/health/series.ts";
import { healthText } from "#lib/health/text.ts";
import { settingsFrom } from "#lib/settings.ts";
import { discoverSources } from "#lib/sources/discover.io.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { Scan } from "#lib/sources/source.ts";

const DAY = 86_400_000;

/** The sample of the specification, to the letter. */
const BLOCK = `412 run(s) across 188 session(s), last 30 day(s)

  stop cause      completed 380 · max_turns 21 · loop 6 · interrupted 5
  ended on a failed call   17 (4.1%)
  tool calls      3162 · errors 233 (7.4%) · denied 41 · staged 12
  malformed args 9 · blocked sends 2 · compactions 61

by model
  heron-70b                    `;

let home: string;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "mecha-demo-reports-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

// A Monday and a Saturday lay the store out most differently.
describe.each(["2026-11-30T00:00:00Z", "2026-12-05T23:59:59Z"])("made at %s", (instant) => {
  const now = Date.parse(instant);
  const place = () => path.join(home, instant);
  const scanSince = (days: number): Promise<Scan> =>
    scanRuns(
      { kind: "mecha", place: path.join(place(), "sessions") },
      { since_ms: now - days * DAY, as_of_ms: now },
    );
  beforeAll(() => ensureDemoStore(place(), now).then(() => undefined));

  test("sessions health --days 30 prints the sample", async () => {
    const window = {
      days: 30,
      since: new Date(now - 30 * DAY).toISOString(),
      limit: null,
      zone: "UTC",
      as_of: instant,
    };
    const text = healthText(healthReport([await scanSince(30)], window));
    expect(text.slice(0, BLOCK.length)).toBe(BLOCK);
    expect(text).toMatch(
      / {2}wren-14b {21} 151 run\(s\) {3}tool errors {2}27\.8% {3}ended on failure {3}7\.3%/,
    );
    expect(text).toMatch(/cost {12}≥ \$\d+\.\d\d · 261 of 412 run\(s\) priced \(a lower bound\)/);
    expect(text).not.toContain("left out");
    // Dollars depend on the day; every other line of the tour's first output does not.
    expect(readFileSync("README.md", "utf8")).toContain(text.slice(0, text.indexOf("≥")));
  });

  test("the doctor finds the model and each ill trigger, and nothing else", async () => {
    const parsed = settingsFrom(
      { MECHA_HOME: place(), MECHA_SOURCES: "mecha" },
      { osHome: place(), cwd: place(), systemZone: "UTC" },
    );
    if (!parsed.ok) throw new Error(parsed.problem);
    const report = await runDoctor(parsed.value, await discoverSources(parsed.value, null), {
      as_of_ms: now,
      scan: scanRuns,
    });
    expect(report.findings.map(({ id }) => id)).toEqual([
      "runs/tool_error_rate/recorded/wren-14b",
      "triggers/tool_error_rate/dependency-watch",
      "triggers/missed_slots/feed-check",
      "triggers/did_no_work/inbox-digest",
      "triggers/last_run_failed/restore-drill",
    ]);
    const ill = report.triggers.filter(({ finding_ids }) => finding_ids.length > 0);
    expect(ill.map(({ name }) => name)).toEqual([
      "dependency-watch",
      "feed-check",
      "inbox-digest",
      "restore-drill",
    ]);
    expect(report.triggers).toHaveLength(6);
  });

  test("wren-14b left its limits at the switch, and that is when the model changed", async () => {
    const { runs } = await scanSince(90);
    const bounds = { per: "week", zone: "UTC", from_ms: now - 90 * DAY, to_ms: now } as const;
    const left = seriesByModel(runs, { ...bounds, metric: "tool_error_rate" }).map(({ model, points }) => [
      model,
      controlLimits(points).left_limits_at,
    ]);
    expect(left).toEqual([
      ["heron-70b", null],
      ["wren-14b", { bucket: expect.stringMatching(/W4[89]/), direction: "above" }],
    ]);
    const switched = configChanges(runs).filter(({ key, kind }) => key === "model" && kind === "switched");
    expect(switched.map(({ to }) => to)).toEqual(["wren-14b"]);
    expect((now - Date.parse(switched[0]?.at ?? "")) / DAY).toBeLessThan(9);
  });
});
