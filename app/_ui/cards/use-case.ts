"use client";

import { useEffect, useState } from "react";
import type { CaseAnswer } from "#app/card-loaders.ts";
import type { CaseDetail } from "#lib/eval/case-detail.ts";

type Fetched = { id: string; answer: CaseAnswer | null; problem: string | null };

/** What the cards tell of the case that is open; fetched when it is opened. */
export function useCase(
  id: string | null,
  query: string,
): { answer: CaseAnswer | null; problem: string | null; retry: () => void } {
  const [fetched, setFetched] = useState<Fetched | null>(null);
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry asks again
  useEffect(() => {
    if (id === null) return;
    const stop = new AbortController();
    fetchCase(query, { case: id }, stop.signal)
      .then((answer) => setFetched({ id, answer, problem: null }))
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setFetched({ id, answer: null, problem: messageOf(error) });
      });
    return () => stop.abort();
  }, [id, query, attempt]);
  const own = fetched !== null && fetched.id === id ? fetched : null;
  return {
    answer: own?.answer ?? null,
    problem: own?.problem ?? null,
    retry: () => {
      setFetched(null);
      setAttempt((n) => n + 1);
    },
  };
}

/** More of one card's case: the runs from a count on, or one run with the whole of its texts. */
export async function fetchMore(
  card: string,
  id: string,
  part: { from: number } | { run: number },
): Promise<CaseDetail> {
  const answer = await fetchCase(new URLSearchParams({ cards: card }).toString(), { case: id, ...part });
  const detail = answer.cards[0]?.detail;
  if (!detail) throw new Error(answer.cards[0]?.problem ?? "The card could not be read again.");
  return detail;
}

async function fetchCase(
  query: string,
  more: Record<string, string | number>,
  signal?: AbortSignal,
): Promise<CaseAnswer> {
  const params = new URLSearchParams(query);
  for (const [key, value] of Object.entries(more)) params.set(key, String(value));
  const answer = await fetch(`/api/scorecards/case?${params}`, signal ? { signal } : {});
  if (!answer.ok) throw new Error(`The case could not be read (status ${answer.status}).`);
  return (await answer.json()) as CaseAnswer;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
