import type { ReactNode } from "react";
import type { CardColumn } from "#app/cards-view.ts";
import { duration, fixed } from "#lib/format.ts";
import { CardHead } from "./card-head.tsx";
import { CardRate } from "./card-rate.tsx";
import {
  Against,
  anyRun,
  costCell,
  curveCell,
  errorsCell,
  flakyCell,
  hasCost,
  madeCell,
  runsCell,
  tokensCell,
  told,
} from "./head-cells.tsx";
import { letterOf } from "./matrix-order.ts";
import { apartEdge, columnWidth } from "./matrix-row.tsx";

/** The headline of each card, a column each, in the same columns as the matrix below. */
export function HeadTable({
  columns,
  zone,
  linksOf,
}: {
  columns: CardColumn[];
  zone: string;
  linksOf: (at: number) => ReactNode;
}) {
  const repeated = columns.some(({ head }) => head.runs_per_case > 1);
  return (
    <table className="block w-full table-fixed text-sm md:table">
      <caption className="sr-only">The headline of each card</caption>
      <colgroup>
        <col />
        {columns.map(({ name }) => (
          <col key={name} style={{ width: columnWidth(columns.length) }} />
        ))}
      </colgroup>
      <thead className="block md:table-header-group">
        <tr className="block border-strong border-b md:table-row">
          <th scope="col" className="hidden text-left font-normal text-muted text-xs md:table-cell">
            <span className="sr-only">Measure</span>
          </th>
          {columns.map((column, at) => (
            <th
              key={column.name}
              scope="col"
              className={`block py-2 text-left align-top font-normal md:table-cell md:px-2 ${apartEdge(columns, at)}`}
            >
              <CardHead column={column} at={at} links={linksOf(at)} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="block md:table-row-group">
        <Row
          name="Passed, all runs"
          under="a case counts when every run passed"
          columns={columns}
          cell={({ head }) => <CardRate rate={{ hits: head.passed, of: head.total }} />}
        />
        {repeated && <Row name="Passed, any run" columns={columns} cell={anyRun} />}
        {columns.length > 1 && (
          <Row
            name="Against the baseline"
            columns={columns}
            cell={(column, at) => <Against column={column} at={at} />}
          />
        )}
        {repeated && (
          <Row
            name="pass^k and pass@k"
            under="the gap between the lines is unreliability"
            columns={columns}
            cell={curveCell}
          />
        )}
        <Row name="Runs" under="scored · errored · not scored · all" columns={columns} cell={runsCell} />
        {repeated && (
          <Row name="Flaky cases" under="some but not all runs passed" columns={columns} cell={flakyCell} />
        )}
        <Row name="Checks passed" columns={columns} cell={({ checks }) => <CardRate rate={checks} />} />
        <Row
          name="Tool errors"
          under="malformed arguments · invented tools"
          columns={columns}
          cell={errorsCell}
        />
        <Row
          name="Mean turns"
          columns={columns}
          cell={({ head }) => told(head.mean_turns, (n) => fixed(n, 1))}
        />
        <Row
          name="Median latency"
          columns={columns}
          cell={({ head }) => told(head.median_latency_ms, duration)}
        />
        <Row name="Tokens in · out" columns={columns} cell={tokensCell} />
        {columns.some(hasCost) && <Row name="Cost" columns={columns} cell={costCell} />}
        {columns.some(({ meta }) => meta.created_at !== null) && (
          <Row name="Made" columns={columns} cell={({ meta }) => madeCell(meta.created_at, zone)} />
        )}
      </tbody>
    </table>
  );
}

function Row({
  name,
  under,
  columns,
  cell,
}: {
  name: string;
  under?: string;
  columns: CardColumn[];
  cell: (column: CardColumn, at: number) => ReactNode;
}) {
  return (
    <tr className="block border-line border-b py-1.5 md:table-row md:py-0">
      <th scope="row" className="block text-left font-normal md:table-cell md:py-1.5 md:pr-4 md:align-top">
        {name}
        {under !== undefined && <span className="ml-2 text-muted text-xs lg:ml-0 lg:block">{under}</span>}
      </th>
      {columns.map((column, at) => (
        <td
          key={column.name}
          className={`flex gap-2 py-0.5 md:table-cell md:px-2 md:py-1.5 md:align-top ${apartEdge(columns, at)}`}
        >
          <span className="w-5 shrink-0 font-mono text-muted text-xs leading-5 md:hidden">
            {letterOf(at)}
          </span>
          <div className="min-w-0">{cell(column, at)}</div>
        </td>
      ))}
    </tr>
  );
}
