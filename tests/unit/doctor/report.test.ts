import { describe, expect, it } from "vitest";
import type { DoctorReport, Finding } from "#lib/doctor/finding.ts";
import { type DoctorInput, doctorReport } from "#lib/doctor/report.ts";
import { findingHistory } from "#lib/doctor/since.ts";
import { doctorJson, doctorText } from "#lib/doctor/text.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { aLedgerRow, aTrigger, aTriggerStore } from "#tests/support/a-trigger.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const input = (what: Partial<DoctorInput> = {}): DoctorInput => ({
  scans: [],
  triggers: aTriggerStore(),
  as_of_ms: NOW,
  zone: "UTC",
  ...what,
});
const bad = (what: Partial<RunRow> = {}) =>
  Array.from({ length: 20 }, () => aRun({ ended_on_failed_call: true, ...what }));

describe("the report", () => {
  it("is healthy over nothing", () => {
    const report = doctorReport(input());
    expect(report).toEqual({ as_of: "2026-11-30T10:00:00Z", findings: [], notices: [], triggers: [] });
    expect(doctorText(report).split("\n")).toHaveLength(1);
    expect(doctorJson(report)).toEqual([]);
  });

  it("goes on when a store cannot be read, and says which", () => {
    const triggers = aTriggerStore([aTrigger({ catch_up: "never" })], [aLedgerRow({ status: "error" })]);
    triggers.problems.push({ place: "/t/broken.toml", problem: "broken.toml:1: oops" });
    const unreadable = aScan([], {
      coverage: { ...emptyCoverage(), sessions_unreadable: 3 },
      source: { kind: "mecha", place: "/s" },
    });
    const problems = [{ place: "/p", problem: "cannot be read: EACCES" }];
    const report = doctorReport(input({ scans: [aScan(bad()), unreadable], triggers, problems }));
    expect(report.findings.map(({ component, summary }) => `${component} ${summary}`)).toEqual([
      "runs m ends runs on a failed tool call: 100%",
      "store store unreadable: /p",
      "store store unreadable: /s",
      "store store unreadable: /t/broken.toml",
      "triggers trigger morning: its most recent run failed",
    ]);
    expect(report.triggers[0]?.finding_ids).toEqual(["triggers/last_run_failed/morning"]);
  });

  it("gives each finding an id of its own, the same the next time", () => {
    const triggers = aTriggerStore(
      [aTrigger({ name: "a" }), aTrigger({ name: "b" })],
      ["a", "b"].map((trigger) => aLedgerRow({ trigger, status: "error" })),
    );
    const make = () => doctorReport(input({ scans: [aScan([...bad(), ...bad({ model: "n" })])], triggers }));
    const ids = make().findings.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(make().findings.map(({ id }) => id)).toEqual(ids);
  });

  it("takes ledger rows of triggers that are gone for nobody's", () => {
    const triggers = aTriggerStore([], [aLedgerRow({ status: "error" })]);
    expect(doctorReport(input({ triggers })).findings).toEqual([]);
  });
});

describe("notices", () => {
  const claude = aScan([aRun({ source: "claude-code", provenance: "derived" })]);
  const { place } = claude.source;
  const notices = (what: Partial<DoctorInput>) => doctorReport(input({ scans: [claude], ...what })).notices;

  it("tell of a source that deletes within the window, and are no findings", () => {
    const report = doctorReport(input({ scans: [claude] }));
    expect(report.findings).toEqual([]);
    expect(report.notices[0]?.summary).toContain("after 30 days");
    expect(doctorText(report)).toMatch(/^healthy: .*\nnote: Claude Code deletes/);
    expect(doctorJson(report)).toEqual([]);
  });

  it("follow the window and what the source's own settings say", () => {
    expect(notices({ window_days: 29 })).toEqual([]);
    expect(notices({ window_days: null })).toHaveLength(1);
    expect(notices({ retentions: [{ place, cleanup_days: 99_999 }] })).toEqual([]);
    expect(notices({ window_days: 14, retentions: [{ place, cleanup_days: 14 }] })[0]?.summary).toContain(
      "after 14 days",
    );
    expect(notices({ retentions: [{ place: "/other", cleanup_days: 99_999 }] })).toHaveLength(1);
    expect(doctorReport(input({ scans: [aScan([aRun()])] })).notices).toEqual([]);
  });

  it("tell of sessions and ledger lines that could not be read", () => {
    const scan = aScan([aRun()], {
      coverage: { ...emptyCoverage(), sessions_read: 5, sessions_unreadable: 2 },
    });
    const triggers = aTriggerStore();
    triggers.ledger.coverage.lines_bad = 3;
    const said = doctorReport(input({ scans: [scan], triggers })).notices.map(({ summary }) => summary);
    expect(said).toEqual([
      "2 session(s) or folder(s) could not be read",
      "3 line(s) of the trigger ledger are no row",
    ]);
  });
});

