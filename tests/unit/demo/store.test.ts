import { describe, expect, test } from "vitest";
import { demoStore, midnightBefore } from "#lib/demo/store.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-30T09:41:00Z");

type Json = Record<string, unknown>;
type Block = {
  type: string;
  name?: string;
  content?: string;
  is_error?: boolean;
  input?: Json;
  id?: string;
  tool_use_id?: string;
};
type Session = {
  id: string;
  createdMs: number;
  records: Json[];
  runs: { model: string; outcome: Json; messages: Json[] }[];
};

/** A reader of its own, as plain as can be: what the store says must not depend on the reader under test elsewhere. */
function sessionsOf(nowMs: number): Session[] {
  return demoStore(nowMs)
    .filter(({ path }) => path.startsWith("sessions/"))
    .map(({ text }) => {
      const records = text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Json);
      const session: Session = {
        id: String(records[0]?.id),
        createdMs: Date.parse(String(records[0]?.created_at)),
        records,
        runs: [],
      };
      let model = "";
      let messages: Json[] = [];
      for (const record of records) {
        if (record.record === "meta" || record.record === "config") model = String(record.model);
        if (record.record === "message") messages.push(record);
        if (record.record !== "outcome") continue;
        session.runs.push({ model, outcome: record, messages });
        messages = [];
      }
      return session;
    });
}

const within = (sessions: Session[], nowMs: number) =>
  sessions.filter(({ createdMs }) => createdMs >= nowMs - 30 * DAY && createdMs <= nowMs);
const sum = (outcomes: Json[], key: string) =>
  outcomes.reduce((total, outcome) => total + Number(outcome[key]), 0);
const outcomesOf = (sessions: Session[]) =>
  sessions.flatMap(({ runs }) => runs.map(({ outcome }) => outcome));

function countsAt(sessions: Session[], nowMs: number): Json {
  const inside = within(sessions, nowMs);
  const outcomes = outcomesOf(inside);
  const causes: Record<string, number> = {};
  for (const { stop_cause } of outcomes) causes[String(stop_cause)] = (causes[String(stop_cause)] ?? 0) + 1;
  return {
    sessions: inside.length,
    runs: outcomes.length,
    causes,
    ended: sum(outcomes, "ended_on_failed_call"),
    calls: sum(outcomes, "tool_calls"),
    errors: sum(outcomes, "tool_errors"),
    denied: sum(outcomes, "tool_denied"),
    staged: sum(outcomes, "tool_staged"),
    malformed: sum(outcomes, "malformed_tool_args"),
    blocked: sum(outcomes, "blocked_sends"),
    compactions: sum(outcomes, "compactions"),
  };
}

const EXPECTED = {
  ...{ sessions: 188, runs: 412, ended: 17, calls: 3162, errors: 233, denied: 41, staged: 12 },
  causes: { completed: 380, max_turns: 21, loop: 6, interrupted: 5 },
  ...{ malformed: 9, blocked: 2, compactions: 61 },
};

describe("the last 30 days", () => {
  // Sessions cluster on working days, so each weekday lays them out differently; the last one crosses a clock change.
  const days = [
    "2026-11-30",
    "2026-12-01",
    "2026-12-02",
    "2026-12-03",
    "2026-12-04",
    "2026-12-05",
    "2026-12-06",
    "2024-03-01",
    "2026-03-31",
  ];
  test.each(days)("hold the same counts at every hour of %s and of the day after", (day) => {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    const sessions = sessionsOf(midnight + 1);
    for (const hours of [0, 0.01, 9.5, 23.99, 24, 47.99])
      expect(countsAt(sessions, midnight + hours * 3_600_000), `${hours} h`).toEqual(EXPECTED);
  });

  test("keep a full day clear of the edge", () => {
    const edge = midnightBefore(NOW) - 30 * DAY;
    expect(sessionsOf(NOW).filter(({ createdMs }) => Math.abs(createdMs - edge) < DAY)).toEqual([]);
  });
});

