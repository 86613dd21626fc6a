import type { Look } from "./series.ts";

/** A point of a drawn line, in pixels; a missing coordinate is a gap. `thin` = under the floor of runs. */
export type LinePoint = { x: number | null; y: number | null; thin: boolean };

/**
 * One line as two paths: the well-founded stretches, and the faded ones that touch a point with too few runs.
 * A gap starts a new subpath and is never bridged.
 */
export function LineShape({ points, look, name }: { points: LinePoint[]; look: Look; name: string }) {
  const { solid, faded } = linePaths(points);
  const stroke = { fill: "none", stroke: look.color, strokeWidth: 1.75, strokeDasharray: look.dash };
  return (
    <g data-series={name}>
      {faded && <path d={faded} {...stroke} opacity={0.4} data-line="faded" />}
      {solid && <path d={solid} {...stroke} data-line="solid" />}
    </g>
  );
}

/** The `d` of both paths; empty where there is nothing to draw. */
export function linePaths(points: readonly LinePoint[]): { solid: string; faded: string } {
  const d = { solid: "", faded: "" };
  let open: keyof typeof d | null = null;
  for (const [index, to] of points.entries()) {
    const from = points[index - 1];
    if (from === undefined || isGap(from) || isGap(to)) {
      open = null;
      continue;
    }
    const kind = from.thin || to.thin ? "faded" : "solid";
    if (open !== kind) d[kind] += `M${from.x},${from.y}`;
    d[kind] += `L${to.x},${to.y}`;
    open = kind;
  }
  return d;
}

function isGap({ x, y }: LinePoint): boolean {
  return x === null || y === null;
}
