"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import type { MatrixRow } from "#lib/eval/matrix.ts";
import { visible } from "#lib/format.ts";
import { grouped } from "../number.ts";
import { Empty } from "../page-head.tsx";
import { useListKeys } from "../sessions/use-list-keys.ts";
import { useMedia } from "../use-media.ts";
import { CaseDrawer } from "./case-drawer.tsx";
import { compareHref } from "./hrefs.ts";
import { MarkLegend } from "./marks.tsx";
import { MatrixControls } from "./matrix-controls.tsx";
import { parseOrder, rowsInOrder } from "./matrix-order.ts";
import { CaseRow, type ColumnName, MatrixHead } from "./matrix-row.tsx";
import { type FirstRows, useMatrix, useMatrixState } from "./use-matrix.ts";

/** What the server draws: a screenful, before the size of the screen is known. */
const FIRST_RECT = { width: 1440, height: 900 };
const WIDE_PX = 33;
const WHOLE_MAX = 100;

type MatrixProps = {
  first: FirstRows;
  columns: ColumnName[];
  ranked: number[];
  /** The cards and the baseline as search parameters. */
  query: string;
  zone: string | null;
};

/** Every case in every card. Filters and order are worked out here; only the rows in view are drawn. */
export function CaseMatrix({ first, columns, ranked, query, zone }: MatrixProps) {
  const [state, setState] = useMatrixState();
  const { matrix, problem, retry } = useMatrix(first, query);
  const { show, tag, q, sort } = state;
  const order = parseOrder(sort, columns.length);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the order is worked out of its text
  const rows = useMemo(
    () => rowsInOrder(matrix, ranked, { filter: { show, tag: tag || null, q }, order }),
    [matrix, ranked, show, tag, q, sort],
  );
  const names = columns.map(({ name }) => name);
  const hrefOf = (id: string | null) =>
    compareHref(names, {
      baseline: names[0] ?? null,
      show: show === "all" ? null : show,
      tag,
      q,
      sort,
      zone,
      case: id,
    });
  const openAt = state.case === null ? -1 : rows.findIndex(({ id }) => id === state.case);
  const open = (id: string | null) => void setState({ case: id }, { history: "push" });

  return (
    <>
      <MatrixControls
        matrix={matrix}
        ranked={ranked}
        rows={rows}
        total={first.total}
        state={state}
        setState={setState}
        query={query}
      />
      {matrix.rows.length < first.total && (
        <Rest here={matrix.rows.length} total={first.total} problem={problem} retry={retry} />
      )}
      {rows.length === 0 ? (
        <Empty why={`None of the ${grouped(first.total)} cases fits these filters.`}>
          <button
            type="button"
            onClick={() => void setState({ show: null, tag: null, q: null })}
            className="link"
          >
            Show all cases
          </button>
        </Empty>
      ) : (
        <Rows
          rows={rows}
          columns={columns}
          ranked={ranked}
          tags={matrix.tags}
          sort={sort}
          setSort={(text) => void setState({ sort: text === "" ? null : text })}
          hrefOf={hrefOf}
          open={open}
          drawerOpen={state.case !== null}
        />
      )}
      <div className="mt-3">
        <MarkLegend />
      </div>
      <CaseDrawer
        id={state.case}
        columns={columns}
        ranked={ranked}
        row={state.case === null ? null : (matrix.rows.find(({ id }) => id === state.case) ?? null)}
        query={query}
        position={openAt < 0 ? null : { at: openAt, of: rows.length }}
        step={(by) => {
          const next = rows[openAt + by];
          if (next) void setState({ case: next.id }, { history: "replace" });
        }}
        close={() => open(null)}
      />
    </>
  );
}

function Rest({
  here,
  total,
  problem,
  retry,
}: {
  here: number;
  total: number;
  problem: string | null;
  retry: () => void;
}) {
  if (problem === null) {
    return (
      <p role="status" className="mb-2 text-muted text-xs">
        {`${grouped(here)} of ${grouped(total)} cases are here; the others are on their way …`}
      </p>
    );
  }
  return (
    <p role="alert" className="mb-2 text-broken text-sm">
      {`✕ Only ${grouped(here)} of ${grouped(total)} cases are shown. ${problem} `}
      <button type="button" onClick={retry} className="link">
        Try again
      </button>
    </p>
  );
}

type RowsProps = {
  rows: MatrixRow[];
  columns: ColumnName[];
  ranked: number[];
  tags: string[];
  sort: string;
  setSort: (text: string) => void;
  hrefOf: (id: string | null) => string;
  open: (id: string) => void;
  drawerOpen: boolean;
};

function Rows({ rows, columns, ranked, tags, sort, setSort, hrefOf, open, drawerOpen }: RowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const narrow = useMedia("(max-width: 767px)");
  // On a phone the cards of a case stand two in a line below its name.
  const narrowPx = 40 + 22 * Math.ceil(columns.length / 2);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (narrow ? narrowPx : WIDE_PX),
    // A short list stands there whole: for printing, and for the search of the browser.
    overscan: rows.length <= WHOLE_MAX ? WHOLE_MAX : 8,
    scrollMargin,
    initialRect: FIRST_RECT,
    scrollPaddingStart: 120,
    scrollPaddingEnd: 16,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change their height with the layout
  useLayoutEffect(() => {
    setScrollMargin(list.current?.offsetTop ?? 0);
    virtual.measure();
  }, [narrow, narrowPx, virtual.measure]);
  const active = useListKeys(drawerOpen ? 0 : rows.length, (index) => virtual.scrollToIndex(index), list);
  return (
    <>
      <MatrixHead columns={columns} sort={sort} setSort={setSort} />
      <ol ref={list} aria-label="Cases" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <li
              key={row.id}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              data-index={index}
              data-active={active === index || undefined}
              className="row absolute inset-x-0 border-line border-b"
              style={{ top: start - scrollMargin, height: size }}
            >
              <CaseRow
                row={row}
                columns={columns}
                ranked={ranked}
                tags={row.tags.map((tag) => visible(tags[tag] ?? "")).join(", ")}
                href={hrefOf(row.id)}
                open={() => open(row.id)}
              />
            </li>
          );
        })}
      </ol>
      {rows.length > WHOLE_MAX && (
        <p className="hidden text-xs print:block">Only the cases in view are printed; the CSV holds all.</p>
      )}
    </>
  );
}
