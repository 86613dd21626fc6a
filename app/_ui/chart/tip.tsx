import { percent, visible } from "#lib/format.ts";
import { RUNS_FLOOR, wilson } from "#lib/rate.ts";
import { LineSample } from "./mark.tsx";
import { type ChartData, type ChartPoint, lookOf } from "./series.ts";

/** What stands beside the pointer: the numbers of one bucket. */
export function PlotTip({ data, bucket }: { data: ChartData; bucket: number }) {
  const rows = data.series.flatMap(({ model, provenance, points }, index) => {
    const point = points[bucket];
    return point ? [{ key: `${provenance} ${model}`, model, point, look: lookOf(index) }] : [];
  });
  return (
    <div className="rounded border border-line bg-ground px-3 py-2 text-xs shadow-md">
      <p className="mb-1 font-semibold">{data.buckets[bucket]?.key}</p>
      {rows.length === 0 && <p className="text-muted">no runs</p>}
      <table>
        <tbody>
          {rows.map(({ key, model, point, look }) => (
            <tr key={key}>
              <td className="pr-2">
                <LineSample look={look} />
              </td>
              <th scope="row" className="max-w-48 truncate pr-3 text-left font-normal">
                {visible(model)}
              </th>
              <td className="pr-2 text-right font-semibold">{percent(point, 1)}</td>
              <td className="pr-3 text-muted">
                {point.hits} / {point.of}
              </td>
              <td className="text-muted">{remark(point)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What qualifies a rate: how sure it is, too little evidence, outside its limits. */
export function remark(point: ChartPoint): string {
  const interval = wilson(point);
  const parts = [
    interval === null ? null : `95 %: ${percentOf(interval[0])} to ${percentOf(interval[1])}`,
    point.runs < RUNS_FLOOR ? `n = ${point.runs}, too few` : null,
    point.outside === null ? null : `${point.outside} its limits`,
  ];
  return parts.filter((part) => part !== null).join(" · ");
}

/** A fraction as a percentage with one decimal. */
export function percentOf(share: number): string {
  return percent({ hits: share, of: 1 }, 1);
}
