import { hrefTo } from "../href.ts";

/** Search parameters of a comparison beside its cards; what is null or empty is left out. */
export type CompareState = Partial<
  Record<"baseline" | "show" | "tag" | "q" | "sort" | "case" | "zone", string | null>
>;

/** The cards side by side. A name may hold any character, so that each is a parameter of its own. */
export function compareHref(cards: readonly string[], state: CompareState = {}): string {
  return `/scorecards/compare?${compareQuery(cards, state)}`;
}

export function compareQuery(cards: readonly string[], state: CompareState = {}): string {
  const query = new URLSearchParams(cards.map((name) => ["cards", name]));
  for (const [key, value] of Object.entries(state)) if (value) query.set(key, value);
  return query.toString();
}

/** What a run of a case said and did, step by step. */
export function runTranscriptHref(card: string, id: string, run: number): string {
  return hrefTo("/scorecards/transcript", { card, case: id, run });
}

/** The page of a stored verdict, by its id, or of a verdict or A/B file in a results folder, by its name. */
export function verdictHref(idOrName: string): string {
  return `/verdicts/${encodeURIComponent(idOrName)}`;
}
