import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRetentions, runDoctor } from "#lib/doctor/doctor.io.ts";
import { settingsFrom } from "#lib/settings.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import type { Limits, Scan, Source } from "#lib/sources/source.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
let home: string;
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), "mecha-doctor-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function settings() {
  const parsed = settingsFrom({}, { osHome: home, cwd: home, systemZone: "UTC" });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

const found = (kind: Source["kind"], place: string): FoundSource => ({
  source: { kind, place },
  found: true,
  problem: null,
});
const doctor = (sources: FoundSource[], scan: (source: Source, limits: Limits) => Promise<Scan>) =>
  runDoctor(settings(), sources, { as_of_ms: NOW, scan });

/** A scanner over rows, newest session first, that honours its cap as the real one does: sub-agents count as sessions. */
function scanner(rows: RunRow[], asked: number[] = []) {
  const whole = aScan(rows);
  return async (source: Source, limits: Limits): Promise<Scan> => {
    const max = limits.sessions_max ?? whole.sessions.length;
    asked.push(max);
    const sessions = whole.sessions.slice(0, max);
    const ids = new Set(sessions.map(({ id }) => id));
    const sessions_capped = whole.sessions.length - sessions.length;
    const coverage = { ...emptyCoverage(), sessions_read: sessions.length, sessions_capped };
    return { ...whole, source, sessions, runs: rows.filter((row) => ids.has(row.session_id)), coverage };
  };
}
const session = (i: number, what: Partial<RunRow> = {}) =>
  aRun({ session_id: `s${i}`, started_at: new Date(NOW - i * 60_000).toISOString(), ...what });

describe("the doctor", () => {
  it("reports on every store it can read, and on those it cannot", async () => {
    const triggers = path.join(home, ".mecha/triggers");
    mkdirSync(triggers, { recursive: true });
    writeFileSync(path.join(triggers, "a.toml"), 'schedule = "@daily"\nprompt = "p"\n');
    writeFileSync(path.join(triggers, "b.toml"), "oops");
    writeFileSync(
      path.join(triggers, "runs.jsonl"),
      '{"trigger":"a","started_at":"2026-11-29T00:00:00Z","status":"error"}\n',
    );
    const good = scanner(Array.from({ length: 20 }, (_, i) => session(i, { stop_cause: "loop" })));
    const sources: FoundSource[] = [
      { source: { kind: "mecha", place: "/file" }, found: true, problem: "is not a folder" },
      { source: { kind: "mecha", place: "/absent" }, found: false, problem: null },
      found("mecha", "/throws"),
      found("mecha", "/good"),
    ];
    const report = await doctor(sources, async (source, limits) => {
      if (source.place === "/throws") throw new Error("EIO: disk on fire");
      return good(source, limits);
    });
    expect(report.findings.map(({ summary }) => summary)).toEqual([
      "m has its runs cut short by the harness: 100%",
      "store unreadable: /file",
      "store unreadable: /throws",
      `store unreadable: ${path.join(triggers, "b.toml")}`,
      "trigger a: its most recent run failed",
    ]);
    expect(report.findings[2]?.detail).toContain("disk on fire");
    expect(report.triggers.map(({ name }) => name)).toEqual(["a"]);
  });

  it("counts a run once that stands in two stores", async () => {
    const scan = scanner(Array.from({ length: 12 }, (_, i) => session(i, { ended_on_failed_call: true })));
    const report = await doctor([found("mecha", "/moved"), found("mecha", "/kept")], scan);
    // Of twice as many runs something could be said.
    expect(report.findings).toEqual([]);
  });

  it("asks for no more than the newest 200 sessions, as of its instant", async () => {
    const limits: Limits[] = [];
    const scan = scanner(Array.from({ length: 900 }, (_, i) => session(i)));
    await doctor([found("mecha", "/s")], (source, one) => {
      limits.push(one);
      return scan(source, one);
    });
    expect(limits).toMatchObject([{ sessions_max: 200, as_of_ms: NOW, since_ms: null }]);
  });

  it("looks further where sub-agents fill the bound", async () => {
    const asked: number[] = [];
    const agents = Array.from({ length: 700 }, (_, i) => session(i, { subagent: true }));
    const main = Array.from({ length: 20 }, (_, i) => session(700 + i, { ended_on_failed_call: true }));
    const report = await doctor([found("mecha", "/s")], scanner([...agents, ...main], asked));
    expect(asked).toEqual([200, 400, 800]);
    expect(report.findings).toHaveLength(1);
  });

  it("stops looking further at some point", async () => {
    const asked: number[] = [];
    const agents = Array.from({ length: 20_000 }, (_, i) => session(i, { subagent: true }));
    await doctor([found("mecha", "/s")], scanner(agents, asked));
    expect(asked.at(-1)).toBe(6400);
  });
});

describe("what Claude Code's settings say about deleting", () => {
  const place = () => path.join(home, "claude/projects");
  const days = async (text: string | null) => {
    mkdirSync(place(), { recursive: true });
    const file = path.join(home, "claude/settings.json");
    if (text !== null) writeFileSync(file, text);
    return (await readRetentions([{ kind: "claude-code", place: place() }]))[0]?.cleanup_days;
  };

  it.each([
    ['{"cleanupPeriodDays": 365}', 365],
    ["{}", null],
    ['{"cleanupPeriodDays": "long"}', null],
    ['{"cleanupPeriodDays": -1}', null],
    ["[]", null],
    ["{oops", null],
    [null, null],
  ])("%s", async (text, expected) => {
    expect(await days(text)).toBe(expected);
  });

  it("are asked for Claude Code only", async () => {
    expect(await readRetentions([{ kind: "mecha", place: "/s" }])).toEqual([]);
  });

  it("take the notice away when nothing is deleted within the window", async () => {
    await days('{"cleanupPeriodDays": 365}');
    const scan = scanner([session(1, { source: "claude-code", provenance: "derived" })]);
    expect((await doctor([found("claude-code", place())], scan)).notices).toEqual([]);
    await days("{}");
    expect((await doctor([found("claude-code", place())], scan)).notices).toHaveLength(1);
  });
});
