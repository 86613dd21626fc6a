"use client";

import { useSearchParams } from "next/navigation";
import { parseAsNativeArrayOf, parseAsString, useQueryState } from "nuqs";
import { useCallback, useRef } from "react";
import { visible } from "#lib/format.ts";
import { useListKeys } from "../sessions/use-list-keys.ts";
import { FileRow, LIST_COLUMNS } from "./card-row.tsx";
import { compareHref } from "./hrefs.ts";
import { type ListSort, listSortText } from "./list-order.ts";
import type { ListedFile } from "./listed-file.ts";

const CARDS_MAX = 5;

/** The files of the results folders; up to five cards are chosen, which the address remembers. */
export function CardList({ files, zone, sort }: { files: ListedFile[]; zone: string; sort: ListSort }) {
  const [cards, setCards] = useQueryState("cards", parseAsNativeArrayOf(parseAsString).withDefault([]));
  const chosen = [...new Set(cards)].slice(0, CARDS_MAX);
  const list = useRef<HTMLOListElement>(null);
  const scrollTo = useCallback(
    (index: number) =>
      list.current?.querySelector(`[data-index="${index}"]`)?.scrollIntoView({ block: "nearest" }),
    [],
  );
  const active = useListKeys(files.length, scrollTo, list);
  const choose = (name: string, on: boolean) => {
    const next = on ? [...chosen, name] : chosen.filter((one) => one !== name);
    void setCards(next.length === 0 ? null : next);
  };
  return (
    <form method="get" action="/scorecards/compare" aria-label="Scorecards to compare">
      <ListHead sort={sort} />
      <ol ref={list} aria-label="Results">
        {files.map((file, index) => (
          <li
            key={file.name}
            data-index={index}
            data-active={active === index || undefined}
            className="row scroll-my-16 border-line border-b"
          >
            <FileRow
              file={file}
              zone={zone}
              chosen={chosen.includes(file.name)}
              full={chosen.length >= CARDS_MAX}
              choose={(on) => choose(file.name, on)}
            />
          </li>
        ))}
      </ol>
      <Chosen chosen={chosen} drop={(name) => choose(name, false)} clear={() => void setCards(null)} />
      <noscript>
        <button type="submit" className="control mt-3">
          Compare
        </button>
      </noscript>
    </form>
  );
}

const COLUMNS: { name: string; by: ListSort["by"] | null; down?: boolean }[] = [
  { name: "", by: null },
  { name: "Made", by: "made", down: true },
  { name: "File", by: "name" },
  { name: "Model", by: "model" },
  { name: "Passed, all runs", by: "passed", down: true },
  { name: "k", by: null },
  { name: "Scored · errored · all", by: null },
  { name: "Turns", by: null },
  { name: "Latency", by: null },
];

/** The column names; those that sort are links, so that the order is part of the address. */
function ListHead({ sort }: { sort: ListSort }) {
  return (
    <div
      className={`row-head sticky top-12 z-10 hidden h-8 items-center border-strong border-b text-muted text-xs ${LIST_COLUMNS}`}
    >
      {COLUMNS.map(({ name, by, down = false }, at) => (
        <span key={name} className={at >= 5 ? "text-right" : ""}>
          {by === null ? name : <SortLink name={name} by={by} down={down} sort={sort} />}
        </span>
      ))}
    </div>
  );
}

function SortLink({
  name,
  by,
  down,
  sort,
}: {
  name: string;
  by: ListSort["by"];
  down: boolean;
  sort: ListSort;
}) {
  const params = new URLSearchParams(useSearchParams());
  const own = sort.by === by;
  const next = listSortText({ by, descending: own ? !sort.descending : down });
  params.delete("from");
  params.delete("sort");
  if (next !== "") params.set("sort", next);
  return (
    <a
      href={`/scorecards?${params}`}
      aria-current={own ? "true" : undefined}
      title={`Sort by ${name.toLowerCase()}`}
      className="hover:text-ink hover:underline aria-[current]:text-ink"
    >
      {name}
      {own && <span className="sr-only">{`, sorted ${sort.descending ? "descending" : "ascending"}`}</span>}
      {own && <span aria-hidden="true">{sort.descending ? " ↓" : " ↑"}</span>}
    </a>
  );
}

/** What is chosen, also from other pages of the list; the first one is the baseline. */
function Chosen({
  chosen,
  drop,
  clear,
}: {
  chosen: string[];
  drop: (name: string) => void;
  clear: () => void;
}) {
  if (chosen.length === 0) return null;
  return (
    <section
      aria-label="Chosen cards"
      className="sticky bottom-0 z-10 flex flex-wrap items-center gap-x-3 gap-y-2 border-strong border-t bg-ground py-2 text-sm print:hidden"
    >
      <a
        href={compareHref(chosen)}
        className="inline-flex h-7 items-center rounded bg-accent px-3 text-ground text-sm no-underline"
      >
        {chosen.length === 1 ? "Open" : `Compare ${chosen.length}`}
      </a>
      <ul className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
        {chosen.map((name, at) => (
          <li key={name} className="flex min-w-0 items-center gap-1 text-xs">
            <bdi className="min-w-0 break-all font-mono">{visible(name)}</bdi>
            {at === 0 && chosen.length > 1 && (
              <span className="whitespace-nowrap text-muted">(baseline)</span>
            )}
            <button
              type="button"
              onClick={() => drop(name)}
              aria-label={`Leave out ${visible(name)}`}
              className="px-1 text-muted hover:text-ink"
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <span className="text-muted text-xs">{`${chosen.length} of ${CARDS_MAX}`}</span>
      <button type="button" onClick={clear} className="link text-xs">
        choose none
      </button>
    </section>
  );
}
