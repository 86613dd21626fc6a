import { describe, expect, test } from "vitest";
import type { Finding } from "#lib/doctor/finding.ts";
import { EVENTS_MAX, type Known, planOf } from "#lib/notify/plan.ts";
import { inSight, type Sight, unreadablePlaces } from "#lib/notify/sight.ts";
import { finding } from "./a-finding.ts";

const SIGHT: Sight = {
  provenances: new Set(["recorded", "derived"]),
  unreadable: [],
  triggersDir: "/home/u/.mecha/triggers",
};
const RUNS = "runs/cut_short/recorded/m";

function known(findingId: string, newSentAt: number | null, resolvedSentAt: number | null = null): Known {
  return { findingId, newSentAt, resolvedSentAt, summary: `${findingId} stood` };
}

function told(findings: Finding[], before: Known[], sight = SIGHT) {
  const plan = planOf(findings, before, sight);
  return {
    new: plan.fresh.map(({ key }) => key),
    resolved: plan.resolved.map(({ key }) => key),
    held_back: plan.held_back,
  };
}

describe("what a target has not been told", () => {
  test("a finding once, and its end once", () => {
    expect(told([finding(RUNS)], [])).toEqual({ new: [RUNS], resolved: [], held_back: 0 });
    expect(told([finding(RUNS)], [known(RUNS, 5)])).toEqual({ new: [], resolved: [], held_back: 0 });
    expect(told([], [known(RUNS, 5)])).toEqual({ new: [], resolved: [RUNS], held_back: 0 });
    expect(told([], [known(RUNS, 5, 9)])).toEqual({ new: [], resolved: [], held_back: 0 });
    expect(told([finding(RUNS)], [known(RUNS, 5, 9)])).toEqual({ new: [RUNS], resolved: [], held_back: 0 });
  });

  test("a row of which nothing was sent counts for nothing", () => {
    expect(told([], [known(RUNS, null)])).toEqual({ new: [], resolved: [], held_back: 0 });
    expect(told([finding(RUNS)], [known(RUNS, null)]).new).toEqual([RUNS]);
  });

  test("the same id twice is one finding", () =>
    expect(told([finding(RUNS), finding(RUNS)], []).new).toEqual([RUNS]));

  test("the id of an event is the same when it is sent again, and another when it happens again", () => {
    const id = (before: Known[]) => planOf([finding(RUNS)], before, SIGHT).fresh[0]?.event_id;
    const end = (before: Known[]) => planOf([], before, SIGHT).resolved[0]?.event_id;
    expect(id([])).toBe(id([]));
    expect(
      new Set([
        id([]),
        id([known(RUNS, 1, 2)]),
        id([known(RUNS, 3, 4)]),
        end([known(RUNS, 1)]),
        end([known(RUNS, 3)]),
      ]).size,
    ).toBe(5);
  });

  test("a message is bounded: the new ones first, and what is left over is counted and comes next", () => {
    const many = Array.from({ length: EVENTS_MAX + 5 }, (_, n) => finding(`${RUNS}${n}`));
    const before = [known("runs/cut_short/recorded/gone", 1), known("store/unreadable/x", 1)];
    const first = planOf(many, before, SIGHT);
    expect(first.fresh).toHaveLength(EVENTS_MAX);
    expect(first.resolved).toHaveLength(0);
    expect(first.left_out).toEqual({ new: 5, resolved: 2 });
    const next = planOf(many, [...before, ...first.fresh.map(({ key }) => known(key, 2))], SIGHT);
    expect(next.fresh).toHaveLength(5);
    expect(next.resolved).toHaveLength(2);
    expect(next.left_out).toEqual({ new: 0, resolved: 0 });
  });
});

describe("what could not be seen is not called resolved", () => {
  const dir = SIGHT.triggersDir;
  const trigger = "triggers/last_run_failed/nightly";
  test.each<[string, string, Partial<Sight>, boolean]>([
    ["runs that were read", RUNS, {}, true],
    ["no run of that provenance", RUNS, { provenances: new Set(["derived"]) }, false],
    ["a store of sessions that cannot be read", RUNS, { unreadable: ["/mnt/sessions"] }, false],
    ["a trigger's file that cannot be read", RUNS, { unreadable: [`${dir}/other.toml`] }, true],
    ["a trigger that was removed", trigger, {}, true],
    [
      "a store of sessions that cannot be read, for a trigger",
      trigger,
      { unreadable: ["/mnt/sessions"] },
      true,
    ],
    ["the folder of triggers", trigger, { unreadable: [dir] }, false],
    ["the ledger", trigger, { unreadable: [`${dir}/runs.jsonl`] }, false],
    ["its own file", trigger, { unreadable: [`${dir}/nightly.toml`] }, false],
    ["another one's file", trigger, { unreadable: [`${dir}/other.toml`] }, true],
    ["a store that is back", "store/unreadable/x", { unreadable: ["y"] }, true],
  ])("%s", (_, id, sight, seen) => {
    expect(inSight(id, { ...SIGHT, ...sight })).toBe(seen);
    const held_back = seen ? 0 : 1;
    expect(told([], [known(id, 1)], { ...SIGHT, ...sight })).toEqual({
      new: [],
      resolved: seen ? [id] : [],
      held_back,
    });
  });

  test("the places come from the findings themselves", () => {
    const store = {
      ...finding("store/unreadable/x"),
      component: "store" as const,
      evidence: { place: "/x" },
    };
    expect(unreadablePlaces([finding(RUNS), store])).toEqual(["/x"]);
  });
});
