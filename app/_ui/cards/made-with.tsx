import type { CardColumn } from "#app/cards-view.ts";
import { count, DASH, duration, visible } from "#lib/format.ts";
import { columnWidth } from "./matrix-row.tsx";

/** How each card was made, as far as it tells. */
export function MadeWith({ columns }: { columns: CardColumn[] }) {
  const short = (hash: string | null) =>
    hash === null ? null : visible(hash.length > 16 ? `${hash.slice(0, 12)}…` : hash);
  const number = (n: number | null) => (n === null ? null : count(n));
  const rows: [string, (column: CardColumn) => string | null][] = [
    ["provider", ({ provider }) => visible(provider)],
    ["runs per case", ({ head }) => count(head.runs_per_case)],
    ["judge", ({ meta: { judge } }) => (judge === null ? null : visible(`${judge.provider}/${judge.model}`))],
    ["grader", ({ meta }) => short(meta.grader_version)],
    ["case set", ({ meta }) => short(meta.case_set_sha256)],
    ["fixture", ({ meta }) => short(meta.fixture_sha256)],
    ["sandbox", ({ meta }) => short(meta.sandbox)],
    ["seed", ({ meta }) => number(meta.seed)],
    ["concurrency", ({ meta }) => number(meta.concurrency)],
    ["wall clock", ({ wall_clock_ms }) => (wall_clock_ms === null ? null : duration(wall_clock_ms))],
  ];
  return (
    <details className="mt-3">
      <summary className="text-muted text-xs">How each card was made</summary>
      <table className="mt-2 w-full table-fixed text-xs">
        <colgroup>
          <col />
          {columns.map(({ name }) => (
            <col key={name} style={{ width: columnWidth(columns.length) }} />
          ))}
        </colgroup>
        <thead>
          <tr className="border-line border-b">
            <th scope="col">
              <span className="sr-only">What</span>
            </th>
            {columns.map(({ name, letter }) => (
              <th key={name} scope="col" className="px-2 py-1 text-left font-mono font-normal">
                {letter}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, of]) => (
            <tr key={name} className="border-line border-b">
              <th scope="row" className="py-1 pr-2 text-left font-normal text-muted">
                {name}
              </th>
              {columns.map((column) => (
                <td key={column.name} className="px-2 py-1 align-top">
                  {of(column) ?? <span className="text-muted">{DASH}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
