import { type Coverage, sum } from "#lib/eval/head.ts";
import type { CardMeta, Head } from "#lib/eval/scorecard.ts";

/** What a list of reports says of one of them; no card where the file is none. */
export type ListedCard = {
  name: string;
  card: {
    model: string;
    provider: string;
    head: Head;
    meta: Pick<CardMeta, "cost_usd">;
    coverage: Coverage | null;
  } | null;
};

/** What an experiment will take, before it is sent. Null: nobody knows. */
export type Estimate = {
  /** Case runs over both arms. */
  runs: number;
  /** Input and output, cached ones included. */
  tokens: number | null;
  costUsd: number | null;
  /** Name of the card whose mean run it was worked out from. */
  basedOn: string | null;
};

const ARMS = 2;

/** Cases × arms × runs, each as dear as a mean run of `card`; the judge is not counted. */
export function estimate(
  { cases, runsPerCase }: { cases: number; runsPerCase: number },
  card: ListedCard | null,
): Estimate {
  const runs = cases * ARMS * runsPerCase;
  const summary = card?.card ?? null;
  const ran = summary === null ? 0 : runsOf(summary);
  if (card === null || summary === null || ran === 0)
    return { runs, tokens: null, costUsd: null, basedOn: null };
  const { total_usage: usage } = summary.head;
  const each = (whole: number | null) => (whole === null ? null : (whole / ran) * runs);
  const tokens = usage === null ? null : sum(Object.values(usage));
  const spent = each(tokens);
  return {
    runs,
    tokens: spent === null ? null : Math.round(spent),
    costUsd: each(summary.meta.cost_usd),
    basedOn: card.name,
  };
}

function runsOf({ coverage, head }: NonNullable<ListedCard["card"]>): number {
  return coverage === null ? head.total * head.runs_per_case : coverage.scored + coverage.errored;
}

/** The newest card of a model that tells what it took; `files` newest first, as they are listed. */
export function lastCardOf<Listed extends ListedCard>(
  files: readonly Listed[],
  { provider, model }: { provider: string | null; model: string },
): Listed | null {
  return (
    files.find(
      ({ card }) =>
        card !== null &&
        card.model === model &&
        (provider === null || card.provider === provider) &&
        card.head.total_usage !== null,
    ) ?? null
  );
}
