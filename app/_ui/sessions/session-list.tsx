"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { hrefTo } from "../href.ts";
import { useMedia } from "../use-media.ts";
import type { SessionPage } from "./pages.ts";
import { SessionRow, WIDE_COLUMNS } from "./session-row.tsx";
import { useListKeys } from "./use-list-keys.ts";
import { useSessionPages } from "./use-session-pages.ts";

const ROW_PX = { wide: 33, narrow: 73 };
/** What the server draws: a screenful, before the size of the screen is known. */
const FIRST_RECT = { width: 1440, height: 900 };

/**
 * Every session that fits the filters, drawn only where the eye is. `query` is the address of the list; a change of it
 * must come with a new `key`.
 */
export function SessionList({
  first,
  query,
  zone,
  sort,
}: {
  first: SessionPage;
  query: string;
  zone: string;
  sort: string;
}) {
  const list = useRef<HTMLOListElement>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  const narrow = useMedia("(max-width: 1023px)");
  const virtual = useWindowVirtualizer({
    count: first.total,
    estimateSize: () => (narrow ? ROW_PX.narrow : ROW_PX.wide),
    overscan: 8,
    scrollMargin,
    initialRect: FIRST_RECT,
    scrollPaddingStart: 88,
    scrollPaddingEnd: 16,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows change their height with the layout
  useLayoutEffect(() => {
    setScrollMargin(list.current?.offsetTop ?? 0);
    virtual.measure();
  }, [narrow, virtual.measure]);
  const items = virtual.getVirtualItems();
  const pages = useSessionPages(first, query, { start: items[0]?.index ?? 0, end: items.at(-1)?.index ?? 0 });
  const active = useListKeys(first.total, (index) => virtual.scrollToIndex(index), list);

  return (
    <>
      <ListHead query={query} sort={sort} />
      {pages.problem && (
        <p role="alert" className="py-2 text-broken text-sm">
          {`✕ ${pages.problem} `}
          <button type="button" onClick={pages.retry} className="link">
            Try again
          </button>
        </p>
      )}
      <ol ref={list} aria-label="Sessions" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, size }) => (
          <li
            key={index}
            aria-setsize={first.total}
            aria-posinset={index + 1}
            data-index={index}
            data-active={active === index || undefined}
            className="row absolute inset-x-0 border-line border-b"
            style={{ top: start - scrollMargin, height: size }}
          >
            <SessionRow line={pages.rowAt(index)} zone={zone} />
          </li>
        ))}
      </ol>
    </>
  );
}

const COLUMNS = [
  { name: "Started", key: "created" },
  { name: "Session", key: null },
  { name: "Model", key: null },
  { name: "Runs", key: "runs" },
  { name: "Calls", key: "calls" },
  { name: "Errors", key: "errors" },
  { name: "Denied", key: "denied" },
  { name: "Last run · failed ends", key: null },
] as const;

/** The column names; those that sort are links, so that the order is part of the address. */
function ListHead({ query, sort }: { query: string; sort: string }) {
  return (
    <div
      className={`${WIDE_COLUMNS} row-head sticky top-12 z-10 hidden h-8 items-center border-strong border-b text-muted text-xs lg:grid`}
    >
      {COLUMNS.map(({ name, key }, index) => (
        <span key={name} className={index >= 3 && index <= 6 ? "text-right" : ""}>
          {key === null ? name : <SortLink name={name} by={key} query={query} sort={sort} />}
        </span>
      ))}
    </div>
  );
}

function SortLink({ name, by, query, sort }: { name: string; by: string; query: string; sort: string }) {
  const others = Object.fromEntries(new URLSearchParams(query));
  const order = sort === `-${by}` ? "descending" : sort === by ? "ascending" : null;
  const next = order === "descending" ? by : `-${by}`;
  return (
    <a
      href={hrefTo("/sessions", { ...others, sort: next === "-created" ? null : next })}
      aria-current={order === null ? undefined : "true"}
      title={`Sort by ${name.toLowerCase()}`}
      className="hover:text-ink hover:underline aria-[current]:text-ink"
    >
      {name}
      {order && <span className="sr-only">{`, sorted ${order}`}</span>}
      {order && <span aria-hidden="true">{order === "descending" ? " ↓" : " ↑"}</span>}
    </a>
  );
}
