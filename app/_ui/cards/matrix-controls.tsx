"use client";

import { useMemo } from "react";
import { type Matrix, type MatrixRow, rowsShown, SHOWS, type Show } from "#lib/eval/matrix.ts";
import { visible } from "#lib/format.ts";
import { grouped } from "../number.ts";
import type { MatrixState, SetMatrixState } from "./use-matrix.ts";

type ControlsProps = {
  matrix: Matrix;
  ranked: number[];
  rows: MatrixRow[];
  total: number;
  state: MatrixState;
  setState: SetMatrixState;
  query: string;
};

const SHOW_NAMES: Record<Show, { name: string; why: string }> = {
  all: { name: "All", why: "every case" },
  regressed: { name: "Regressed", why: "passed all runs in the baseline, and in some card not" },
  improved: { name: "Improved", why: "did not pass all runs in the baseline, and in some card did" },
  flaky: { name: "Flaky", why: "some but not all runs of a card passed" },
  errored: { name: "Errored, ungraded", why: "some run ended in an error or could not be graded" },
};

/** What narrows the matrix, how many cases each choice leaves, and the way to take along what is shown. */
export function MatrixControls({ matrix, ranked, rows, total, state, setState, query }: ControlsProps) {
  const counts = useMemo(
    () =>
      new Map(SHOWS.map((show) => [show, rowsShown(matrix, 0, { show, tag: null, q: "" }, ranked).length])),
    [matrix, ranked],
  );
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden">
      <fieldset className="flex flex-wrap gap-1">
        <legend className="sr-only">Cases to show</legend>
        {SHOWS.map((show) => (
          <label
            key={show}
            title={SHOW_NAMES[show].why}
            className="control inline-flex cursor-pointer items-center gap-1.5 has-checked:border-accent has-checked:bg-accent-wash has-focus-visible:outline-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name="show"
              value={show}
              checked={state.show === show}
              onChange={() => void setState({ show: show === "all" ? null : show }, { history: "push" })}
              className="sr-only"
            />
            {SHOW_NAMES[show].name}
            <span className="text-muted text-xs">{grouped(counts.get(show) ?? 0)}</span>
          </label>
        ))}
      </fieldset>
      <label className="inline-flex min-w-0 max-w-full">
        <span className="sr-only">Tag</span>
        <select
          name="tag"
          value={state.tag}
          onChange={(event) => void setState({ tag: event.target.value || null }, { history: "push" })}
          className="control max-w-56"
        >
          <option value="">all tags</option>
          {state.tag !== "" && !matrix.tags.includes(state.tag) && (
            <option value={state.tag}>{visible(state.tag)}</option>
          )}
          {matrix.tags.map((tag) => (
            <option key={tag} value={tag}>
              {visible(tag)}
            </option>
          ))}
        </select>
      </label>
      <label className="inline-flex min-w-0 grow sm:grow-0">
        <span className="sr-only">Case id</span>
        <input
          type="search"
          name="q"
          value={state.q}
          data-filter=""
          placeholder="Case id  /"
          maxLength={200}
          onChange={(event) => void setState({ q: event.target.value || null })}
          className="control w-full sm:w-48"
        />
      </label>
      <p role="status" className="text-muted text-xs">
        {rows.length === total
          ? `${grouped(total)} cases`
          : `${grouped(rows.length)} of ${grouped(total)} cases`}
      </p>
      <p className="flex gap-3 text-xs sm:ml-auto">
        <span className="text-muted">What is shown as</span>
        {(["csv", "json"] as const).map((format) => (
          <a
            key={format}
            href={`/api/scorecards/matrix?${exportQuery(query, state, format)}`}
            download
            className="link"
          >
            {format.toUpperCase()}
          </a>
        ))}
      </p>
    </div>
  );
}

function exportQuery(query: string, { show, tag, q, sort }: MatrixState, format: string): string {
  const params = new URLSearchParams(query);
  for (const [key, value] of Object.entries({ show, tag, q, sort })) {
    if (value !== "" && value !== "all") params.set(key, value);
  }
  params.set("format", format);
  return params.toString();
}