describe("text and JSON", () => {
  const finding = (what: Partial<Finding>): Finding => ({
    id: "x",
    component: "runs",
    severity: "attention",
    summary: "s",
    detail: "one\ntwo",
    evidence: { of: 3 },
    ...what,
  });
  const report = (findings: Finding[]): DoctorReport => ({ as_of: "", findings, notices: [], triggers: [] });

  it("group by component, indent, and end with the totals", () => {
    const remedy = { description: "d", argv: ["mecha", "trigger", "run", "a"], needs_terminal: false };
    const findings = [
      finding({ component: "triggers", severity: "broken", remedy }),
      finding({}),
      finding({ component: "triggers" }),
    ];
    expect(doctorText(report(findings)).split("\n")).toEqual([
      "triggers:",
      "  [broken] s",
      "      one",
      "      two",
      "      remedy: mecha trigger run a",
      "  [attention] s",
      "      one",
      "      two",
      "runs:",
      "  [attention] s",
      "      one",
      "      two",
      "",
      "3 finding(s): 1 broken, 2 attention",
    ]);
  });

  it("marks the severity and nothing else where a terminal can show it", () => {
    const paint = { broken: (text: string) => `<${text}>`, attention: (text: string) => `(${text})` };
    const findings = [finding({ severity: "broken" }), finding({})];
    const painted = doctorText(report(findings), paint);
    expect(painted).toContain("  <[broken]> s\n");
    expect(painted).toContain("  ([attention]) s\n");
    expect(painted.replace(/[<>()]/g, "")).toBe(doctorText(report(findings)).replace(/[<>()]/g, ""));
  });

  it("keep the known keys in their order, with id and evidence behind them", () => {
    const remedy = { needs_terminal: false, argv: ["a"], description: "d" };
    const [value] = doctorJson(report([finding({ remedy })])) as object[];
    expect(JSON.stringify(value)).toBe(
      '{"component":"runs","severity":"attention","summary":"s","detail":"one\\ntwo","remedy":{"description":"d","argv":["a"],"needs_terminal":false},"id":"x","evidence":{"of":3}}',
    );
    expect(Object.keys((doctorJson(report([finding({})])) as object[])[0] ?? {})).not.toContain("remedy");
  });

  it("show a hostile model name as what it is", () => {
    const text = doctorText(
      doctorReport(input({ scans: [aScan(bad({ model: "\u001b[31m\u202ex\nruns:" }))] })),
    );
    expect(text).toContain("  [attention] \\u{1b}[31m\\u{202e}x\\u{a}runs: ends runs");
  });
});

