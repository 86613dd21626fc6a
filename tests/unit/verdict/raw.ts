import { sliceOf } from "#lib/gate/split.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { ArmSource, RawCell, RawVerdict, VerdictDocument } from "#lib/verdict/document.ts";

export function aSource(parts: Partial<ArmSource> = {}): ArmSource {
  return {
    label: "as configured",
    name: "results/base.json",
    sha256: null,
    model: "qwen3-moe",
    provider: "local",
    runs_per_case: 1,
    case_set_sha256: null,
    fixture_sha256: null,
    judge: null,
    grader_version: null,
    sandbox: null,
    seed: null,
    concurrency: 4,
    created_at: "2026-11-30T10:00:00Z",
    partial: false,
    not_scored: 0,
    ...parts,
  };
}

export const cell = (passed: boolean, parts: Partial<RawCell> = {}): RawCell => ({
  runs: 1,
  errored: 0,
  passed: Number(passed),
  values: null,
  work: 10,
  ...parts,
});

/** Ids of the wanted number on each slice of one in three. */
export function idsOn(selection: number, holdout: number): string[] {
  const left = { selection, holdout };
  const ids: string[] = [];
  for (let i = 0; left.selection + left.holdout > 0; i++) {
    const slice = sliceOf(`case-${i}`, 3);
    if (left[slice] > 0) {
      left[slice] -= 1;
      ids.push(`case-${i}`);
    }
  }
  return ids;
}

/** A verdict on case passes: "+" fixed, "-" broken, "=" passes in both arms; eight or more marks a slice as usual. */
export function aRaw(selection: string, holdout: string, parts: Partial<RawVerdict> = {}): RawVerdict {
  const marks = { selection: [...selection], holdout: [...holdout] };
  const episodes = idsOn(selection.length, holdout.length).map((episode) => {
    const mark = marks[sliceOf(episode, 3)].shift();
    return { episode, baseline: cell(mark !== "+"), candidate: cell(mark !== "-") };
  });
  return {
    created_at: "2026-11-30T12:00:00Z",
    made_by: "mecha 0.1.0",
    currency: "case_passes",
    holdout_in: 3,
    prediction: {
      change_class: "config",
      change: "max_turns=40",
      metric: null,
      rationale: null,
      made_at: null,
    },
    arms: {
      baseline: aSource(),
      candidate: aSource({ label: "max_turns=40", name: "results/cand.json" }),
    },
    episodes,
    ...parts,
  };
}

export const aDocument = (
  selection: string,
  holdout: string,
  parts: Partial<RawVerdict> = {},
): VerdictDocument => assemble(aRaw(selection, holdout, parts));

/** A verdict on a predicted counter, with case passes beside it and everything that a document can hold. */
export function richDocument(): VerdictDocument {
  const raw = aRaw("++++++===-", "++===");
  const episodes = raw.episodes.map(({ episode, baseline, candidate }, i) => ({
    episode,
    baseline: baseline && {
      ...baseline,
      runs: 2,
      passed: 2 * (baseline.passed ?? 0),
      values: [10, 5 + (i % 4)],
    },
    candidate: candidate && {
      ...candidate,
      runs: 2,
      passed: 2 * (candidate.passed ?? 0),
      values: [7.5, null],
    },
  }));
  const lone = {
    episode: 'lone <b>"x"</b>/é',
    baseline: cell(true, { values: [3], errored: 0 }),
    candidate: null,
  };
  const errored = {
    episode: "all-errored",
    baseline: cell(true, { values: [3] }),
    candidate: cell(false, { values: [], errored: 1 }),
  };
  return assemble({
    ...raw,
    currency: "turns",
    prediction: {
      change_class: "config",
      change: "max_turns=40",
      metric: "turns",
      rationale: "runs hit the ceiling rather than finishing",
      made_at: "2026-11-29T08:30:00Z",
    },
    arms: {
      baseline: aSource({
        runs_per_case: 2,
        judge: { provider: "p", model: "m" },
        sha256: "a".repeat(64),
        seed: 7,
      }),
      candidate: aSource({
        runs_per_case: 2,
        label: "max_turns=40",
        name: "results/cand.json",
        not_scored: 2,
      }),
    },
    episodes: [...episodes, lone, errored],
  });
}
