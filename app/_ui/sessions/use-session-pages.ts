"use client";

import { useEffect, useRef, useState } from "react";
import type { SessionLine } from "#app/session-lines.ts";
import { PAGE_ROWS, pagesFor, type SessionPage, withPage } from "./pages.ts";

type Pages = { rowAt: (index: number) => SessionLine | undefined; problem: string | null; retry: () => void };

/**
 * The rows of a long list, fetched a page at a time as they come into view. `query` is the list's address without its
 * `?`; the first page came with the document.
 */
export function useSessionPages(
  first: SessionPage,
  query: string,
  shown: { start: number; end: number },
): Pages {
  const [pages, setPages] = useState(() => new Map([[0, first.rows]]));
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const asked = useRef(new Set<number>());

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry asks again for what is missing
  useEffect(() => {
    const missing = pagesFor(shown.start, Math.min(shown.end, first.total - 1)).filter(
      (number) => !pages.has(number) && !asked.current.has(number),
    );
    for (const number of missing) {
      asked.current.add(number);
      fetchPage(query, number, first.as_of)
        .then((page) => {
          setPages((known) => withPage(known, number, page.rows));
          setProblem(null);
        })
        .catch((error: unknown) => setProblem(error instanceof Error ? error.message : String(error)))
        .finally(() => asked.current.delete(number));
    }
  }, [shown.start, shown.end, pages, query, first.as_of, first.total, attempt]);

  return {
    rowAt: (index) => pages.get(Math.floor(index / PAGE_ROWS))?.[index % PAGE_ROWS],
    problem,
    retry: () => setAttempt((n) => n + 1),
  };
}

/** Asks as of the first page's time, so that a session that starts meanwhile does not shift the rows. */
async function fetchPage(query: string, number: number, asOf: string): Promise<SessionPage> {
  const params = new URLSearchParams(query);
  params.set("from", String(number * PAGE_ROWS));
  if (!params.has("as_of")) params.set("as_of", asOf);
  const answer = await fetch(`/api/sessions?${params}`, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`The list could not be read on (status ${answer.status}).`);
  return (await answer.json()) as SessionPage;
}
