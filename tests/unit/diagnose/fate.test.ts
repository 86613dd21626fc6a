import { describe, expect, it } from "vitest";
import { changeKey } from "#lib/agent/change-key.ts";
import { calibration } from "#lib/diagnose/calibration.ts";
import { type Fate, type FateExperiment, type FateVerdict, fateOf } from "#lib/diagnose/fate.ts";
import type { Diagnosis, Proposal } from "#lib/diagnose/proposal.ts";
import { aDiagnosis } from "./a-diagnosis.ts";

const experiment = (over: Partial<FateExperiment>): FateExperiment => ({
  id: "e1",
  proposal_id: "p",
  change_key: changeKey("max_turns=60"),
  state: "running",
  created_ms: 1,
  verdict_id: null,
  ...over,
});
const verdict = (over: Partial<FateVerdict>): FateVerdict => ({
  id: "v1",
  change_key: changeKey("max_turns=60"),
  metric: "cut_short",
  outcome: "accept",
  prediction: "kept",
  measured_at: "2026-11-02T00:00:00Z",
  created_at: "2026-11-02T01:00:00Z",
  ...over,
});

describe("what became of a proposal", () => {
  const made = aDiagnosis({ id: "p", created_at: "2026-11-01T00:00:00Z" });

  it("is not known before anybody measures it", () => {
    expect(fateOf(made, [], [])).toEqual({ kind: "not_measured" });
    expect(fateOf(made, [experiment({ proposal_id: "other" })], [])).toEqual({ kind: "not_measured" });
  });

  it("is that it waits, runs, or was given up", () => {
    expect(fateOf(made, [experiment({ state: "queued" })], [])).toEqual({
      kind: "queued",
      experiment_id: "e1",
      state: "queued",
    });
    const twice = [experiment({ id: "old" }), experiment({ id: "new", state: "cancelled", created_ms: 2 })];
    expect(fateOf(made, twice, [])).toMatchObject({
      kind: "not_finished",
      experiment_id: "new",
      state: "cancelled",
    });
  });

  it("is the verdict of its own experiment, before that of another measurement", () => {
    const own = [experiment({ state: "done", verdict_id: "v2" }), experiment({ id: "e2", created_ms: 2 })];
    expect(
      fateOf(made, own, [verdict({}), verdict({ id: "v2", prediction: "missed", outcome: "reject" })]),
    ).toEqual({
      kind: "verdict",
      verdict_id: "v2",
      experiment_id: "e1",
      outcome: "reject",
      prediction: "missed",
    });
  });

  it("is the first verdict of exactly its change that was measured afterwards, the predicted counter first", () => {
    const later = verdict({ id: "later", created_at: "2026-11-03T00:00:00Z" });
    const passes = verdict({
      id: "passes",
      metric: null,
      prediction: null,
      created_at: "2026-11-01T12:00:00Z",
    });
    expect(fateOf(made, [], [later, passes, verdict({})])).toMatchObject({
      verdict_id: "v1",
      experiment_id: null,
    });
    expect(fateOf(made, [], [passes])).toMatchObject({ verdict_id: "passes", prediction: "unknown" });
    expect(fateOf(made, [], [verdict({ metric: "turns" })])).toMatchObject({ prediction: "unknown" });
  });

  it.each([
    ["of another change", { change_key: changeKey("max_turns=6") }],
    ["measured before it was made", { measured_at: "2026-10-31T23:59:59Z" }],
    ["written before it was made", { measured_at: null, created_at: "2026-10-31T00:00:00Z" }],
  ])("is not a verdict %s", (_, over) => {
    expect(fateOf(made, [], [verdict(over)])).toEqual({ kind: "not_measured" });
  });

  it("is not the verdict of another proposal's experiment", () => {
    expect(fateOf(made, [experiment({ proposal_id: "q", verdict_id: "v1" })], [verdict({})])).toEqual({
      kind: "not_measured",
    });
  });

  it("is not the verdict of its own experiment where another change was measured than the proposed one", () => {
    const other = { change_key: changeKey("max_turns=40") };
    const own = experiment({ ...other, state: "done", verdict_id: "v1" });
    expect(fateOf(made, [own], [verdict(other)])).toEqual({ kind: "not_measured" });
    expect(fateOf(made, [experiment(other)], [])).toEqual({ kind: "not_measured" });
  });

  it("is nothing where there is nothing to measure", () => {
    const declined = aDiagnosis({ reading: { kind: "declined", reason: "x" } });
    expect(fateOf(declined, [], [verdict({})])).toEqual({ kind: "nothing_to_measure" });
  });
});

describe("calibration", () => {
  const row = (
    verdict_id: string | null,
    prediction: "kept" | "missed" | "unknown",
    over: Partial<Diagnosis> = {},
    proposal: Partial<Proposal> = {},
  ) => {
    const diagnosis = aDiagnosis(over, proposal);
    const measured: Fate =
      verdict_id === null
        ? { kind: "not_measured" }
        : { kind: "verdict", verdict_id, experiment_id: null, outcome: "accept", prediction };
    return { diagnosis, fate: measured };
  };

  it("counts kept of kept and missed, in total and by class, metric and model", () => {
    const { total, by_class, by_metric, by_diagnostician } = calibration([
      row("v1", "kept"),
      row("v2", "missed"),
      row("v3", "unknown"),
      row(null, "kept"),
      row("v4", "kept", { model: "other" }, { class: "prose", metric: "turns" }),
      {
        diagnosis: aDiagnosis({ reading: { kind: "declined", reason: "x" } }),
        fate: { kind: "nothing_to_measure" },
      },
    ]);
    expect(total).toEqual({ key: "all", kept: { hits: 2, of: 3 }, proposals: 5, unknown: 1 });
    expect(by_class.map(({ key, kept }) => [key, kept.hits, kept.of])).toEqual([
      ["config", 1, 2],
      ["prose", 1, 1],
    ]);
    expect(by_metric.map(({ key, proposals }) => [key, proposals])).toEqual([
      ["cut_short", 4],
      ["turns", 1],
    ]);
    expect(by_diagnostician.map(({ key }) => key)).toEqual(["local/m", "local/other"]);
  });

  it("counts one measurement once for each who predicted the same", () => {
    const rows = [row("v1", "kept"), row("v1", "kept"), row("v1", "kept", { model: "other" })];
    expect(calibration(rows).total).toMatchObject({ kept: { hits: 2, of: 2 }, proposals: 3 });
  });

  it("keeps scripts apart", () => {
    const { total, scripted, by_class } = calibration([row("v1", "kept", { scripted: true })]);
    expect(total.proposals).toBe(0);
    expect(by_class).toEqual([]);
    expect(scripted.kept).toEqual({ hits: 1, of: 1 });
  });
});
