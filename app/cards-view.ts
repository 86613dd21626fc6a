import { letterOf } from "#app/_ui/cards/matrix-order.ts";
import { type Difference, differencesOf } from "#lib/eval/comparable.ts";
import { type Column, compareCards } from "#lib/eval/compare.ts";
import { sum } from "#lib/eval/head.ts";
import {
  type CardChange,
  type CellMarks,
  cellOf,
  changesOf,
  type Matrix,
  matrixOf,
} from "#lib/eval/matrix.ts";
import { type CurvePoint, type Reliability, reliabilityOf, seriesOf } from "#lib/eval/reliability.ts";
import type { Card } from "#lib/eval/scorecard.ts";
import { doubtLines } from "#lib/eval/scorecard-text.ts";
import type { Rate } from "#lib/rate.ts";

/** One card of a comparison. */
export type CardColumn = Omit<Column, "differences" | "doubts"> & {
  letter: string;
  /** How it differs from the baseline, and what is wrong with it alone. */
  differences: Difference[];
  /** Not to be held against the baseline, for a reason among its differences. */
  apart: boolean;
  doubts: string[];
  curve: CurvePoint[];
  flakyCases: number;
  flakyRuns: Rate;
  checks: Rate;
  cost: { usd: number | null; priced: number; runs: number };
  warnings: string[];
  /** Against the baseline; null for the baseline itself and for a card that stands apart. */
  change: CardChange | null;
};

/** Repeats of one measurement over several cards. */
export type SeriesView = {
  name: string;
  letters: string[];
  reliability: Omit<Reliability, "cases">;
  flaky: number;
  /** The first of the flaky cases, with their runs as a matrix has them. */
  flakyCases: { id: string; cell: CellMarks }[];
};

export type CompareView = {
  /** The baseline first, then what can be held against it, then what stands apart. */
  columns: CardColumn[];
  matrix: Matrix;
  /** Columns that may be held against the baseline. */
  ranked: number[];
  /** Every tag of any card. */
  tags: string[];
  series: SeriesView[];
};

/** Cards side by side, all read against the first. */
export function compareView(cards: readonly Card[]): CompareView {
  const [base] = cards;
  const facts = cards.map((card) => ({ card, facts: factsOf(card), ...againstBase(base ?? card, card) }));
  const soundBase = !(facts[0]?.apart ?? true);
  const ordered = [
    ...facts.slice(0, 1),
    ...facts.slice(1).filter((one) => !one.apart),
    ...facts.slice(1).filter((one) => one.apart),
  ];
  const matrix = matrixOf(
    ordered.map((one) => one.card),
    0,
  );
  const ranked = soundBase ? [...ordered.keys()].filter((at) => !ordered[at]?.apart) : [];
  const changes = changesOf(matrix, 0);
  const columns = ordered.map(
    (one, at): CardColumn => ({
      ...one.facts,
      letter: letterOf(at),
      differences: one.differences,
      apart: one.apart,
      change: at > 0 && ranked.includes(at) ? (changes[at] ?? null) : null,
    }),
  );
  return { columns, matrix, ranked, tags: tagsOf(columns), series: seriesIn(ordered.map((one) => one.card)) };
}

type Facts = Omit<CardColumn, "letter" | "differences" | "apart" | "change"> & { faults: Difference[] };

/** What is known of a card alone, which for a large one takes a moment: kept as long as the card is. */
const known = new WeakMap<Card, Facts>();

function factsOf(card: Card): Facts {
  const before = known.get(card);
  if (before !== undefined) return before;
  const column = compareCards([card])[0]?.columns[0];
  if (column === undefined) throw new Error("one card gives one column");
  const { differences: faults, doubts, ...rest } = column;
  const { curve, flaky_runs, warnings, cases } = reliabilityOf([card]);
  const facts: Facts = {
    ...rest,
    faults,
    doubts: doubtLines(doubts),
    curve,
    flakyCases: cases.filter((one) => one.flaky).length,
    flakyRuns: flaky_runs,
    checks: checksOf(card),
    cost: costOf(card),
    warnings,
  };
  known.set(card, facts);
  return facts;
}

function checksOf({ report }: Card): Rate {
  const rate = { hits: 0, of: 0 };
  for (const run of report.runs) {
    rate.of += run.checks.length;
    for (const check of run.checks) if (check.passed) rate.hits += 1;
  }
  return rate;
}

function costOf({ report }: Card): CardColumn["cost"] {
  const costs = report.runs.map((run) => run.cost_usd);
  return { usd: sum(costs), priced: costs.filter((usd) => usd !== null).length, runs: costs.length };
}

function againstBase(base: Card, card: Card): { differences: Difference[]; apart: boolean } {
  const differences = [...factsOf(card).faults, ...(card === base ? [] : differencesOf(base, card))];
  return { differences, apart: differences.some(({ blocks }) => blocks) };
}

function tagsOf(columns: readonly CardColumn[]): string[] {
  return [...new Set(columns.flatMap(({ head }) => (head.by_tag ?? []).map(({ tag }) => tag)))];
}

const FLAKY_MAX = 30;

function seriesIn(cards: readonly Card[]): SeriesView[] {
  return seriesOf(cards)
    .filter((series) => series.cards.length > 1)
    .map((series) => {
      const { cases, ...reliability } = reliabilityOf(series.cards);
      return {
        name: series.name,
        letters: series.cards.map((card) => letterOf(cards.indexOf(card))),
        reliability,
        flaky: cases.filter((one) => one.flaky).length,
        flakyCases: cases
          .filter((one) => one.flaky)
          .slice(0, FLAKY_MAX)
          .map(({ id, marks }) => ({ id, cell: cellOf(marks) })),
      };
    });
}
