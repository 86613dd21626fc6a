import { type Arm, judge } from "#lib/gate/judge.ts";
import { meanCost } from "#lib/gate/metrics.ts";
import type { Episode } from "#lib/gate/pair.ts";
import type { ArmName, RunCoverage } from "#lib/gate/rules.ts";
import { sliceOf } from "#lib/gate/split.ts";
import { outcomeOf } from "#lib/gate/tally.ts";
import { canonicalJson, sha256Hex } from "./canonical.ts";
import {
  type ArmSource,
  type ArmSummary,
  type Cell,
  type EpisodeRow,
  type LeftOut,
  type RawCell,
  type RawVerdict,
  VERDICT_SCHEMA,
  type VerdictDocument,
} from "./document.ts";

/** Works a verdict out of what was measured. The same measurements, in any order, give the same bytes and id. */
export function assemble(raw: RawVerdict): VerdictDocument {
  const rows = raw.episodes
    .map((one) => rowOf(one, raw))
    .sort((a, b) => (a.episode < b.episode ? -1 : a.episode > b.episode ? 1 : 0));
  const body: Omit<VerdictDocument, "id"> = {
    schema: VERDICT_SCHEMA,
    created_at: raw.created_at,
    made_by: raw.made_by,
    currency: raw.currency,
    split: { hash: "fnv1a64", holdout_in: raw.holdout_in },
    prediction: raw.prediction,
    case_set: {
      episodes: rows.length,
      paired: rows.filter((row) => row.left_out === null).length,
      sha256: sha256Hex(canonicalJson(rows.map((row) => row.episode))),
    },
    arms: {
      baseline: summaryOf(raw.arms.baseline, rows, "baseline"),
      candidate: summaryOf(raw.arms.candidate, rows, "candidate"),
    },
    episodes: rows,
    judgement: judgementOf(raw, rows),
  };
  return { ...body, id: verdictId(body) };
}

/** The id of a document: the hash of its canonical bytes without the id itself. */
export function verdictId(document: Omit<VerdictDocument, "id"> & { id?: string }): string {
  const { id: _, ...rest } = document;
  return sha256Hex(canonicalJson(rest));
}

/** What a document was made from: the inverse of `assemble`. */
export function rawOf(document: VerdictDocument): RawVerdict {
  const source = ({ coverage: _coverage, cases: _cases, ...arm }: ArmSummary): ArmSource => arm;
  const cell = (one: Cell | null): RawCell | null => {
    if (one === null) return null;
    const { cost: _, ...raw } = one;
    return raw;
  };
  return {
    created_at: document.created_at,
    made_by: document.made_by,
    currency: document.currency,
    holdout_in: document.split.holdout_in,
    prediction: document.prediction,
    arms: { baseline: source(document.arms.baseline), candidate: source(document.arms.candidate) },
    episodes: document.episodes.map(({ episode, baseline, candidate }) => ({
      episode,
      baseline: cell(baseline),
      candidate: cell(candidate),
    })),
  };
}

function rowOf(one: RawVerdict["episodes"][number], { currency, holdout_in }: RawVerdict): EpisodeRow {
  const baseline = cellOf(one.baseline, currency);
  const candidate = cellOf(one.candidate, currency);
  const left_out = leftOut(baseline, candidate, currency);
  return {
    episode: one.episode,
    slice: sliceOf(one.episode, holdout_in),
    baseline,
    candidate,
    outcome: left_out === null ? outcomeOf(baseline?.cost ?? null, candidate?.cost ?? null) : null,
    left_out,
    case_change: caseChange(baseline, candidate),
  };
}

function cellOf(raw: RawCell | null, currency: RawVerdict["currency"]): Cell | null {
  if (raw === null) return null;
  return { ...raw, cost: currency === "case_passes" ? passCost(raw) : meanCost(raw.values ?? []) };
}

/** A case passes when all its runs do; a run that errored did not. */
function passCost({ passed, runs }: RawCell): number {
  return runs > 0 && passed === runs ? 0 : 1;
}

function leftOut(base: Cell | null, cand: Cell | null, currency: RawVerdict["currency"]): LeftOut | null {
  if (cand === null) return "baseline_only";
  if (base === null) return "candidate_only";
  if (currency === "case_passes") return base.runs === cand.runs ? null : "unequal_runs";
  return finished(base) === 0 || finished(cand) === 0 ? "errored" : null;
}

function finished({ runs, errored }: RawCell): number {
  return runs - errored;
}

function caseChange(base: Cell | null, cand: Cell | null): EpisodeRow["case_change"] {
  if (base === null || cand === null || base.passed === null || cand.passed === null) return null;
  if (base.runs !== cand.runs) return null;
  const [before, after] = [passCost(base), passCost(cand)];
  if (before === after) return "same";
  return after < before ? "improved" : "regressed";
}

function summaryOf(source: ArmSource, rows: readonly EpisodeRow[], arm: ArmName): ArmSummary {
  const cells = rows.map((row) => row[arm]).filter((cell) => cell !== null);
  const runs = coverageOf(rows, arm, source.not_scored);
  const graded = cells.length > 0 && cells.every((cell) => cell.passed !== null);
  return {
    ...source,
    coverage: { ...runs, total: runs.scored + runs.errored + runs.not_scored },
    cases: graded
      ? { passed: cells.filter((cell) => passCost(cell) === 0).length, total: cells.length }
      : null,
  };
}

function judgementOf(raw: RawVerdict, rows: readonly EpisodeRow[]): VerdictDocument["judgement"] {
  const paired = rows.filter((row) => row.left_out === null);
  const counter = raw.currency !== "case_passes";
  const arm = (name: ArmName): Arm => ({
    episodes: paired.flatMap((row) => episodeOf(row.episode, row[name], counter)),
    runs: coverageOf(rows, name, raw.arms[name].not_scored),
  });
  const known = counter && rows.some((row) => row.case_change !== null);
  return judge({
    change_class: raw.prediction.change_class,
    holdout_in: raw.holdout_in,
    currency: raw.currency,
    baseline: arm("baseline"),
    candidate: arm("candidate"),
    passes: known ? { baseline: passesOf(rows, "baseline"), candidate: passesOf(rows, "candidate") } : null,
    predicted: raw.prediction.metric !== null,
  });
}

function episodeOf(episode: string, cell: Cell | null, counter: boolean): Episode[] {
  if (cell === null) return [];
  const { cost, work } = cell;
  return [counter ? { episode, cost, work, runs: finished(cell) } : { episode, cost, work }];
}

/** Case passes beside a judged counter, over the cases that both arms graded equally often. */
function passesOf(rows: readonly EpisodeRow[], arm: ArmName): Episode[] {
  return rows.flatMap((row) => {
    const cell = row[arm];
    if (row.case_change === null || cell === null) return [];
    return [{ episode: row.episode, cost: passCost(cell), work: 0 }];
  });
}

function coverageOf(rows: readonly EpisodeRow[], arm: ArmName, not_scored: number): RunCoverage {
  const cells = rows.map((row) => row[arm]).filter((cell) => cell !== null);
  const errored = cells.reduce((n, cell) => n + cell.errored, 0);
  return { scored: cells.reduce((n, cell) => n + finished(cell), 0), errored, not_scored };
}
