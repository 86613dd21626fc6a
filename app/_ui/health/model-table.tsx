"use client";

import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  type SortingState,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from "@tanstack/react-table";
import { parseAsString, useQueryState } from "nuqs";
import { visible } from "#lib/format.ts";
import { type Rate, ratio } from "#lib/rate.ts";
import { counted, grouped } from "../number.ts";
import { DerivedTag, RateValue, Untrusted } from "../rate.tsx";
import { CauseBar } from "../stop-causes.tsx";
import { CostValue } from "./cost.tsx";
import type { ModelRow } from "./model-row.ts";

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});
const helper = createColumnHelper<typeof features, ModelRow>();

/** What cannot be divided sorts last, whichever way the order goes. */
const share = (rate: Rate) => ratio(rate) ?? undefined;

const columns = helper.columns([
  helper.accessor("model", {
    header: "Model",
    sortFn: "alphanumeric",
    sortDescFirst: false,
    cell: ({ row: { original } }) => (
      <span className="inline-flex max-w-full items-center gap-2">
        {original.model === "" ? (
          <span className="text-muted">(no model)</span>
        ) : (
          <a href={original.chartHref} title="Only this model" className="link">
            <Untrusted mono>{visible(original.model)}</Untrusted>
          </a>
        )}
        {original.provenance === "derived" && <DerivedTag />}
      </span>
    ),
  }),
  helper.accessor("runs", {
    header: "Runs",
    sortDescFirst: true,
    cell: ({ row: { original } }) => (
      <a href={original.sessionsHref} title={`In ${counted(original.sessions, "session")}`} className="link">
        {grouped(original.runs)}
      </a>
    ),
  }),
  rateColumn("ended_on_failed_call", "Ended on a failed call"),
  rateColumn("tool_error_rate", "Tool errors"),
  rateColumn("cut_short", "Cut short"),
  helper.accessor((row) => row.cost.usd ?? undefined, {
    id: "cost",
    header: "Cost",
    sortUndefined: "last",
    sortDescFirst: true,
    cell: ({ row: { original } }) => <CostValue cost={original.cost} />,
  }),
  helper.display({
    id: "causes",
    header: "Stop causes",
    cell: ({ row: { original } }) => <CauseBar causes={original.causes} runs={original.runs} />,
  }),
]);

function rateColumn(key: "ended_on_failed_call" | "tool_error_rate" | "cut_short", header: string) {
  return helper.accessor((row) => share(row[key]), {
    id: key,
    header,
    sortUndefined: "last",
    sortDescFirst: true,
    cell: ({ row: { original } }) => <RateValue rate={original[key]} runs={original.runs} />,
  });
}

/** Columns that end at one line; rates have columns of their own inside theirs. */
const AT_RIGHT = new Set(["runs", "cost"]);

const SORTABLE = new Set(["model", ...AT_RIGHT, "ended_on_failed_call", "tool_error_rate", "cut_short"]);

/** The models side by side. The order is part of the address. */
export function ModelTable({ rows }: { rows: ModelRow[] }) {
  const [sort, setSort] = useQueryState(
    "sort",
    parseAsString.withDefault("-runs").withOptions({ history: "replace" }),
  );
  const sorting: SortingState = [{ id: sort.replace(/^-/, ""), desc: sort.startsWith("-") }];
  const table = useTable({
    features,
    columns,
    data: rows,
    getRowId: (row) => `${row.provenance} ${row.model}`,
    enableSortingRemoval: false,
    state: { sorting: SORTABLE.has(sorting[0]?.id ?? "") ? sorting : [] },
    onSortingChange: (update) => {
      const [first] = typeof update === "function" ? update(sorting) : update;
      void setSort(first === undefined ? null : `${first.desc ? "-" : ""}${first.id}`);
    },
  });
  return (
    <table className="block w-full text-sm md:table">
      <thead className="hidden text-muted text-xs md:table-header-group">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} className="border-strong border-b">
            {group.headers.map((header) => {
              const order = header.column.getIsSorted();
              return (
                <th
                  key={header.id}
                  scope="col"
                  aria-sort={order === "asc" ? "ascending" : order === "desc" ? "descending" : undefined}
                  className={`py-2 pr-4 lg:whitespace-nowrap font-normal ${AT_RIGHT.has(header.column.id) ? "text-right" : "text-left"}`}
                >
                  {header.column.getCanSort() ? (
                    <button
                      type="button"
                      onClick={header.column.getToggleSortingHandler()}
                      className="hover:text-ink"
                    >
                      <table.FlexRender header={header} />
                      <span aria-hidden="true">{order === "asc" ? " ↑" : order === "desc" ? " ↓" : ""}</span>
                    </button>
                  ) : (
                    <table.FlexRender header={header} />
                  )}
                </th>
              );
            })}
          </tr>
        ))}
      </thead>
      <tbody className="block md:table-row-group">
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id} className="row block border-line border-b py-2 md:table-row md:py-0">
            {row.getAllCells().map((cell) => (
              <td
                key={cell.id}
                className={`flex items-center justify-between gap-4 py-1 md:table-cell md:py-2 md:pr-4 ${AT_RIGHT.has(cell.column.id) ? "md:text-right" : ""}`}
              >
                <span className="shrink-0 text-muted text-xs md:hidden" aria-hidden="true">
                  {String(cell.column.columnDef.header)}
                </span>
                <table.FlexRender cell={cell} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
