import { describe, expect, it } from "vitest";
import { assemble, rawOf } from "#lib/verdict/assemble.ts";
import { parseDocument } from "#lib/verdict/parse-document.ts";
import { documentText } from "#lib/verdict/verify.ts";
import { aDocument, aRaw, cell, richDocument } from "./raw.ts";

describe("a verdict document", () => {
  it("says which episodes were scored, how, and on which slice", () => {
    const document = aDocument("+-======", "====");
    expect(document.judgement).toMatchObject({
      reason: "not_better_on_selection",
      selection: { wins: 1, losses: 1, ties: 6 },
      holdout: { wins: 0, losses: 0, ties: 4 },
    });
    const changed = document.episodes.filter((row) => row.case_change !== "same");
    expect(changed.map((row) => [row.outcome, row.case_change])).toEqual([
      ["win", "improved"],
      ["loss", "regressed"],
    ]);
    expect(document.case_set).toMatchObject({ episodes: 12, paired: 12 });
    expect(document.arms.baseline.cases).toEqual({ passed: 11, total: 12 });
  });

  it("lists what is not scored, with the reason, and scores it nowhere", () => {
    const raw = aRaw("++++++++", "====");
    const document = assemble({
      ...raw,
      episodes: [
        ...raw.episodes,
        { episode: "gone", baseline: cell(true, { work: 1000 }), candidate: null },
        { episode: "new", baseline: null, candidate: cell(false) },
        {
          episode: "fewer",
          baseline: cell(true, { runs: 5, passed: 5 }),
          candidate: cell(true, { runs: 3, passed: 3 }),
        },
      ],
    });
    const left = document.episodes.filter((row) => row.left_out !== null);
    expect(left.map((row) => [row.episode, row.left_out, row.outcome])).toEqual([
      ["fewer", "unequal_runs", null],
      ["gone", "baseline_only", null],
      ["new", "candidate_only", null],
    ]);
    expect(document.judgement).toMatchObject({ reason: "measured", work_baseline: 120, work_candidate: 120 });
    expect(document.case_set).toMatchObject({ episodes: 15, paired: 12 });
  });

  it("a case passes when all its runs do, and an errored run fails it", () => {
    const raw = aRaw("========", "====");
    const episodes = raw.episodes.map((one, i) =>
      i === 0 ? { ...one, candidate: cell(true, { runs: 1, errored: 1, passed: 0 }) } : one,
    );
    const document = assemble({ ...raw, episodes });
    expect(document.episodes.filter((row) => row.case_change === "regressed")).toHaveLength(1);
    expect(document.arms.candidate.coverage).toEqual({ scored: 11, errored: 1, not_scored: 0, total: 12 });
  });

  it("a case that passed four of five runs has not passed", () => {
    const episodes = aRaw("=", "").episodes.map((one) => ({
      ...one,
      baseline: cell(true, { runs: 5, passed: 5 }),
      candidate: cell(true, { runs: 5, passed: 4 }),
    }));
    const [row] = assemble({ ...aRaw("=", ""), episodes }).episodes;
    expect(row).toMatchObject({ outcome: "loss", case_change: "regressed", candidate: { cost: 1 } });
  });

  it("an arm that lost more than a tenth of its runs cannot be accepted", () => {
    const raw = aRaw("++++++++", "++++");
    const episodes = raw.episodes.map((one, i) =>
      i < 2 ? { ...one, baseline: cell(false, { errored: 1, passed: 0 }) } : one,
    );
    expect(assemble({ ...raw, episodes }).judgement).toMatchObject({
      reason: "runs_errored",
      rule: { numbers: { arm: "baseline", errored: 2, ran: 12 } },
    });
  });

  it("a counter is the mean over the finished runs, and case passes stand guard beside it", () => {
    const document = richDocument();
    expect(document.judgement.currency).toBe("turns");
    expect(document.judgement.passes?.selection).toEqual({ wins: 6, losses: 2, ties: 3 });
    expect(document.judgement.prediction).toBe("kept");
    const first = document.episodes.find((row) => row.episode === "case-1");
    expect(first?.candidate).toMatchObject({ values: [7.5, null], cost: 7.5 });
    const errored = document.episodes.find((row) => row.episode === "all-errored");
    expect(errored).toMatchObject({ left_out: "errored", outcome: null, case_change: "regressed" });
  });

  it("has the same bytes and id whatever the order of its episodes", () => {
    const raw = aRaw("+-======", "+===");
    const shuffled = { ...raw, episodes: [...raw.episodes].reverse() };
    expect(documentText(assemble(shuffled))).toBe(documentText(assemble(raw)));
  });

  it("has another id for any other measurement", () => {
    const raw = aRaw("+-======", "+===");
    const ids = [
      raw,
      { ...raw, created_at: "2026-11-30T12:00:01Z" },
      { ...raw, holdout_in: 4 },
      { ...raw, prediction: { ...raw.prediction, change: "max_turns=41" } },
      { ...raw, episodes: raw.episodes.slice(1) },
    ].map((one) => assemble(one).id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/);
  });

  it("is read back as it was, and made again from what it holds", () => {
    const document = richDocument();
    const read = parseDocument(JSON.parse(documentText(document)));
    expect(read.ok && read.value).toEqual(document);
    expect(assemble(rawOf(document))).toEqual(document);
  });

  it.each([
    ["no object", []],
    ["another schema", { ...richDocument(), schema: "mecha.verdict/9" }],
    ["a negative count", { ...richDocument(), case_set: { episodes: -1, paired: 0, sha256: "" } }],
    ["an episode twice", { ...aDocument("+", ""), episodes: Array(2).fill(aDocument("+", "").episodes[0]) }],
    ["no time", { ...richDocument(), created_at: "yesterday" }],
    ["no judgement", { ...richDocument(), judgement: null }],
  ])("of %s is refused in one line", (_, value) => {
    const read = parseDocument(value);
    expect(read.ok).toBe(false);
    expect(!read.ok && read.problem).not.toContain("\n");
  });

  it("of more passed runs than runs is refused", () => {
    const document = structuredClone(aDocument("+", ""));
    const row = document.episodes[0];
    if (row?.candidate) row.candidate.passed = 2;
    expect(parseDocument(document)).toMatchObject({
      ok: false,
      problem: "episodes[0].candidate: more runs errored or passed than were made",
    });
  });
});