describe("since when", () => {
  const DAY = 86_400_000;
  /** Sessions of one run each, `perDay` of them on each of the days before now from `first` to `last`. */
  const daily = (first: number, last: number, perDay: number, what: Partial<RunRow>) =>
    Array.from({ length: (first - last) * perDay }, (_, i) => {
      const ms = NOW - first * DAY + Math.floor(i / perDay) * DAY + (i % perDay) * 1000;
      return aRun({ ...what, session_id: `${first}-${i}`, started_at: new Date(ms).toISOString() });
    });
  const history = (what: Partial<DoctorInput>) => {
    const asked = input(what);
    return findingHistory(asked, doctorReport(asked).findings);
  };

  it("dates a finding to the end of the day on which it began to stand", () => {
    const rows = [...daily(80, 10, 2, {}), ...daily(10, 0, 20, { ended_on_failed_call: true })];
    const { standing, resolved } = history({ scans: [aScan(rows)] });
    expect(resolved).toEqual([]);
    // 40 of the newest 180 at the end of the second bad day: 22 %.
    expect(standing).toMatchObject([{ since: "2026-11-21T23:59:59.999Z", or_earlier: false, is_new: false }]);
  });

  it("tells a new finding from an old one, and one that is older than the days looked at", () => {
    const fresh = [...daily(60, 1, 1, {}), ...daily(1, 0, 40, { ended_on_failed_call: true })];
    expect(history({ scans: [aScan(fresh)] }).standing).toMatchObject([
      { is_new: true, since: "2026-11-29T23:59:59.999Z" },
    ]);
    const today = [...daily(60, 1, 1, {}), ...daily(0.2, -0.8, 40, { ended_on_failed_call: true })];
    expect(history({ scans: [aScan(today)] }).standing).toMatchObject([
      { is_new: true, since: "2026-11-30T10:00:00Z" },
    ]);
    const old = daily(200, 0, 1, { ended_on_failed_call: true });
    expect(history({ scans: [aScan(old)] }).standing).toMatchObject([{ or_earlier: true, is_new: false }]);
  });

  it("lists what was resolved, as it last stood", () => {
    const rows = [...daily(40, 20, 5, { ended_on_failed_call: true }), ...daily(20, 0, 30, {})];
    const { standing, resolved } = history({ scans: [aScan(rows)] });
    expect(standing).toEqual([]);
    expect(resolved).toHaveLength(1);
    expect(resolved[0]?.finding.id).toBe("runs/ended_on_failed_call/recorded/m");
    expect(Date.parse(resolved[0]?.resolved_at ?? "")).toBeGreaterThan(Date.parse(resolved[0]?.since ?? ""));
  });

  it("dates a trigger's findings to the run, and missed slots to the slot", () => {
    const run = (day: string, what: object) =>
      aLedgerRow({ started_at: `2026-11-${day}T07:00:00Z`, ...what });
    const failing = [run("25", {}), run("26", { status: "error" }), run("27", { status: "error" })];
    const trigger = aTrigger({ catch_up: "never" });
    expect(history({ triggers: aTriggerStore([trigger], failing) }).standing).toMatchObject([
      {
        finding: { id: "triggers/last_run_failed/morning" },
        since: "2026-11-26T07:00:00Z",
        or_earlier: false,
      },
    ]);
    const mended = [...failing, run("28", {})];
    expect(history({ triggers: aTriggerStore([trigger], mended) })).toMatchObject({
      standing: [],
      resolved: [{ since: "2026-11-26T07:00:00Z", resolved_at: "2026-11-28T07:00:00Z" }],
    });
    const stuck = [run("20", { slot_ms: Date.parse("2026-11-20T07:00:00Z") })];
    expect(history({ triggers: aTriggerStore([aTrigger()], stuck) }).standing).toMatchObject([
      { finding: { id: "triggers/missed_slots/morning" }, since: "2026-11-23T07:00:00Z", is_new: false },
    ]);
  });

  it("lists the newest resolution first, and none from before the days looked at", () => {
    const names = ["a", "b", "long-ago"];
    const spell = (trigger: string, failed: string, mended: string) => [
      aLedgerRow({ trigger, started_at: `${failed}T06:00:00Z` }),
      aLedgerRow({ trigger, started_at: `${failed}T07:00:00Z`, status: "error" }),
      aLedgerRow({ trigger, started_at: `${mended}T07:00:00Z` }),
    ];
    const triggers = aTriggerStore(
      names.map((name) => aTrigger({ name, catch_up: "never" })),
      [
        ...spell("long-ago", "2026-08-10", "2026-08-11"),
        ...spell("a", "2026-11-20", "2026-11-21"),
        ...spell("b", "2026-11-22", "2026-11-23"),
      ],
    );
    expect(history({ triggers }).resolved.map(({ resolved_at }) => resolved_at)).toEqual([
      "2026-11-23T07:00:00Z",
      "2026-11-21T07:00:00Z",
    ]);
  });

  it("does not call new what stood at the first run that is known, however late that was", () => {
    const triggers = aTriggerStore([aTrigger({ catch_up: "never" })], [aLedgerRow({ status: "error" })]);
    expect(history({ triggers }).standing).toMatchObject([
      { since: "2026-11-30T07:00:01Z", or_earlier: true, is_new: false },
    ]);
  });

  it("looks back over the last five hundred runs of a trigger", () => {
    const rows = Array.from({ length: 600 }, (_, i) =>
      aLedgerRow({ started_at: new Date(NOW - (600 - i) * 3_600_000).toISOString(), status: "error" }),
    );
    const triggers = aTriggerStore([aTrigger({ catch_up: "never" })], rows);
    const standing = history({ triggers }).standing.map(({ since, or_earlier }) => ({ since, or_earlier }));
    expect(standing[0]).toEqual({ since: "2026-11-09T14:00:00Z", or_earlier: true });
  });

  it("knows no date for a store that cannot be read", () => {
    const { standing } = history({ problems: [{ place: "/p", problem: "no" }] });
    expect(standing).toMatchObject([{ since: null, is_new: false }]);
  });

  it("answers for twenty-two thousand sessions without taking time with the square of them", () => {
    const rows = daily(90, 0, 245, { ended_on_failed_call: true });
    const asked = input({ scans: [aScan(rows)] });
    const { findings } = doctorReport(asked);
    const took = cpuTimer();
    expect(findingHistory(asked, findings).standing).toHaveLength(1);
    expect(took()).toBeLessThan(3000);
  });
});
