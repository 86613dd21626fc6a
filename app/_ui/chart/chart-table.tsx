import { DASH, percent, visible } from "#lib/format.ts";
import { RUNS_FLOOR } from "#lib/rate.ts";
import type { ChartData, ChartPoint } from "./series.ts";
import { remark } from "./tip.tsx";

/** The numbers behind a chart, newest bucket first. */
export function ChartTable({ data, title }: { data: ChartData; title: string }) {
  const { buckets, series } = data;
  const newestFirst = buckets.map((bucket, index) => ({ bucket, index })).reverse();
  return (
    <section
      aria-label={title}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
      tabIndex={0}
      className="max-h-96 overflow-auto border-line border-y print:max-h-none print:overflow-visible"
    >
      <table className="w-full text-sm">
        <caption className="sr-only">{title}</caption>
        <thead className="sticky top-0 bg-ground text-muted text-xs">
          <tr>
            <th scope="col" className="py-1 pr-4 text-left font-normal">
              Bucket
            </th>
            {series.map(({ provenance, model }) => (
              <th key={`${provenance} ${model}`} scope="col" className="px-3 py-1 text-right font-normal">
                <bdi className="inline-block max-w-48 truncate align-bottom" title={visible(model)}>
                  {visible(model)}
                </bdi>
                {provenance === "derived" && " (derived)"}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {newestFirst.map(({ bucket, index }) => (
            <tr key={bucket.key} className="border-line border-t">
              <th scope="row" className="whitespace-nowrap py-1 pr-4 text-left font-normal">
                {bucket.key}
              </th>
              {series.map(({ provenance, model, points }) => (
                <td key={`${provenance} ${model}`} className="whitespace-nowrap px-3 py-1 text-right">
                  <Cell point={points[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Cell({ point }: { point: ChartPoint | null }) {
  if (point === null) return <span title="no runs">{DASH}</span>;
  const thin = point.runs < RUNS_FLOOR;
  return (
    <span title={remark(point)}>
      {point.outside && (
        <span className="mr-1 text-broken">
          <span aria-hidden="true">!</span>
          <span className="sr-only">{point.outside} its limits: </span>
        </span>
      )}
      <span className={thin ? "text-muted" : ""}>{percent(point, 1)}</span>{" "}
      <span className="text-muted text-xs">
        {point.hits} / {point.of}
        {thin && ` · n = ${point.runs}`}
      </span>
    </span>
  );
}
