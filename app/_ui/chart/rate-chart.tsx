"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useMemo, useState } from "react";
import { visible } from "#lib/format.ts";
import { useMedia } from "../use-media.ts";
import { ChartTable } from "./chart-table.tsx";
import { LineSample } from "./mark.tsx";
import { type ChartData, LINES_MAX, lookOf, type PackedChart, unpackChart } from "./series.ts";

// recharts draws in the browser only, and its code is not needed before the numbers above it can be read.
const Plot = dynamic(() => import("./plot.tsx"), {
  ssr: false,
  loading: () => <div className="skeleton size-full" />,
});

const VIEWS = ["chart", "table"] as const;

/** A rate over time as a chart, with what stands out said above it, and the table of the same numbers one click away and on paper. */
export function RateChart({ packed, title, lead }: { packed: PackedChart; title: string; lead?: ReactNode }) {
  const data = useMemo(() => unpackChart(packed), [packed]);
  const [view, setView] = useState<(typeof VIEWS)[number]>("chart");
  const wide = useMedia("(min-width: 768px)");
  const printing = useMedia("print");
  const drawn = { ...data, series: data.series.slice(0, LINES_MAX) };
  const more = data.series.length - drawn.series.length;
  return (
    <figure aria-label={title}>
      <div className="mb-2 flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 text-sm">{lead}</div>
        <fieldset className="flex shrink-0 rounded border border-line print:hidden">
          <legend className="sr-only">Show as</legend>
          {VIEWS.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => setView(name)}
              className="h-7 px-3 text-muted text-sm capitalize first:rounded-l last:rounded-r hover:text-ink aria-pressed:bg-hover aria-pressed:text-ink"
            >
              {name}
            </button>
          ))}
        </fieldset>
      </div>
      {view === "chart" && (
        <>
          <div className="h-72 w-full text-xs print:h-56">
            <Plot data={drawn} labels={wide} title={title} />
          </div>
          <Legend data={drawn} more={more} />
        </>
      )}
      {(view === "table" || printing) && <ChartTable data={data} title={title} />}
    </figure>
  );
}

/** Names of the lines where they are not written at their ends, and what the drawing means. */
function Legend({ data, more }: { data: ChartData; more: number }) {
  return (
    <figcaption className="mt-2 text-muted text-xs">
      <ul className="mb-1 flex flex-wrap gap-x-4 gap-y-1 text-ink md:hidden">
        {data.series.map(({ provenance, model }, index) => (
          <li key={`${provenance} ${model}`} className="flex min-w-0 items-center gap-2">
            <LineSample look={lookOf(index)} />
            <bdi className="truncate">{visible(model)}</bdi>
          </li>
        ))}
      </ul>
      Gap = no runs. Faded and hollow = under 20 runs.
      {data.series.length <= 2 && " Band = 95 % interval."}
      {data.series.length === 1 && " Dashed = control limits from the model's earlier history."}
      {" A ring = outside its control limits."}
      {more > 0 && ` ${more} more ${more === 1 ? "model is" : "models are"} in the table.`}
    </figcaption>
  );
}
