import { describe, expect, it } from "vitest";
import { healthJson } from "#lib/health/json.ts";
import { healthReport, type Window } from "#lib/health/report.ts";
import { tallyRuns } from "#lib/health/tally.ts";
import { healthText, sortedCauses } from "#lib/health/text.ts";
import type { Scan } from "#lib/sources/source.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

const window: Window = { days: null, since: null, limit: null, zone: "UTC", as_of: "2026-11-30T10:00:00Z" };
const days30: Window = { ...window, days: 30, since: "2026-10-31T10:00:00Z" };

const report = (scans: Scan[], within = window) => healthReport(scans, within);
const lines = (scans: Scan[], within = window) => healthText(report(scans, within)).split("\n");
const json = (scans: Scan[], within = window) => healthJson(report(scans, within)) as Record<string, unknown>;

/** Runs that add up to the block that the format is shown by. */
function sampleRuns(): RunRow[] {
  const causes = { completed: 380, max_turns: 21, loop: 6, interrupted: 5 } as const;
  const runs = Object.entries(causes).flatMap(([cause, n]) =>
    Array.from({ length: n }, () => aRun({ stop_cause: cause as keyof typeof causes })),
  );
  runs.forEach((run, i) => {
    run.session_id = `s${i % 188}`;
    run.ended_on_failed_call = i < 17;
  });
  const calls = { tool_calls: 3162, tool_errors: 233, tool_denied: 41, tool_staged: 12 };
  Object.assign(runs[0] ?? {}, calls, { malformed_tool_args: 9, blocked_sends: 2, compactions: 61 });
  return runs;
}

describe("the text of health", () => {
  it("is the known block for one store and one model, and nothing else", () => {
    expect(lines([aScan(sampleRuns())], days30)).toEqual([
      "412 run(s) across 188 session(s), last 30 day(s)",
      "",
      "  stop cause      completed 380 · max_turns 21 · loop 6 · interrupted 5",
      "  ended on a failed call   17 (4.1%)",
      "  tool calls      3162 · errors 233 (7.4%) · denied 41 · staged 12",
      "  malformed args 9 · blocked sends 2 · compactions 61",
    ]);
  });

  it("names the window only when there is one", () => {
    expect(lines([aScan([aRun()])])[0]).toBe("1 run(s) across 1 session(s)");
  });

  it("counts the sessions that were read, those without a run included", () => {
    const scan = aScan([aRun()]);
    scan.coverage.sessions_read = 7;
    expect(lines([scan])[0]).toBe("1 run(s) across 7 session(s)");
  });

  it("counts a session once that switched its model in the middle", () => {
    const value = json([aScan([aRun({ model: "a" }), aRun({ model: "b", run: 2 })])]);
    expect(value).toMatchObject({ runs: 2, sessions: 1, by_model: [{ sessions: 1 }, { sessions: 1 }] });
  });

  it("orders stop causes by count, ties as the format lists them, unrecorded last of a tie", () => {
    const causes = ["loop", "interrupted", null, "completed", "no_output", "no_output", "max_turns"] as const;
    expect(sortedCauses(tallyRuns(causes.map((stop_cause) => aRun({ stop_cause }))))).toEqual([
      ["no_output", 2],
      ["completed", 1],
      ["max_turns", 1],
      ["interrupted", 1],
      ["loop", 1],
      ["unrecorded", 1],
    ]);
  });

  it("prints a dash where nothing was counted", () => {
    expect(lines([aScan([aRun({ stop_cause: "completed" })])])).toContain(
      "  tool calls      0 · errors 0 (—) · denied 0 · staged 0",
    );
  });

  it("shows hostile model names as what they are, in a column that a long one may leave", () => {
    const models = ["", "\u001b[2J\u202eevil", "x".repeat(40), "日本"].map((model) => aRun({ model }));
    const by = lines([aScan(models)]).filter((line) => line.includes(" run(s)   tool errors"));
    expect(by[0]).toMatch(/^ {2}\(no model\) /);
    expect(by[1]).toBe(
      "  \\u{1b}[2J\\u{202e}evil           1 run(s)   tool errors      —   ended on failure   0.0%",
    );
    expect(by[2]?.startsWith(`  ${"x".repeat(40)}    1 run(s)`)).toBe(true);
    // Each of the two takes two columns.
    expect(by[3]?.startsWith(`  日本${" ".repeat(24)}    1 run(s)`)).toBe(true);
  });

  it("flags a cost that leaves something out, and only such a one", () => {
    const whole = { cost_usd: 0.5, usage_complete: true };
    expect(lines([aScan([aRun(whole)])]).slice(-2)).toEqual([
      "",
      "  cost            $0.50 · 1 of 1 run(s) priced",
    ]);
    expect(lines([aScan([aRun(whole), aRun()])]).at(-1)).toBe(
      "  cost            ≥ $0.50 · 1 of 2 run(s) priced (a lower bound)",
    );
    expect(lines([aScan([aRun()])]).join()).not.toContain("cost");
  });

  it("says in one line what was left out, but not what the window asked to leave out", () => {
    const coverage = {
      ...emptyCoverage(),
      sessions_read: 3,
      sessions_cutoff: 9,
      lines_torn: 2,
      sessions_unreadable: 1,
    };
    expect(lines([aScan([aRun()], { coverage })]).at(-1)).toBe(
      "  left out        1 session(s) or folder(s) unreadable · 2 line(s) torn",
    );
    const quiet = { ...emptyCoverage(), sessions_read: 3, sessions_cutoff: 9 };
    expect(lines([aScan([aRun()], { coverage: quiet })]).join()).not.toContain("left out");
  });

  it("says where it looked when there is nothing, and prints no header", () => {
    const scan = aScan([], { coverage: { ...emptyCoverage(), sessions_read: 4 } });
    const text = lines([scan], days30);
    expect(text).toHaveLength(2);
    expect(text[0]).toContain("/home/ada/.mecha/sessions");
    expect(text[1]).toContain("4 session(s)");
    expect(lines([])[0]).toContain("none was found");
  });
});