test("the same day gives the same bytes, another day other ones", () => {
  expect(demoStore(NOW)).toEqual(demoStore(NOW + 3_600_000));
  expect(demoStore(NOW + DAY)).not.toEqual(demoStore(NOW));
});

test("there are 60 more days of history, and nothing lies in the future", () => {
  const sessions = sessionsOf(NOW);
  const oldest = Math.min(...sessions.map(({ createdMs }) => createdMs));
  expect((midnightBefore(NOW) - oldest) / DAY).toBeGreaterThan(90);
  expect(sessions.every(({ createdMs }) => createdMs < midnightBefore(NOW))).toBe(true);
});

test("only wren-14b changes, and at the switch: from under 5 % of failed calls to more than a third", () => {
  const rate = (model: string, from: number, to: number) => {
    const outcomes = sessionsOf(NOW).flatMap(({ createdMs, runs }) => {
      const day = (createdMs - midnightBefore(NOW)) / DAY;
      return day >= from && day < to
        ? runs.filter((run) => run.model === model).map((run) => run.outcome)
        : [];
    });
    return sum(outcomes, "tool_errors") / sum(outcomes, "tool_calls");
  };
  for (const [from, to] of [
    [-91, -31],
    [-28, -7],
    [-7, 0],
  ] as const)
    expect(rate("heron-70b", from, to)).toBeLessThan(0.03);
  expect(rate("wren-14b", -91, -31)).toBeLessThan(0.05);
  expect(rate("wren-14b", -28, -7)).toBeLessThan(0.05);
  expect(rate("wren-14b", -7, 0)).toBeGreaterThan(1 / 3);
});

describe("what a transcript shows is what its outcome counts", () => {
  const runs = sessionsOf(NOW).flatMap((session) => session.runs.map((run) => ({ ...run, id: session.id })));
  const blocks = (messages: Json[]) => messages.flatMap(({ content }) => content as Block[]);

  test("calls, errors, denials, staged, malformed and blocked", () => {
    for (const { id, messages, outcome } of runs) {
      const all = blocks(messages);
      const results = all.filter(({ type }) => type === "tool_result");
      const refused = results.filter(({ content }) =>
        /^(Denied by the user|Blocked by policy):/.test(String(content)),
      );
      const calls = all.filter(({ type }) => type === "tool_use");
      expect({
        id,
        tool_calls: calls.length,
        tool_errors: results.filter(({ is_error }) => is_error).length - refused.length,
        tool_denied: refused.length,
        tool_staged: results.filter(({ content }) => String(content).startsWith("Staged in the outbox"))
          .length,
        malformed_tool_args: calls.filter(({ input }) => input && "__malformed_arguments" in input).length,
        blocked_sends: refused.filter(({ content }) => String(content).includes("nothing is sent out"))
          .length,
      }).toEqual({
        id,
        ...pick(outcome, [
          "tool_calls",
          "tool_errors",
          "tool_denied",
          "tool_staged",
          "malformed_tool_args",
          "blocked_sends",
        ]),
      });
    }
  });

  test("each result stands in the message after its call", () => {
    for (const { messages } of runs)
      for (const [i, message] of messages.entries()) {
        const asked = blocks([message])
          .filter(({ type }) => type === "tool_use")
          .map(({ id }) => id);
        const next = messages[i + 1];
        if (asked.length > 0)
          expect(blocks(next ? [next] : []).map(({ tool_use_id }) => tool_use_id)).toEqual(asked);
      }
  });

  test("turns, and a run that ended on a failed call did", () => {
    for (const { id, messages, outcome } of runs) {
      const replies = messages.filter(({ role }) => role === "assistant").length;
      const forced = ["max_turns", "loop"].includes(String(outcome.stop_cause)) ? 1 : 0;
      expect([id, replies - forced]).toEqual([id, outcome.turns]);
      const results = blocks(messages).filter(({ type }) => type === "tool_result");
      const last = results.findLast(
        ({ content }) => !/^(Denied by|Blocked by|Staged in)/.test(String(content)),
      );
      if (outcome.stop_cause === "completed")
        expect([id, last?.is_error ?? false]).toEqual([id, outcome.ended_on_failed_call]);
      else expect(outcome.ended_on_failed_call).toBe(false);
    }
  });

  test("a run at the ceiling spent as many turns as were configured, and no other did", () => {
    for (const { records } of sessionsOf(NOW)) {
      const ceiling = Number(records.find(({ record }) => record === "config")?.max_turns);
      for (const { stop_cause, turns } of records.filter(({ record }) => record === "outcome"))
        expect(Number(turns) >= ceiling).toBe(stop_cause === "max_turns");
    }
  });

  test("rewrites are compactions, and a loop repeats a call after one", () => {
    for (const { records } of sessionsOf(NOW)) {
      const rewrites = records.filter(({ record }) => record === "rewrite").length;
      expect(rewrites).toBe(
        sum(
          records.filter(({ record }) => record === "outcome"),
          "compactions",
        ),
      );
    }
    for (const { messages } of runs.filter(({ outcome }) => outcome.stop_cause === "loop")) {
      const [before, last] = blocks(messages)
        .filter(({ type }) => type === "tool_use")
        .slice(-2);
      expect([last?.name, last?.input]).toEqual([before?.name, before?.input]);
    }
  });
});

