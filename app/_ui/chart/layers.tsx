"use client";

import { usePlotArea, useXAxisScale, useYAxisScale } from "recharts";
import { Mark } from "./mark.tsx";
import { spread } from "./scale.ts";
import { type ChartBucket, type ChartMarker, type ChartSeries, labelOf, lookOf } from "./series.ts";

/** The limits of one series: a step for each bucket, because they widen where there are fewer runs. */
export function LimitLines({ buckets, series }: { buckets: ChartBucket[]; series: ChartSeries }) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  if (toX === undefined || toY === undefined) return null;
  const d = ["", "", ""];
  for (const [index, bucket] of buckets.entries()) {
    const limits = series.limits[index];
    if (limits == null) continue;
    const [from, to] = [toX(bucket.start), toX(bucket.end)];
    for (const [line, value] of limits.entries()) d[line] += `M${from},${toY(value)}H${to}`;
  }
  const [low, centre, high] = d;
  return (
    <g fill="none" stroke="var(--muted)" data-layer="limits">
      <path d={centre} strokeWidth={1} opacity={0.7} />
      <path d={low} strokeWidth={1} strokeDasharray="3 3" />
      <path d={high} strokeWidth={1} strokeDasharray="3 3" />
    </g>
  );
}

/** More changes than these are flags without a line: lines would bury the data. */
const RULED_MAX = 12;

/** A numbered flag at the date of each change of settings; the list below the chart says what changed. */
export function MarkerFlags({ markers }: { markers: ChartMarker[] }) {
  const toX = useXAxisScale();
  const area = usePlotArea();
  if (toX === undefined || area === undefined) return null;
  let lastX = Number.NEGATIVE_INFINITY;
  return (
    <g data-layer="markers">
      {markers.map((marker, index) => {
        const x = toX(marker.at);
        if (x === undefined) return null;
        // Numbers that would touch are left to the list.
        const named = x - lastX >= 8 + 6 * String(index + 1).length;
        if (named) lastX = x;
        return (
          <g key={`${marker.date} ${marker.provenance} ${marker.text}`}>
            {markers.length <= RULED_MAX && (
              <path d={`M${x},${area.y}V${area.y + area.height}`} stroke="var(--line)" strokeWidth={1} />
            )}
            <path d={`M${x - 4},${area.y - 6}h8l-4,6Z`} fill="var(--muted)" />
            {named && (
              <text x={x} y={area.y - 9} textAnchor="middle" fontSize={11} fill="var(--muted)">
                {index + 1}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

/** The name of each line at its last point, pushed apart where they would overlap. */
export function EndLabels({
  buckets,
  series,
  hits,
}: {
  buckets: ChartBucket[];
  series: ChartSeries[];
  hits: LastPoint[];
}) {
  const toX = useXAxisScale();
  const toY = useYAxisScale();
  const area = usePlotArea();
  if (toX === undefined || toY === undefined || area === undefined) return null;
  const bottom = area.y + area.height;
  const labels = hits
    .map(({ index, bucket, value }) => ({
      index,
      // A line that ended long ago is named without a thread across the whole chart.
      near: bucket >= buckets.length - NEAR_BUCKETS,
      name: labelOf(series[index], series),
      x: toX(middle(buckets[bucket])) ?? area.x,
      y: Math.max(area.y, Math.min(bottom, toY(value) ?? bottom)),
    }))
    .sort((a, b) => a.y - b.y);
  const placed = spread(
    labels.map(({ y }) => y),
    { gap: 15, min: area.y + 4, max: bottom - 4 },
  );
  const edge = area.x + area.width;
  return (
    <g data-layer="labels" fontSize={12}>
      {labels.map(({ index, near, name, x, y }, place) => {
        const at = placed[place] ?? y;
        return (
          <g key={index}>
            {near && <path d={`M${x + 5},${y}L${edge + 6},${at}`} stroke="var(--line)" fill="none" />}
            <Mark look={lookOf(index)} x={edge + 12} y={at} />
            <text x={edge + 20} y={at + 4} fill="var(--ink)">
              {name}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** A label is tied to a point at most so far from the end. */
const NEAR_BUCKETS = 4;

/** Where a line ends. */
export type LastPoint = { index: number; bucket: number; value: number };

function middle(bucket: ChartBucket | undefined): number {
  return bucket === undefined ? 0 : (bucket.start + bucket.end) / 2;
}
