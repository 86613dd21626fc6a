"use client";

import {
  Area,
  CartesianGrid,
  ComposedChart,
  type DotItemDotProps,
  Line,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { percent } from "#lib/format.ts";
import { RUNS_FLOOR, ratio, wilson } from "#lib/rate.ts";
import { EndLabels, type LastPoint, LimitLines, MarkerFlags } from "./layers.tsx";
import { LineShape } from "./line-shape.tsx";
import { Mark } from "./mark.tsx";
import { topOf } from "./scale.ts";
import { type ChartData, type ChartSeries, lookOf } from "./series.ts";
import { PlotTip } from "./tip.tsx";

/** Rows of the plot: `v0` the share of series 0 and `b0` its interval, or null where nothing was counted. */
type Row = {
  x: number;
  bucket: number;
  [key: `v${number}`]: number | null;
  [key: `b${number}`]: [number, number] | null;
};

/** Bands of more lines than these would hide each other. */
const BANDS_MAX = 2;

/** The drawing of a rate over time. It exists in the browser only; the table behind it holds the same numbers. */
export default function Plot({ data, labels, title }: { data: ChartData; labels: boolean; title: string }) {
  const rows = rowsOf(data);
  const top = topOf(data);
  const { buckets, series, markers, threshold } = data;
  const ticks = buckets.map(({ start, end }) => (start + end) / 2);
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ComposedChart
        data={rows}
        margin={{ top: 24, right: labels ? 176 : 12, bottom: 0, left: 0 }}
        title={title}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="x"
          type="number"
          domain={[buckets[0]?.start ?? 0, buckets.at(-1)?.end ?? 1]}
          ticks={ticks}
          interval="equidistantPreserveStart"
          tickFormatter={(x: number) => buckets[ticks.indexOf(x)]?.label ?? ""}
          minTickGap={16}
          tick={{ fill: "var(--muted)", fontSize: 12 }}
          tickLine={false}
          axisLine={{ stroke: "var(--strong)" }}
        />
        <YAxis
          domain={[0, top]}
          allowDataOverflow
          tickFormatter={(share: number) => percent({ hits: share, of: 1 }, top < 0.04 ? 1 : 0)}
          tickCount={5}
          tick={{ fill: "var(--muted)", fontSize: 12 }}
          tickLine={false}
          axisLine={false}
          width={44}
        />
        {series.length <= BANDS_MAX &&
          series.map(({ model, provenance }, index) => (
            <Area
              key={`${provenance} ${model}`}
              dataKey={`b${index}`}
              type="linear"
              connectNulls={false}
              isAnimationActive={false}
              stroke="none"
              fill={lookOf(index).color}
              fillOpacity={0.13}
              activeDot={false}
              legendType="none"
            />
          ))}
        {series.length === 1 && series[0] && <LimitLines buckets={buckets} series={series[0]} />}
        {threshold !== null && threshold <= top && (
          <ReferenceLine
            y={threshold}
            stroke="var(--attention)"
            strokeDasharray="2 4"
            label={{
              value: "doctor's threshold",
              position: "insideTopLeft",
              fill: "var(--attention)",
              fontSize: 12,
            }}
          />
        )}
        <MarkerFlags markers={markers} />
        {series.map((one, index) => (
          <SeriesLine key={`${one.provenance} ${one.model}`} series={one} index={index} />
        ))}
        {labels && <EndLabels buckets={buckets} series={series} hits={lastPoints(data)} />}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--strong)" }}
          content={({ active, payload }) => {
            const bucket = (payload?.[0]?.payload as Row | undefined)?.bucket;
            return active && bucket !== undefined ? <PlotTip data={data} bucket={bucket} /> : null;
          }}
        />
      </ComposedChart>
    </ResponsiveContainer>
  );
}

/** Marks on one line: more would hide it. What stands alone or outside its limits is always marked. */
const MARKS_MAX = 45;

/** One line with its marks; a ring stands around a point that left its limits. */
function SeriesLine({ series: { model, points }, index }: { series: ChartSeries; index: number }) {
  const look = lookOf(index);
  const every = Math.ceil(points.length / MARKS_MAX);
  const isMarked = (bucket: number) =>
    bucket % every === 0 || points[bucket]?.outside != null || (!points[bucket - 1] && !points[bucket + 1]);
  const isThin = (bucket: number) => (points[bucket]?.runs ?? 0) < RUNS_FLOOR;
  return (
    <Line
      dataKey={`v${index}`}
      type="linear"
      connectNulls={false}
      isAnimationActive={false}
      activeDot={false}
      shape={(shape: { points?: readonly LineCoordinate[] }) => (
        <LineShape
          look={look}
          name={model}
          points={(shape.points ?? []).map(({ x, y }, bucket) => ({ x, y, thin: isThin(bucket) }))}
        />
      )}
      dot={({ cx, cy, index: bucket, key }: DotItemDotProps) => (
        <g key={key}>
          {cx != null && cy != null && points[bucket] && (
            <>
              {points[bucket].outside && (
                <circle
                  cx={cx}
                  cy={cy}
                  r={8}
                  fill="none"
                  stroke="var(--broken)"
                  strokeWidth={1.5}
                  data-outside=""
                />
              )}
              {isMarked(bucket) && <Mark look={look} x={cx} y={cy} thin={isThin(bucket)} />}
            </>
          )}
        </g>
      )}
    />
  );
}

type LineCoordinate = { x: number | null; y: number | null };

function rowsOf({ buckets, series }: ChartData): Row[] {
  return buckets.map(({ start, end }, bucket) => {
    const row: Row = { x: (start + end) / 2, bucket };
    for (const [index, { points }] of series.entries()) {
      const point = points[bucket];
      row[`v${index}`] = point ? ratio(point) : null;
      row[`b${index}`] = point ? wilson(point) : null;
    }
    return row;
  });
}

function lastPoints({ series }: ChartData): LastPoint[] {
  return series.flatMap(({ points }, index) => {
    const bucket = points.findLastIndex((point) => point !== null && ratio(point) !== null);
    const point = points[bucket];
    return point ? [{ index, bucket, value: ratio(point) ?? 0 }] : [];
  });
}
