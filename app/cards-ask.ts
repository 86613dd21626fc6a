import { type ListSort, parseListSort } from "#app/_ui/cards/list-order.ts";
import { type MatrixAsk, parseOrder, parseShow } from "#app/_ui/cards/matrix-order.ts";
import { type Asked, type Params, paramText, parseWindowAsk } from "#app/search.ts";
import { visible } from "#lib/format.ts";

/** More columns than this do not fit beside one another. */
export const CARDS_MAX = 5;
/** A file name with its folders may be as long as the system lets it. */
const NAME_MAX = 4096;

/** What the address of the list asks for. */
export type ListAsk = {
  q: string;
  model: string | null;
  sort: ListSort;
  /** Rows of the list that are left out before the first one shown. */
  from: number;
  /** The verdict after which the list of verdicts goes on; null = from the newest. */
  older: string | null;
  zone: string;
};

export function parseListAsk(params: Params, serverZone: string): Asked<ListAsk> {
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const from = Number(textOf(params, "from"));
  return {
    ask: {
      q: textOf(params, "q"),
      model: textOf(params, "model") || null,
      sort: parseListSort(textOf(params, "sort")),
      from: Number.isSafeInteger(from) && from > 0 ? from : 0,
      older: textOf(params, "older") || null,
      zone: ask.zone,
    },
    problems,
  };
}

/** What the address of a comparison asks for. */
export type CompareAsk = MatrixAsk & {
  /** Names of the cards, the baseline first. */
  cards: string[];
  zone: string;
};

export function parseCompareAsk(params: Params, serverZone: string): Asked<CompareAsk> {
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const named = namesOf(params);
  if (named.length > CARDS_MAX) {
    problems.push(`${named.length} cards were asked for; the first ${CARDS_MAX} are shown.`);
  }
  const cards = named.slice(0, CARDS_MAX);
  const baseline = textOf(params, "baseline", NAME_MAX);
  if (baseline !== "" && cards.length > 0 && !cards.includes(baseline)) {
    problems.push(`baseline="${visible(baseline.slice(0, 60))}" is none of the cards; the first one is it.`);
  }
  const rest = cards.filter((name) => name !== baseline);
  const ordered = cards.includes(baseline) ? [baseline, ...rest] : cards;
  return {
    ask: {
      cards: ordered,
      filter: {
        show: parseShow(textOf(params, "show")),
        tag: textOf(params, "tag") || null,
        q: textOf(params, "q"),
      },
      order: parseOrder(textOf(params, "sort"), ordered.length),
      zone: ask.zone,
    },
    problems,
  };
}

function namesOf(params: Params): string[] {
  const value = params.cards;
  const names = Array.isArray(value) ? value : value === undefined ? [] : [value];
  return [...new Set(names.filter((name) => name !== "" && name.length <= NAME_MAX))];
}

function textOf(params: Params, key: string, max?: number): string {
  return paramText(params, key, max) ?? "";
}
