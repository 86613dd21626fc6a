import type { Rate } from "#lib/rate.ts";
import { type CaseResult, casesOf, isFlaky, passedAll } from "./cases.ts";
import { type Mark, markOf } from "./mark.ts";
import type { Card, CaseRun } from "./scorecard.ts";

export type RepeatedCase = {
  id: string;
  tags: string[];
  /** One per run, in order. */
  marks: Mark[];
  passes: number;
  flaky: boolean;
  /** Runs that say otherwise than most: the flake, where there is one. */
  minority: number;
};

/** The chance that k fresh runs of a case all pass, or that one of them does, as a mean over the cases with k runs. */
export type CurvePoint = { k: number; pass_all: number; pass_any: number; cases: number };

export type Reliability = {
  cards: string[];
  cases: RepeatedCase[];
  /** The one number of runs that every case had; null when they differ. */
  runs_per_case: number | null;
  /** Cases whose runs all passed. */
  pass_all: Rate;
  /** Cases with a passing run. */
  pass_any: Rate;
  curve: CurvePoint[];
  /** Runs of flaky cases that say otherwise than most runs of their case, of all runs. */
  flaky_runs: Rate;
  warnings: string[];
};

/** How dependable the answers are, from one card of repeated runs, or from several cards of the same case set. */
export function reliabilityOf(cards: readonly Card[]): Reliability {
  const cases = casesOf(joined(cards));
  const repeated = cases.map(repeatedCase);
  const sizes = new Set(repeated.map((one) => one.marks.length));
  const flaky = repeated.filter((one) => one.flaky);
  return {
    cards: cards.map((card) => card.name),
    cases: repeated,
    runs_per_case: sizes.size === 1 ? ([...sizes][0] ?? null) : null,
    pass_all: { hits: cases.filter(passedAll).length, of: cases.length },
    pass_any: { hits: cases.filter((one) => one.passes > 0).length, of: cases.length },
    curve: curveOf(repeated),
    flaky_runs: {
      hits: flaky.reduce((n, one) => n + one.minority, 0),
      of: repeated.reduce((n, one) => n + one.marks.length, 0),
    },
    warnings: [...cards.flatMap(replayWarning), ...mixtureWarnings(cards), ...unevenWarning(sizes)],
  };
}

/**
 * The unbiased estimates for n runs of which c passed: all of k drawn without replacement pass with C(c,k) / C(n,k),
 * none of them with C(n-c,k) / C(n,k). Source of the second: M. Chen and others, "Evaluating Large Language Models
 * Trained on Code" (2021).
 */
export function curveOf(cases: readonly { marks: readonly Mark[]; passes: number }[]): CurvePoint[] {
  const most = cases.reduce((n, one) => Math.max(n, one.marks.length), 0);
  return Array.from({ length: most }, (_, i) => {
    const k = i + 1;
    const able = cases.filter((one) => one.marks.length >= k);
    const mean = (of: (n: number, c: number) => number) =>
      able.reduce((sum, one) => sum + of(one.marks.length, one.passes), 0) / able.length;
    return {
      k,
      pass_all: mean((n, c) => allOf(k, c, n)),
      pass_any: mean((n, c) => 1 - allOf(k, n - c, n)),
      cases: able.length,
    };
  });
}

/** C(c,k) / C(n,k) as a product of shares: the binomials themselves leave the range of a double. */
function allOf(k: number, c: number, n: number): number {
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, c - i) / (n - i);
  return chance;
}

/** Cards that look like repeats of one measurement: same folder, model, provider and cases, names that differ in a number at the end. */
export function seriesOf(cards: readonly Card[]): { name: string; cards: Card[] }[] {
  const series = new Map<string, { name: string; cards: Card[] }>();
  for (const card of cards) {
    const name = card.name.replace(/\.json$/, "").replace(/[-_.]?(?:run|r|k)?[-_.]?\d+$/i, "");
    const key = JSON.stringify([name, card.report.model, card.report.provider, idsOf(card)]);
    const own = series.get(key) ?? { name, cards: [] };
    own.cards.push(card);
    series.set(key, own);
  }
  return [...series.values()];
}

/** All runs, numbered on from card to card, so that no two of a case share a number. */
function joined(cards: readonly Card[]): CaseRun[] {
  const [only] = cards;
  if (cards.length === 1 && only) return only.report.runs;
  const last = new Map<string, number>();
  return cards.flatMap(({ report }) =>
    casesOf(report.runs).flatMap((one) =>
      one.runs.map((run) => {
        const number = (last.get(one.id) ?? 0) + 1;
        last.set(one.id, number);
        return { ...run, run: number };
      }),
    ),
  );
}

function repeatedCase(one: CaseResult): RepeatedCase {
  const failures = one.runs.length - one.passes;
  return {
    id: one.id,
    tags: one.tags,
    marks: one.runs.map(markOf),
    passes: one.passes,
    flaky: isFlaky(one),
    minority: Math.min(one.passes, failures),
  };
}

/** A server asked the same thing in the same order with the same seed answers the same: k runs are then one sample. */
function replayWarning({ name, report }: Card): string[] {
  const { seed, concurrency } = report.meta;
  const cases = casesOf(report.runs).filter((one) => one.runs.length > 1);
  if (seed === null || concurrency !== 1 || cases.length === 0) return [];
  const alike = cases.filter(isReplay).length;
  return [
    `${name}: its runs were made one after another with the seed ${seed}, so each may repeat the one before word ` +
      `for word and count one sample several times (${alike} of ${cases.length} cases gave identical runs)`,
  ];
}

function isReplay({ runs }: CaseResult): boolean {
  const told = (run: CaseRun) => JSON.stringify([run.passed, run.text, run.tools_called, run.turns]);
  const [first, ...rest] = runs;
  return first !== undefined && rest.every((run) => told(run) === told(first));
}

function mixtureWarnings(cards: readonly Card[]): string[] {
  const differs = (what: string, of: (card: Card) => string) =>
    new Set(cards.map(of)).size > 1
      ? [`the cards differ in ${what}: their runs are not repeats of one another`]
      : [];
  return [
    ...differs("their cases", (card) => JSON.stringify(idsOf(card))),
    ...differs("model or provider", ({ report }) => JSON.stringify([report.model, report.provider])),
  ];
}

function unevenWarning(sizes: ReadonlySet<number>): string[] {
  if (sizes.size < 2) return [];
  return ["not every case ran equally often: a case with fewer runs passes all of them more easily"];
}

function idsOf({ report }: Card): string[] {
  return [...new Set(report.runs.map((run) => run.id))].sort();
}