describe("two provenances", () => {
  const derived = (what: Partial<RunRow> = {}) =>
    aRun({
      source: "claude-code",
      provenance: "derived",
      session_id: "u1",
      model: "m",
      tool_cancelled: 1,
      tool_staged: null,
      malformed_tool_args: null,
      blocked_sends: null,
      ...what,
    });
  const recordedScan = () => aScan([aRun({ tool_calls: 10, tool_errors: 1 })]);
  const derivedScan = () =>
    aScan([derived({ tool_calls: 10, tool_errors: 9 }), derived({ subagent: true, model: "small" })]);

  it("are two blocks, and no line blends them", () => {
    const text = lines([recordedScan(), derivedScan()], days30);
    expect(text[0]).toBe("recorded");
    expect(text).toContain("derived (worked out from Claude Code transcripts)");
    expect(text.filter((line) => line.startsWith("  tool calls"))).toEqual([
      "  tool calls      10 · errors 1 (10.0%) · denied 0 · staged 0",
      "  tool calls      10 · errors 9 (90.0%) · denied 0 · cancelled 1 · staged —",
    ]);
    expect(text.filter((line) => line.includes("run(s) across"))).toEqual([
      "1 run(s) across 1 session(s), last 30 day(s)",
      "1 run(s) across 1 session(s), last 30 day(s)",
    ]);
    expect(text.filter((line) => line.startsWith("  source "))).toHaveLength(2);
  });

  it("says so when there are only derived runs", () => {
    const text = lines([aScan([derived()])]);
    expect(text[0]).toBe("1 run(s) across 1 session(s)");
    expect(text).toContain("  malformed args — · blocked sends — · compactions 0");
    expect(text.at(-1)).toBe("  provenance      derived (worked out from Claude Code transcripts)");
  });

  it("keeps sub-agents out of every number but their own", () => {
    const text = lines([derivedScan()]);
    expect(text[0]).toBe("1 run(s) across 1 session(s)");
    expect(text.join("\n")).toContain("sub-agents (in none of the numbers above)\n  small");
    expect(lines([aScan([derived({ subagent: true })])])[0]).toBe("0 run(s) across 1 session(s)");
  });

  it("gives sums and no rate at the top of the JSON", () => {
    const value = json([recordedScan(), derivedScan()]);
    expect(value).toMatchObject({
      provenance: "mixed",
      runs: 2,
      tool_calls: 20,
      tool_errors: 10,
      tool_error_rate: null,
      ended_on_failed_call_rate: null,
      cut_short_rate: null,
      tool_cancelled: 1,
      by_provenance: [
        { provenance: "recorded", tool_error_rate: 0.1, tool_cancelled: null },
        { provenance: "derived", tool_error_rate: 0.9, tool_staged: null },
      ],
      by_model: [
        { provenance: "recorded", model: "m", tool_error_rate: 0.1 },
        { provenance: "derived", model: "m", tool_error_rate: 0.9 },
      ],
      subagents: [{ provenance: "derived", model: "small", runs: 1 }],
    });
  });
});

