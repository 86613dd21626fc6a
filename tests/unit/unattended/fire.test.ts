import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserError } from "#lib/errors.ts";
import { tryLock } from "#lib/process-lock.io.ts";
import { isoUtc } from "#lib/time.ts";
import { appendRow } from "#lib/trigger/append.io.ts";
import { parseLedger } from "#lib/trigger/ledger.ts";
import { parseTrigger, type Trigger } from "#lib/trigger/trigger.ts";
import type { Unattended } from "#lib/unattended/attempt.io.ts";
import { fireByHand, fireDue } from "#lib/unattended/fire.io.ts";
import { lockFile, readRunning, writeRunning } from "#lib/unattended/running.io.ts";
import { tick } from "#lib/unattended/tick.io.ts";
import { aLedgerRow } from "#tests/support/a-trigger.ts";
import { anAgent, aResult, parts, rowsIn, tickProgram, triggersFolder } from "./a-runner.ts";

let place: ReturnType<typeof triggersFolder>;
const children: ChildProcess[] = [];
beforeEach(() => {
  place = triggersFolder();
  mkdirSync(path.join(place.dir, "locks"), { recursive: true });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  place.remove();
});

/** A daily trigger whose newest slot has not run: the day before is accounted. */
function daily(name = "daily", more = ""): Trigger {
  const text = `schedule = "0 ${new Date(SLOT).getUTCHours()} * * *"\nprompt = "Look."\ntimezone = "UTC"\ncreated_at = "2026-08-01T00:00:00Z"\n${more}`;
  writeFileSync(path.join(place.dir, `${name}.toml`), text);
  const parsed = parseTrigger(name, text);
  if (!parsed.ok) throw new Error(parsed.problem);
  appendRow(place.dir, aLedgerRow({ trigger: name, slot_ms: SLOT - DAY }));
  return parsed.value;
}
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The newest slot of every trigger here. Half a day old: none comes while the tests run. */
const SLOT = (Math.floor(Date.now() / HOUR) - 12) * HOUR;
const schedule = { zone: "UTC", created_ms: 0 };
const fresh = () => rowsIn(place.dir).slice(1);
const noteIs = (slot_ms: number | null, pid: number, attempt = 1) =>
  writeRunning(place.dir, {
    ...{
      trigger: "daily",
      slot_ms,
      started_at: "2026-08-05T07:00:01Z",
      session_id: "20260805T070001-aaaaaaaa",
    },
    ...{ pid, attempt },
  });

