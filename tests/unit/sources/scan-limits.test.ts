import { describe, expect, it } from "vitest";
import { listSessions, scanRuns } from "#lib/sources/scan.io.ts";
import type { Limits } from "#lib/sources/source.ts";
import { metaLine, outcomeLine, scratchDir, writeSession } from "#tests/support/session-files.ts";

const DAY = 86_400_000;
const noon = Date.parse("2026-08-10T12:00:00Z");
const iso = (days: number) => new Date(noon - days * DAY).toISOString();

/** Ten sessions, one a day before noon; names and order of writing say nothing about their age. */
function store(): string {
  const dir = scratchDir();
  for (const days of [3, 0, 7, 1, 9, 5, 2, 8, 4, 6])
    writeSession(dir, `x${(days * 7) % 10}`, metaLine(`day-${days}`, iso(days)), outcomeLine(days));
  return dir;
}

async function scan(dir: string, limits: Partial<Limits>) {
  const { runs, sessions, coverage } = await scanRuns({ kind: "mecha", place: dir }, limits);
  const { sessions_read, sessions_capped, sessions_cutoff } = coverage;
  return {
    days: runs.map((run) => run.turns),
    ids: sessions.map(({ id }) => id),
    counts: [sessions_read, sessions_capped, sessions_cutoff],
  };
}

describe("limits of a scan", () => {
  it("reads the newest first, by the time in the header", async () => {
    const { days, ids } = await scan(store(), {});
    expect(days).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(ids).toEqual(days.map((day) => `day-${day}`));
  });

  it("stops at the cap, which only counts sessions inside the window", async () => {
    const dir = store();
    expect(await scan(dir, { sessions_max: 3 })).toMatchObject({ days: [0, 1, 2], counts: [3, 7, 0] });
    expect(await scan(dir, { sessions_max: 3, as_of_ms: noon - 4 * DAY })).toMatchObject({
      days: [4, 5, 6],
      counts: [3, 3, 4],
    });
    expect(await scan(dir, { sessions_max: 0 })).toMatchObject({ days: [], counts: [0, 10, 0] });
    expect(await scan(dir, { sessions_max: 99 })).toMatchObject({ counts: [10, 0, 0] });
  });

  it("keeps both edges of the window", async () => {
    const limits = { since_ms: noon - 6 * DAY, as_of_ms: noon - 2 * DAY };
    expect(await scan(store(), limits)).toMatchObject({ days: [2, 3, 4, 5, 6], counts: [5, 0, 5] });
    const narrower = { since_ms: limits.since_ms + 1, as_of_ms: limits.as_of_ms - 1 };
    expect(await scan(store(), narrower)).toMatchObject({ days: [3, 4, 5], counts: [3, 0, 7] });
  });

  it("orders sessions of one moment by their digits, then by id", async () => {
    const dir = scratchDir();
    const times = ["10:00:00.000001Z", "10:00:00Z", "10:00:00.0001Z", "10:00:00.000Z", "12:00:00+02:00"];
    for (const [index, time] of times.entries())
      writeSession(dir, `s${index}`, metaLine(`${index}`, `2026-08-05T${time}`));
    expect((await scan(dir, {})).ids).toEqual(["2", "0", "4", "3", "1"]);
  });

  it("counts a longer line than asked for, also in a list of headers", async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1), `{"record":"outcome","x":"${"y".repeat(200)}"}\n`);
    writeSession(dir, "b", metaLine("b".repeat(300)));
    const { coverage } = await scanRuns({ kind: "mecha", place: dir }, { line_bytes_max: 200 });
    expect(coverage).toMatchObject({ sessions_read: 1, sessions_unreadable: 1, lines_oversize: 2 });
    const list = await listSessions({ kind: "mecha", place: dir }, { line_bytes_max: 200 });
    expect(list.coverage).toMatchObject({ sessions_read: 1, sessions_unreadable: 1, lines_oversize: 1 });
  });
});

describe("listing sessions", () => {
  it("lists what began inside the limits, with all that the header says", async () => {
    const dir = store();
    const list = await listSessions(
      { kind: "mecha", place: dir },
      { sessions_max: 2, since_ms: noon - 5 * DAY },
    );
    expect(list.coverage).toMatchObject({ sessions_read: 2, sessions_capped: 4, sessions_cutoff: 4 });
    expect(list.sessions[0]).toEqual({
      source: "mecha",
      provenance: "recorded",
      id: "day-0",
      path: `${dir}/x0.jsonl`,
      created_at: "2026-08-10T12:00:00Z",
      provider: "local",
      model: "first",
      workspace: "/w",
      title: null,
      subagent: false,
      parent_id: null,
      bytes: metaLine("day-0", iso(0)).length + outcomeLine(0).length,
    });
  });
});

describe("copies of a session", () => {
  it("counts a run once that stands in two files, and each that stands in one", async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1), outcomeLine(2));
    writeSession(dir, "a-copy", metaLine("a"), outcomeLine(1));
    writeSession(dir, "a-went-on", metaLine("a"), outcomeLine(1), outcomeLine(3), outcomeLine(4));
    const { runs, coverage } = await scanRuns({ kind: "mecha", place: dir });
    expect(runs.map((run) => run.turns).sort()).toEqual([1, 2, 3, 4]);
    expect(coverage).toMatchObject({ sessions_read: 3, runs_duplicate: 2 });
  });
});

describe("stopping a scan", () => {
  it("rejects with the reason when its signal is aborted", async () => {
    const dir = store();
    const signal = AbortSignal.abort(new Error("enough"));
    await expect(scanRuns({ kind: "mecha", place: dir }, {}, { signal })).rejects.toThrow("enough");
  });

  it("says how far it is", async () => {
    const seen: [number, number][] = [];
    await scanRuns(
      { kind: "mecha", place: store() },
      {},
      { onProgress: (done, total) => seen.push([done, total]) },
    );
    expect(seen.at(-1)).toEqual([10, 10]);
  });
});
