import type { MouseEvent } from "react";
import type { MatrixRow } from "#lib/eval/matrix.ts";
import { visible } from "#lib/format.ts";
import { Untrusted } from "../rate.tsx";
import { ChangeTag, RunStrip } from "./marks.tsx";
import { letterOf, orderText, parseOrder } from "./matrix-order.ts";

export type ColumnName = { name: string; apart: boolean };

const WIDTHS = ["50%", "50%", "30%", "23%", "18.5%", "15.5%"];

/** The width of a card's column, the same above the matrix and in it: shares, because a table takes nothing else. */
export function columnWidth(columns: number): string {
  return WIDTHS[columns] ?? "15%";
}

function gridOf(columns: number): { gridTemplateColumns: string } {
  return { gridTemplateColumns: `minmax(0, 1fr) repeat(${columns}, ${columnWidth(columns)})` };
}

/** A gap before the cards that are not held against the baseline. */
export function apartEdge(columns: readonly { apart: boolean }[], at: number): string {
  return at > 0 && columns[at]?.apart && !columns[at - 1]?.apart ? "md:border-strong md:border-l" : "";
}

/** The column names, each of which sorts. */
export function MatrixHead({
  columns,
  sort,
  setSort,
}: {
  columns: ColumnName[];
  sort: string;
  setSort: (text: string) => void;
}) {
  const order = parseOrder(sort, columns.length);
  const button = (by: "case" | number, name: string, what: string) => {
    const own = order !== null && order.by === by;
    const next = !own ? { by, descending: false } : order.descending ? null : { by, descending: true };
    return (
      <button
        type="button"
        onClick={() => setSort(orderText(next))}
        aria-pressed={own}
        title={`Sort by ${what}`}
        className="max-w-full truncate text-left hover:text-ink hover:underline aria-pressed:text-ink"
      >
        {name}
        {own && <span aria-hidden="true">{order.descending ? " ↓" : " ↑"}</span>}
        {own && (
          <span className="sr-only">{order.descending ? ", sorted descending" : ", sorted ascending"}</span>
        )}
      </button>
    );
  };
  return (
    <div
      className="row-head sticky top-12 z-10 hidden h-8 items-center border-strong border-b text-muted text-xs md:grid"
      style={gridOf(columns.length)}
    >
      <span className="pr-2">{button("case", "Case", "case id")}</span>
      {columns.map(({ name }, at) => (
        <span key={name} className={`flex min-w-0 items-center gap-2 px-2 ${apartEdge(columns, at)}`}>
          <Letter at={at} />
          <span title={visible(name)} className="flex min-w-0">
            {button(at, visible(baseName(name)), "runs passed, the fewest first")}
          </span>
        </span>
      ))}
    </div>
  );
}

/** A card's name without its folders: where there is little room, its end tells it from the others. */
function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}

/** A card's letter; the baseline's is A. */
export function Letter({ at }: { at: number }) {
  return (
    <span
      title={at === 0 ? "the baseline" : undefined}
      className={`inline-grid size-5 shrink-0 place-items-center rounded font-mono text-xs ${at === 0 ? "bg-ink text-ground" : "border border-strong text-ink"}`}
    >
      {letterOf(at)}
    </span>
  );
}

/** One case: its id, then how each card's runs of it went. */
export function CaseRow({
  row,
  columns,
  ranked,
  tags,
  href,
  open,
}: {
  row: MatrixRow;
  columns: ColumnName[];
  ranked: number[];
  tags: string;
  href: string;
  open: () => void;
}) {
  function onClick(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    open();
  }
  return (
    <div className="h-full py-1.5 md:grid md:items-center md:py-0" style={gridOf(columns.length)}>
      <span className="flex min-w-0 items-baseline gap-3 md:pr-2">
        <a
          href={href}
          onClick={onClick}
          className="max-w-full shrink-0 truncate text-sm hover:text-accent hover:underline"
          title={visible(row.id)}
        >
          <Untrusted mono>{visible(row.id)}</Untrusted>
        </a>
        <bdi className="min-w-0 truncate text-muted text-xs" title={tags}>
          {tags}
        </bdi>
      </span>
      <span className="grid grid-cols-2 md:contents">
        {columns.map(({ name }, at) => (
          <span
            key={name}
            className={`flex h-[22px] min-w-0 items-center gap-2 md:h-full md:px-2 ${apartEdge(columns, at)}`}
          >
            <span className="font-mono text-muted text-xs md:sr-only">{letterOf(at)}</span>
            <RunStrip cell={row.cells[at] ?? ""} />
            {at > 0 && ranked.includes(at) && (
              <ChangeTag baseline={row.cells[0] ?? ""} cell={row.cells[at] ?? ""} />
            )}
          </span>
        ))}
      </span>
    </div>
  );
}