function child(ms: number, at_ms = 0): ChildProcess {
  const started = spawn(process.execPath, ["--import", "tsx", tickProgram(place.dir, ms, at_ms)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(started);
  return started;
}
const wait = (ms: number) => new Promise<unknown[]>((resolve) => setTimeout(() => resolve([]), ms));
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(20);
}

describe("one run", () => {
  test("its row says how it went", async () => {
    const agent = anAgent(5);
    const fired = await fireDue(daily(), schedule, parts(place.dir, { launch: async () => agent }));
    expect(fired).toMatchObject({ trigger: "daily", busy: null });
    expect(fresh()).toEqual([
      aLedgerRow({
        trigger: "daily",
        slot_ms: SLOT,
        started_at: expect.any(String),
        started_ms: expect.any(Number),
        finished_at: expect.any(String),
        session_id: "20260805T091500-3f2a1b7c",
        turns: 2,
        cost_usd: 0.5,
        blocked_sends: 1,
        taint: { private: true, untrusted: false },
        summary: "All is well.",
      }),
    ]);
    expect(agent.closed).toBe(1);
    expect(readdirSync(path.join(place.dir, "locks"))).toEqual(["daily.lock"]);
    expect((await fireDue(daily(), schedule, parts(place.dir))).rows).toEqual([]);
  });

  test("a folder in the place of its note is one line, and no mistake of ours", async () => {
    const trigger = daily();
    mkdirSync(path.join(place.dir, "locks", "daily.json"), { recursive: true });
    const fired = fireDue(trigger, schedule, parts(place.dir, { launch: async () => anAgent(5) }));
    await expect(fired).rejects.toThrow(UserError);
    await expect(fired).rejects.toThrow(/daily\.json cannot be written/);
  });

  test("a failed provider is an error with the counts so far", async () => {
    const result = aResult({ failure: "connection refused\nmore", text: "" });
    const failed = { ...result, outcome: { ...result.outcome, stop_cause: null } };
    await fireDue(daily(), schedule, parts(place.dir, { launch: async () => anAgent(0, failed) }));
    expect(fresh()).toMatchObject([
      { status: "error", error: "connection refused", turns: 2, stop_cause: null, summary: "" },
    ]);
  });

  test.each<[string, Partial<Unattended>]>([
    [
      "cannot be launched",
      { launch: async () => Promise.reject(new UserError("bad_input", "no such provider")) },
    ],
    [
      "has no configuration",
      { request: async () => Promise.reject(new UserError("bad_input", "no such provider")) },
    ],
  ])("one that %s is an error, once", async (_, what) => {
    const { rows } = await fireDue(daily(), schedule, parts(place.dir, what));
    expect(rows).toMatchObject([{ status: "error", error: "no such provider", session_id: null, turns: 0 }]);
    expect((await fireDue(daily(), schedule, parts(place.dir, what))).rows).toEqual([]);
  });

  test("a mistake of our own is written down, thrown on, and frees the lock", async () => {
    const broken = parts(place.dir, {
      launch: async () => Promise.reject(new TypeError("x is not a function")),
    });
    await expect(fireDue(daily(), schedule, broken)).rejects.toThrow(TypeError);
    expect(fresh()).toMatchObject([{ status: "error", error: "x is not a function" }]);
    const lock = await tryLock(lockFile(place.dir, "daily"));
    expect(lock).not.toBeNull();
    lock?.release();
  });

  test("its timeout ends it as interrupted, which is no error", async () => {
    const slow = parts(place.dir, { launch: async () => anAgent(60_000) });
    await fireDue(daily("daily", 'timeout = "1s"\n'), schedule, slow);
    expect(fresh()).toMatchObject([{ status: "ok", stop_cause: "interrupted", turns: 2 }]);
  });

  test("one that does not stop when it is told to is given up as an error", async () => {
    const deaf = parts(place.dir, { launch: async () => anAgent(20_000, aResult(), false), stopMs: 200 });
    await fireDue(daily("daily", 'timeout = "1s"\n'), schedule, deaf);
    expect(fresh()).toMatchObject([
      { status: "error", error: expect.stringMatching(/told to stop .*1s.* 0\.2 s more/) },
    ]);
  });

  test("so does the end of this process", async () => {
    const stop = new AbortController();
    // From when it is under way: a slot is not begun any more by a process that is told to end.
    const launch = async () => {
      setTimeout(() => stop.abort(), 100);
      return anAgent(60_000);
    };
    const slow = parts(place.dir, { launch, signal: stop.signal });
    await fireDue(daily(), schedule, slow);
    expect(fresh()).toMatchObject([{ status: "ok", stop_cause: "interrupted" }]);
  });

  test("somebody who should be told and is not, skills that nobody has: both are said", async () => {
    const lines: string[] = [];
    const watch = () => ({
      onEvent: () => undefined,
      onNotice: (line: string) => lines.push(line),
      onAnswer: () => undefined,
    });
    const trigger = daily("daily", 'skills = ["brief"]\n[notify]\nmail = "ada@example.org"\n');
    await fireDue(trigger, schedule, parts(place.dir, { watch }));
    expect(fresh()[0]?.notify_error).toMatch(/sends nothing to anybody/);
    expect(lines).toEqual(["it lists skills (brief), which mecha has no use for"]);
  });
});

describe("missed slots", () => {
  test("the run of the newest is preceded by one row for the others", async () => {
    const trigger = daily();
    writeFileSync(path.join(place.dir, "runs.jsonl"), "");
    appendRow(place.dir, aLedgerRow({ trigger: "daily", slot_ms: SLOT - 4 * DAY }));
    await fireDue(trigger, schedule, parts(place.dir));
    const [first, last] = [SLOT - 3 * DAY, SLOT - DAY];
    expect(fresh()).toMatchObject([
      {
        status: "skipped-stale",
        slot_ms: last,
        error: `3 slots were missed, the first of them ${isoUtc(first)}; the run of ${isoUtc(SLOT)} makes up for it`,
      },
      { status: "ok", slot_ms: SLOT },
    ]);
  });

  test("too late is one row and no run", async () => {
    const trigger = { ...daily(), catch_up: "never" as const };
    writeFileSync(path.join(place.dir, "runs.jsonl"), "");
    appendRow(place.dir, aLedgerRow({ trigger: "daily", slot_ms: SLOT - DAY }));
    await fireDue(trigger, schedule, parts(place.dir));
    expect(fresh()).toMatchObject([
      {
        status: "skipped-stale",
        slot_ms: SLOT,
        error: expect.stringMatching(/^the slot of .* was missed; too late to run: catch_up is never$/),
      },
    ]);
  });
});

describe("one after the other", () => {
  test("a slot that comes while the one before still runs is skipped, once", async () => {
    const trigger = daily();
    const lock = await tryLock(lockFile(place.dir, "daily"));
    noteIs(SLOT - DAY, process.pid);
    const looks = await Promise.all([1, 2, 3].map(() => fireDue(trigger, schedule, parts(place.dir))));
    expect(looks.flatMap(({ rows }) => rows)).toMatchObject([{ status: "skipped-overlap", slot_ms: SLOT }]);
    expect(fresh()).toMatchObject([
      { status: "skipped-overlap", error: "the run that began at 2026-08-05T07:00:01Z was still going" },
    ]);
    lock?.release();
  });

  test.each<[string, () => void]>([
    ["the slot that is running is not skipped", () => noteIs(SLOT, process.pid)],
    ["nor is one of which nothing is noted yet", () => undefined],
    ["nor one whose note is that of a dead process", () => noteIs(SLOT - DAY, 2 ** 22 + 1)],
  ])("%s", async (_, note) => {
    const trigger = daily();
    const lock = await tryLock(lockFile(place.dir, "daily"));
    note();
    const fired = await fireDue(trigger, schedule, parts(place.dir));
    expect(fired.rows).toEqual([]);
    expect(fired.busy).not.toBeNull();
    lock?.release();
  });

  test("a run by hand has no slot, leaves the schedule alone, and waits for no other", async () => {
    const trigger = daily();
    const stop = new AbortController();
    const launch = async () => anAgent(60_000);
    const slow = fireByHand(trigger, parts(place.dir, { launch, signal: stop.signal }));
    await until(() => readRunning(place.dir, "daily") !== null);
    expect(await fireByHand(trigger, parts(place.dir))).toMatchObject({
      rows: [],
      busy: { since: expect.any(String) },
    });
    stop.abort();
    await slow;
    expect(fresh()).toMatchObject([{ manual: true, slot_ms: null, status: "ok" }]);
    await fireDue(trigger, schedule, parts(place.dir));
    expect(fresh()[1]).toMatchObject({ manual: false, slot_ms: SLOT });
  });
});

describe("processes side by side", () => {
  test("many that look at once run each slot once", async () => {
    const names = Array.from({ length: 12 }, (_, i) => `t${i}`);
    for (const name of names) daily(name);
    const at_ms = Date.now() + 4000;
    const looks = Array.from({ length: 4 }, () => child(0, at_ms));
    await Promise.all(looks.map((one) => once(one, "exit")));
    const rows = rowsIn(place.dir).filter(({ slot_ms }) => slot_ms === SLOT);
    expect(rows.map(({ trigger, status }) => `${trigger} ${status}`).sort()).toEqual(
      names.map((name) => `${name} ok`).sort(),
    );
  });

  test("a killed run is written down by the next look, and tried once more", async () => {
    daily();
    for (const round of [1, 2]) {
      const killed = child(60_000);
      await until(() => readRunning(place.dir, "daily")?.pid === killed.pid);
      await until(() => readRunning(place.dir, "daily")?.session_id !== null);
      killed.kill("SIGKILL");
      await once(killed, "exit");
      expect(fresh()).toHaveLength(round - 1);
    }
    const { fired } = await tick(parts(place.dir), { zone: "UTC", at_once: 1, onFired: () => undefined });
    expect(fired).toHaveLength(1);
    const lost = {
      status: "error",
      slot_ms: SLOT,
      session_id: "20260805T091500-3f2a1b7c",
      error: expect.stringMatching(/killed/),
    };
    expect(fresh()).toMatchObject([lost, lost]);
    expect(existsSync(path.join(place.dir, "locks", "daily.json"))).toBe(false);
    expect(
      (await tick(parts(place.dir), { zone: "UTC", at_once: 1, onFired: () => undefined })).fired,
    ).toEqual([]);
  });

  test("one that was killed after it had written its row is not written down again", async () => {
    const trigger = daily();
    const started_at = "2026-08-05T07:00:01Z";
    noteIs(SLOT, 2 ** 22 + 1);
    const row = { trigger: "daily", slot_ms: SLOT, started_at };
    appendRow(place.dir, aLedgerRow({ ...row, finished_at: "2026-08-05T07:00:02Z" }));
    expect((await fireDue(trigger, schedule, parts(place.dir))).rows).toEqual([]);
    // Nor is a lost one whose row was written by somebody who was killed before it could be run again.
    writeFileSync(path.join(place.dir, "runs.jsonl"), "");
    noteIs(SLOT, 2 ** 22 + 1);
    appendRow(place.dir, aLedgerRow({ ...row, status: "error" }));
    expect((await fireDue(trigger, schedule, parts(place.dir))).rows).toMatchObject([{ status: "ok" }]);
  });

  test("killed at any moment, no slot is lost, none runs to its end twice, and the ledger stays whole", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `t${i}`);
    for (const name of names) daily(name);
    for (let i = 0; i < 8; i += 1) {
      const at_ms = Date.now();
      // As long as it takes this process to look a few times: the kill shall find some of them under way.
      const looks = [child(60, at_ms), child(60, at_ms)];
      await Promise.race(looks.map((one) => once(one.stdout ?? one, "data")).concat(wait(300 + i * 37)));
      await until(
        () => rowsIn(place.dir).length > names.length + i * 4 || looks.every((one) => one.exitCode !== null),
      );
      for (const one of looks) one.kill("SIGKILL");
      await Promise.all(
        looks.map((one) => (one.exitCode === null && one.signalCode === null ? once(one, "exit") : null)),
      );
    }
    await tick(parts(place.dir), { zone: "UTC", at_once: 4, onFired: () => undefined });
    const { rows, coverage } = parseLedger(readFileSync(path.join(place.dir, "runs.jsonl")));
    expect(coverage).toMatchObject({ lines_bad: 0, lines_torn: 0, lines_not_utf8: 0 });
    const of = (name: string) => rows.filter((row) => row.trigger === name && row.slot_ms === SLOT);
    const lost = rows.filter(({ status }) => status === "error");
    expect(lost.length).toBeGreaterThan(0);
    for (const name of names) {
      const ended = of(name).filter(({ status }) => status === "ok").length;
      const killed = of(name).filter(({ status }) => status === "error").length;
      expect([name, ended, killed <= 2]).toEqual([name, killed === 2 ? 0 : 1, true]);
    }
  }, 90_000);

  test("one that was killed and is tried again can end well", async () => {
    const trigger = daily();
    noteIs(SLOT, 2 ** 22 + 1);
    await fireDue(trigger, schedule, parts(place.dir));
    expect(fresh()).toMatchObject([
      { status: "error", slot_ms: SLOT },
      { status: "ok", slot_ms: SLOT },
    ]);
  });

  test("a run by hand that was killed is written down and not repeated", async () => {
    const trigger = daily();
    appendRow(place.dir, aLedgerRow({ trigger: "daily", slot_ms: SLOT }));
    noteIs(null, 2 ** 22 + 1);
    await tick(parts(place.dir), { zone: "UTC", at_once: 1, onFired: () => undefined });
    expect(fresh().slice(1)).toMatchObject([{ status: "error", manual: true, slot_ms: null }]);
    expect(trigger.name).toBe("daily");
  });
});

