"use client";

import type { MouseEvent } from "react";
import { visible } from "#lib/format.ts";
import { compareHref } from "./hrefs.ts";
import { useMatrixState } from "./use-matrix.ts";

/** What can be done with one card of a comparison; the filters of its cases are kept. */
export function ColumnLinks({ names, at, zone }: { names: string[]; at: number; zone: string | null }) {
  const [{ show, tag, q }] = useMatrixState();
  if (names.length === 1) return null;
  const own = names[at] ?? "";
  const rest = names.filter((name) => name !== own);
  // The order of the cases is told by letters, which other columns would get.
  const kept = { zone, show: show === "all" ? null : show, tag, q };
  return (
    <span className="flex flex-wrap gap-x-3 print:hidden">
      {at > 0 && (
        <a href={compareHref(names, { ...kept, baseline: own })} className="link">
          make it the baseline
        </a>
      )}
      <a
        href={compareHref(rest, { ...kept, baseline: at === 0 ? null : (names[0] ?? null) })}
        className="link"
      >
        remove<span className="sr-only">{` ${visible(own)}`}</span>
      </a>
    </span>
  );
}

/** A tag, which leads to its cases further down the page. */
export function TagLink({ names, tag }: { names: string[]; tag: string }) {
  const [, setState] = useMatrixState();
  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    void setState({ tag, show: null, q: null }, { history: "push" });
    document.getElementById("cases")?.scrollIntoView();
  }
  return (
    <a
      href={`${compareHref(names, { baseline: names[0] ?? null, tag })}#cases`}
      onClick={onClick}
      className="hover:text-accent hover:underline"
    >
      <bdi>{visible(tag)}</bdi>
    </a>
  );
}
