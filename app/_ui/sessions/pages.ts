import type { SessionLine } from "#app/session-lines.ts";

/**
 * One answer of the list's route: rows `from` on, out of `total` that fit the filters and `of` that there are, which
 * stand in `files` files.
 */
export type SessionPage = {
  from: number;
  rows: SessionLine[];
  total: number;
  of: number;
  files: number;
  as_of: string;
};

/** Rows of one answer. */
export const PAGE_ROWS = 100;
/** Pages kept in the browser; those farthest from what is shown are let go. */
const PAGES_MAX = 20;

/** Numbers of the pages that rows [`first`, `last`] stand on. */
export function pagesFor(first: number, last: number): number[] {
  const from = Math.floor(Math.max(0, first) / PAGE_ROWS);
  const to = Math.floor(Math.max(0, last) / PAGE_ROWS);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The known pages with one more, without those farthest from it once there are too many. */
export function withPage<T>(known: ReadonlyMap<number, T>, number: number, page: T): Map<number, T> {
  const pages = new Map(known).set(number, page);
  while (pages.size > PAGES_MAX) {
    const [farthest] = [...pages.keys()].sort((a, b) => Math.abs(b - number) - Math.abs(a - number));
    if (farthest === undefined) break;
    pages.delete(farthest);
  }
  return pages;
}