describe("triggers", () => {
  const files = demoStore(NOW);
  const ledger =
    files
      .find(({ path }) => path === "triggers/runs.jsonl")
      ?.text.trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Json) ?? [];
  const lastFive = (name: string) =>
    ledger
      .filter(({ trigger, status }) => trigger === name && ["ok", "error"].includes(String(status)))
      .slice(-5);

  test("the ledger is in order, and agrees with the sessions it names", () => {
    const sessions = new Map(sessionsOf(NOW).map((session) => [session.id, session]));
    expect(ledger.map(({ started_at }) => started_at)).toEqual(
      ledger.map(({ started_at }) => started_at).sort(),
    );
    for (const row of ledger.filter(({ status }) => status === "ok")) {
      const [run] = sessions.get(String(row.session_id))?.runs ?? [];
      expect(pick(row, ["tool_calls", "tool_errors", "ended_on_failed_call", "turns"])).toEqual(
        pick(run?.outcome ?? {}, ["tool_calls", "tool_errors", "ended_on_failed_call", "turns"]),
      );
    }
  });

  test("one fails its calls, one did nothing, one failed, one missed its slots, one is well", () => {
    const failing = lastFive("dependency-watch");
    expect(sum(failing, "tool_errors") / sum(failing, "tool_calls")).toBeGreaterThan(1 / 3);
    const digest = lastFive("inbox-digest");
    expect(digest.at(-1)).toMatchObject({ status: "ok", tool_calls: 0 });
    expect(sum(digest.slice(0, -1), "tool_calls")).toBeGreaterThanOrEqual(10);
    expect(lastFive("restore-drill").at(-1)?.status).toBe("error");
    expect(Date.parse(String(ledger.findLast(({ trigger }) => trigger === "feed-check")?.slot))).toBeLessThan(
      NOW - 3 * DAY,
    );
    const briefing = lastFive("morning-briefing");
    expect(sum(briefing, "tool_errors") / sum(briefing, "tool_calls")).toBeLessThan(1 / 3);
    expect(briefing.every(({ tool_calls }) => Number(tool_calls) > 0)).toBe(true);
  });
});

test("the store stays small", () => {
  expect(demoStore(NOW).reduce((bytes, { text }) => bytes + Buffer.byteLength(text), 0)).toBeLessThan(8e6);
});

function pick(from: Json, keys: string[]): Json {
  return Object.fromEntries(keys.map((key) => [key, from[key]]));
}