describe("the JSON of health", () => {
  it("has its keys in alphabetical order at every level", () => {
    const check = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      if (!Array.isArray(value)) expect(Object.keys(value)).toEqual(Object.keys(value).sort());
      Object.values(value).forEach(check);
    };
    check(json([aScan(sampleRuns())], days30));
  });

  it("carries window, coverage, sources and every count, and nothing that differs from run to run", () => {
    const scan = aScan(sampleRuns());
    const value = json([scan], days30);
    expect(value).toMatchObject({
      schema_version: 1,
      provenance: "recorded",
      window: {
        days: 30,
        since: "2026-10-31T10:00:00Z",
        limit: null,
        zone: "UTC",
        as_of: "2026-11-30T10:00:00Z",
      },
      stop_causes: { completed: 380, max_turns: 21, loop: 6, interrupted: 5 },
      cut_short: 27,
      tool_denied: 41,
      tool_staged: 12,
      malformed_tool_args: 9,
      blocked_sends: 2,
      sessions_read: 188,
      coverage: { sessions_read: 188, lines_torn: 0 },
      sources: [
        { source: { kind: "mecha" }, provenance: "recorded", runs: 412, coverage: { sessions_read: 188 } },
      ],
    });
    expect(json([{ ...scan, took_ms: 99 }], days30)).toEqual(value);
  });
});

type HealthVector = {
  rows: { model: string; stats: Partial<RunRow> }[];
  sessions_read: number;
  text_lines: string[];
  cost_line_values: { usd: string; priced: number; runs: number };
  json: Record<string, unknown>;
  empty_json: Record<string, unknown>;
};

describe.skipIf(sharedDir === null)(
  `health vectors${sharedDir === null ? ` (${sharedMissing})` : ""}`,
  () => {
    const none: HealthVector = {
      rows: [],
      sessions_read: 0,
      text_lines: [],
      cost_line_values: { usd: "", priced: 0, runs: 0 },
      json: {},
      empty_json: {},
    };
    const vectors = readVectors({ health: none, sort_stop_causes: { seed_example_order: [] as string[] } });
    const { health } = vectors;
    const coverage = { ...emptyCoverage(), sessions_read: health.sessions_read };
    const scan = aScan(
      health.rows.map(({ model, stats }) => aRun({ model, ...stats })),
      { coverage },
    );

    it("text", () => {
      const text = lines([scan], days30);
      expect(text.slice(0, health.text_lines.length)).toEqual(health.text_lines);
      const [blank, cost, ...rest] = text.slice(health.text_lines.length);
      expect([blank, rest]).toEqual(["", []]);
      const { usd, priced, runs } = health.cost_line_values;
      expect(cost).toContain(`$${usd} · ${priced} of ${runs} `);
    });

    it("json", () => {
      expect(json([scan], days30)).toMatchObject(health.json);
      expect(json([aScan([])])).toMatchObject(health.empty_json);
    });

    it("stop causes in the order of the sample", () => {
      expect(sortedCauses(tallyRuns(sampleRuns())).map(([cause]) => cause)).toEqual(
        vectors.sort_stop_causes.seed_example_order,
      );
    });
  },
);