describe("a look at all of them", () => {
  test("a file that cannot be used is a problem and stops no other", async () => {
    daily("good");
    writeFileSync(path.join(place.dir, "bad.toml"), "schedule = ");
    const looked = await tick(parts(place.dir), { zone: "UTC", at_once: 4, onFired: () => undefined });
    expect(looked.fired.map(({ trigger }) => trigger)).toEqual(["good"]);
    expect(looked.problems).toHaveLength(1);
  });

  test("without a readable ledger nothing is run", async () => {
    daily("good");
    const ledger = path.join(place.dir, "runs.jsonl");
    writeFileSync(path.join(place.dir, "kept"), readFileSync(ledger));
    rmSync(ledger);
    mkdirSync(ledger);
    const looked = await tick(parts(place.dir), { zone: "UTC", at_once: 4, onFired: () => undefined });
    expect(looked.fired).toEqual([]);
    expect(looked.problems).toMatchObject([{ place: ledger }]);
  });

  test("no folder is no trigger", async () => {
    const looked = await tick(parts(path.join(place.dir, "none")), {
      zone: "UTC",
      at_once: 4,
      onFired: () => undefined,
    });
    expect(looked).toEqual({ fired: [], problems: [] });
    expect(existsSync(path.join(place.dir, "none"))).toBe(false);
  });

  test("so many at once, and no more", async () => {
    for (const name of ["a", "b", "c", "d"]) daily(name);
    let running = 0;
    let most = 0;
    const launch = async () => {
      running += 1;
      most = Math.max(most, running);
      // The first one is not done before there is a second.
      await until(() => most > 1);
      const agent = anAgent(60);
      const close = async () => {
        running -= 1;
      };
      return { ...agent, close };
    };
    await tick(parts(place.dir, { launch }), { zone: "UTC", at_once: 2, onFired: () => undefined });
    expect(most).toBe(2);
    expect(rowsIn(place.dir).filter(({ slot_ms }) => slot_ms === SLOT)).toHaveLength(4);
  });
});
