"use client";

import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useEffect, useMemo, useState } from "react";
import { type Matrix, SHOWS } from "#lib/eval/matrix.ts";
import { unpackMatrix } from "#lib/eval/matrix-pack.ts";

/** The parts of the address that the browser itself answers: nothing is asked of the server. */
export function useMatrixState() {
  return useQueryStates({
    show: parseAsStringLiteral(SHOWS).withDefault("all"),
    tag: parseAsString.withDefault(""),
    q: parseAsString.withDefault(""),
    sort: parseAsString.withDefault(""),
    case: parseAsString,
  });
}

export type MatrixState = ReturnType<typeof useMatrixState>[0];
export type SetMatrixState = ReturnType<typeof useMatrixState>[1];

/** What came with the page: all rows, or, of very many, the first of them in the page's order. */
export type FirstRows = { packed: string; total: number };

/** The matrix; where the page brought only its beginning, the rest is fetched at once. */
export function useMatrix(
  first: FirstRows,
  query: string,
): { matrix: Matrix; problem: string | null; retry: () => void } {
  const begun = useMemo(() => unpackMatrix(first.packed), [first.packed]);
  const [rest, setRest] = useState<{ of: string; matrix: Matrix } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [attempt, setAttempt] = useState(0);
  const missing = begun.rows.length < first.total;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry asks again
  useEffect(() => {
    if (!missing) return;
    const stop = new AbortController();
    fetchPacked(query, stop.signal)
      .then((packed) => {
        setRest({ of: first.packed, matrix: unpackMatrix(packed) });
        setProblem(null);
      })
      .catch((error: unknown) => {
        if (!stop.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      });
    return () => stop.abort();
  }, [missing, query, first.packed, attempt]);

  const matrix = rest?.of === first.packed ? rest.matrix : begun;
  return { matrix, problem, retry: () => setAttempt((n) => n + 1) };
}

async function fetchPacked(query: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(`/api/scorecards/matrix?${query}&format=packed`, { signal });
  if (!answer.ok) throw new Error(`The other cases could not be read (status ${answer.status}).`);
  return answer.text();
}
