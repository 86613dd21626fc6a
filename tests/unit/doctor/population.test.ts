import { describe, expect, it } from "vitest";
import { populationFindings, populationOf, slicesAt } from "#lib/doctor/population.ts";
import type { Scan } from "#lib/sources/source.ts";
import type { StopCause } from "#lib/transcript/record.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const findings = (scans: Scan[], as_of_ms = NOW) =>
  populationFindings(slicesAt(populationOf(scans), as_of_ms));
const times = (n: number, what: Partial<RunRow> = {}) => Array.from({ length: n }, () => aRun(what));
const ids = (scans: Scan[], as_of_ms = NOW) => findings(scans, as_of_ms).map(({ id }) => id);

/** `n` sessions of one run each, an hour apart, the newest an hour before now. */
const sessions = (n: number, what: Partial<RunRow> = {}, first = 0) =>
  Array.from({ length: n }, (_, i) =>
    aRun({
      ...what,
      session_id: `s${first + i}`,
      started_at: new Date(NOW - (first + i + 1) * 3_600_000).toISOString(),
    }),
  );

describe("the population checks", () => {
  it("report a model that ends a fifth of its runs on a failed call, with its numbers", () => {
    const [finding, ...rest] = findings([aScan([...times(4, { ended_on_failed_call: true }), ...times(16)])]);
    expect(rest).toEqual([]);
    expect(finding).toMatchObject({
      id: "runs/ended_on_failed_call/recorded/m",
      component: "runs",
      severity: "attention",
      summary: "m ends runs on a failed tool call: 20%",
      remedy: { argv: ["mecha", "sessions", "health", "--days", "30"], needs_terminal: false },
      evidence: { provenance: "recorded", model: "m", hits: 4, of: 20, rate: 0.2, threshold: 0.2, runs: 20 },
    });
    expect(finding?.detail).toContain("4 of 20 runs");
  });

  it("are silent just below each threshold and each floor", () => {
    expect(ids([aScan([...times(3, { ended_on_failed_call: true }), ...times(17)])])).toEqual([]);
    expect(ids([aScan(times(19, { ended_on_failed_call: true }))])).toEqual([]);
    expect(ids([aScan([...times(1, { tool_calls: 19, tool_errors: 19 }), ...times(19)])])).toEqual([]);
    expect(ids([aScan([...times(1, { tool_calls: 20, tool_errors: 5 }), ...times(19)])])).toEqual([
      "runs/tool_error_rate/recorded/m",
    ]);
    expect(ids([aScan([...times(4, { stop_cause: "max_turns" }), ...times(16)])])).toEqual([]);
    expect(ids([aScan(times(40, { stop_cause: "interrupted" }))])).toEqual([]);
  });

  it("never judge a blend: two models, or two provenances of one, are apart", () => {
    const bad = { tool_calls: 10, tool_errors: 9 };
    expect(
      ids([aScan([...times(15, { ...bad, model: "a" }), ...times(15, { ...bad, model: "b" })])]),
    ).toEqual([]);
    const derived = aScan(times(15, { ...bad, source: "claude-code", provenance: "derived" }));
    expect(ids([aScan(times(15, bad)), derived])).toEqual([]);
    const many = aScan(times(20, { ...bad, source: "claude-code", provenance: "derived" }));
    expect(findings([aScan(times(20, bad)), many]).map(({ id, summary }) => [id, summary])).toEqual([
      ["runs/tool_error_rate/recorded/m", "m fails its tool calls: 90%"],
      ["runs/tool_error_rate/derived/m", "m (derived) fails its tool calls: 90%"],
    ]);
  });

  it("leave sub-agents out, both as runs and as sessions", () => {
    expect(ids([aScan(times(30, { subagent: true, ended_on_failed_call: true }))])).toEqual([]);
    const main = sessions(20, { ended_on_failed_call: true }, 500);
    const agents = sessions(400, { subagent: true });
    expect(ids([aScan([...main, ...agents])])).toEqual(["runs/ended_on_failed_call/recorded/m"]);
    // An agent's runs may stand under the session that sent it.
    const sent = aScan(sessions(20, { subagent: true, ended_on_failed_call: true }));
    const own = aScan(sessions(20));
    const both = { ...own, runs: [...own.runs, ...sent.runs], sessions: [...own.sessions, ...sent.sessions] };
    expect(ids([both])).toEqual([]);
  });

  it("look at the newest 200 sessions of each source, in whatever order the scan has them", () => {
    const good = sessions(200);
    const bad = sessions(200, { ended_on_failed_call: true }, 200);
    const scan = aScan([...bad, ...good]);
    expect(ids([scan])).toEqual([]);
    expect(ids([{ ...scan, sessions: [...scan.sessions].reverse() }])).toEqual([]);
    // Each source has its own 200; taken together they are one population per provenance.
    expect(findings([aScan(good), aScan(bad)])[0]?.evidence).toMatchObject({ hits: 200, of: 400 });
  });

  it("place a session that stands in several files by the oldest of them", () => {
    const [run] = sessions(1);
    if (run === undefined) throw new Error("no run");
    const scan = aScan([run]);
    const [first] = scan.sessions;
    if (first === undefined) throw new Error("no session");
    const later = { ...first, created_at: new Date(NOW).toISOString() };
    for (const files of [
      [first, later],
      [later, first],
    ])
      expect(populationOf([{ ...scan, sessions: files }]).sources[0]?.sessions).toEqual([
        { id: "s0", ms: NOW - 3_600_000 },
      ]);
  });

  it("see only what was there at the instant asked for", () => {
    const good = sessions(200);
    const bad = sessions(200, { ended_on_failed_call: true }, 200);
    const scan = aScan([...good, ...bad]);
    expect(ids([scan], NOW - 201 * 3_600_000)).toEqual(["runs/ended_on_failed_call/recorded/m"]);
    expect(ids([scan], NOW - 1000 * 3_600_000)).toEqual([]);
    // A session that had begun may hold runs that had not.
    const late = times(20, { ended_on_failed_call: true });
    for (const run of late.slice(1)) run.started_at = "2026-11-20T00:00:00Z";
    expect(ids([aScan(late)], Date.parse("2026-11-19T00:00:00Z"))).toEqual([]);
    expect(ids([aScan(late)], Date.parse("2026-11-21T00:00:00Z"))).toHaveLength(1);
  });
});

type RunsVector = {
  name: string;
  runs: {
    count: number;
    model: string;
    ended?: boolean;
    calls?: number;
    errors?: number;
    cause?: StopCause;
  }[];
  findings: { model: string; kind: string; percent: string }[];
};

describe.skipIf(sharedDir === null)(
  `doctor run vectors${sharedDir === null ? ` (${sharedMissing})` : ""}`,
  () => {
    const { doctor_runs } = readVectors({ doctor_runs: { vectors: [] as RunsVector[] } });
    it.each(doctor_runs.vectors)("$name", ({ runs, findings: expected }) => {
      const rows = runs.flatMap(({ count, model, ended = false, calls = 0, errors = 0, cause = null }) =>
        times(count, {
          model,
          ended_on_failed_call: ended,
          tool_calls: calls,
          tool_errors: errors,
          stop_cause: cause,
        }),
      );
      const found = findings([aScan(rows)]);
      expect(found.map(({ id }) => id)).toEqual(
        expected.map(({ kind, model }) => `runs/${kind}/recorded/${model}`),
      );
      found.forEach(({ summary }, i) => {
        expect(summary).toContain(`: ${expected[i]?.percent}`);
        expect(summary).toContain(expected[i]?.model ?? "?");
      });
    });
  },
);
