import { describe, expect, it } from "vitest";
import { weekChanges } from "#lib/review/changes.ts";
import { NOTHING_STORED } from "#lib/review/stored.ts";
import { plain } from "#lib/review/words.ts";
import { aProposal, aReview, aVerdict, aWeek, knownRuns, runsOn } from "./known.ts";

const said = (report: ReturnType<typeof aReview>) =>
  weekChanges(report).map(({ kind, tone, words }) => `${kind} ${tone}: ${plain(words)}`);

describe("what changed", () => {
  it("is told from the numbers, the worst first", () => {
    const stored = { ...NOTHING_STORED, verdicts: [aVerdict()], proposals: [aProposal()] };
    expect(said(aReview({ stored }))).toEqual([
      "limits worse: alpha: runs ended on a failed call rose above their limits: 50.0%, 12 of 24; the weeks before make 0.0% to 9.6% likely",
      "limits worse: alpha: tool errors rose above their limits: 60.0%, 72 of 120; the weeks before make 0.7% to 19.3% likely",
      "limits worse: alpha: runs cut short rose above their limits: 16.7%, 4 of 24; the weeks before make 0.0% to 9.6% likely",
      "verdict better: verdict ACCEPT on max_turns=40: better on the selection slice; predicted lower cut_short: kept",
      "setting neutral: alpha: max_turns 40 → 20 on 2026-11-23",
      "proposal neutral: 1 proposal made, 0 of them measured",
      "runs neutral: 27 runs in 2 sessions, 105 in the eight weeks before",
    ]);
  });

  it("is quiet where nothing was out, and says so only of what could be judged", () => {
    const calm = ["2026-11-02", "2026-11-09", "2026-11-16", "2026-11-23"].flatMap((day) =>
      runsOn(day, 25, { model: "m", tool_calls: 2 }),
    );
    expect(said(aReview({}, calm))).toEqual([
      "quiet neutral: no rate left its limits; no finding came or went, and no verdict was reached",
      "runs neutral: 25 runs in 1 session, 75 in the eight weeks before",
    ]);
    expect(said(aReview({}, runsOn("2026-11-23", 25, { model: "m" })))[0]).toContain(
      "no rate could be held against limits",
    );
  });

  it("names what got better: a fall below the limits, and a finding that is gone", () => {
    const weeks = ["2026-11-02", "2026-11-09", "2026-11-16"].flatMap((day) =>
      runsOn(day, 60, { model: "m", ended_on_failed_call: true }),
    );
    const report = aReview({}, [...weeks, ...runsOn("2026-11-24", 900, { model: "m" })]);
    expect(said(report).slice(0, 2)).toEqual([
      "limits better: m: runs ended on a failed call fell below their limits: 0.0%, 0 of 900; the weeks before make 97.5% to 100.0% likely",
      "finding better: no longer found: m ends runs on a failed tool call: 100%",
    ]);
  });

  it("says which model is new, and which one is gone once the week is over", () => {
    const rows = [...runsOn("2026-11-17", 4, { model: "old" }), ...runsOn("2026-11-24", 2, { model: "new" })];
    const whole = said(aReview({}, rows));
    expect(whole).toContain("model neutral: new: first runs in nine weeks, 2 of them");
    expect(whole).toContain("model neutral: old: no run, after 4 in the week before");
    const lasting = said(aReview({ week: aWeek("2026-W48", "UTC", "2026-11-26T00:00:00Z") }, rows));
    expect(lasting.join("\n")).not.toContain("old: no run");
    expect(lasting).toContain("runs neutral: 2 runs in 1 session so far, 4 in the eight weeks before");
  });

  it("says that a whole window is empty", () => {
    expect(said(aReview({}, []))).toEqual(["runs neutral: no run, and none in the eight weeks before"]);
  });

  it("is bounded, and says how much more there is", () => {
    const verdicts = Array.from({ length: 9 }, (_, n) => aVerdict({ change: `change ${n}` }));
    const lines = said(aReview({ stored: { ...NOTHING_STORED, verdicts } }, []));
    expect(lines.filter((line) => line.startsWith("verdict"))).toHaveLength(6);
    expect(lines).toContain("verdict better: 4 more verdicts");
  });

  it("tells less of each kind in a week of much news, until all of it has room", () => {
    const rows = Array.from({ length: 9 }, (_, n) => [
      ...knownRuns().map((run) => ({
        ...run,
        model: `${run.model}-${n}`,
        session_id: `${run.session_id}-${n}`,
      })),
      ...runsOn("2026-11-24", 22, { model: `new-${n}`, ended_on_failed_call: true }),
    ]).flat();
    const verdicts = Array.from({ length: 9 }, (_, n) => aVerdict({ change: `change ${n}` }));
    const lines = said(aReview({ stored: { ...NOTHING_STORED, verdicts } }, rows));
    expect(lines.length).toBeLessThanOrEqual(18);
    expect(lines).toContain("verdict better: 7 more verdicts");
    expect(lines).toContain("limits worse: 25 more rates left their limits");
  });

  it("keeps provenances apart", () => {
    const derived = runsOn("2026-11-24", 3, { model: "c", provenance: "derived", source: "claude-code" });
    expect(said(aReview({}, [...knownRuns(), ...derived])).at(-1)).toBe(
      "runs neutral: recorded: 27 runs in 2 sessions, 105 in the eight weeks before; derived: 3 runs in 1 session, 0 in the eight weeks before",
    );
  });
});
