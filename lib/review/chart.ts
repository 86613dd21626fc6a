import { percent } from "#lib/format.ts";
import type { Marker } from "#lib/health/markers.ts";
import type { Metric } from "#lib/health/tally.ts";
import { ratio } from "#lib/rate.ts";
import { DAY_MS } from "#lib/time.ts";
import { node, type SvgNode } from "#lib/verdict/svg.ts";
import type { ModelReview, WeekPoint } from "./models.ts";
import { againstLimits, RATE_WORDS, rateText } from "./words.ts";

const WIDTH = 320;
const HEIGHT = 104;
const LEFT = 38;
const RIGHT = 8;
const TOP = 12;
const BOTTOM = 18;
const DOT = 2.75;

/** Ends of a scale that read well, as shares. */
const SCALES = [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1];

/** The top of the scale on which every model of a report shows a rate: charts side by side are read against each other. */
export function scaleTop(models: readonly ModelReview[], metric: Metric): number {
  const shares = models.flatMap(({ rates }) =>
    rates[metric].weeks.flatMap(({ rate, limits }) => [ratio(rate) ?? 0, limits?.[1] ?? 0]),
  );
  const most = shares.reduce((top, share) => Math.max(top, share), 0);
  return SCALES.find((top) => top >= most) ?? 1;
}

export type ChartAsk = { metric: Metric; top: number; markers: readonly Marker[] };

/**
 * One rate of one model over nine weeks. A week without anything to count is a gap; under 20 runs a point is hollow;
 * outside its limits it is a diamond. The shaded band is what the weeks before each week make likely, the thin bars are
 * Wilson intervals. All looks come from the classes, so that a page, a file and a printer each dress it their way.
 */
export function rateChart(model: ModelReview, { metric, top, markers }: ChartAsk): SvgNode {
  const { weeks } = model.rates[metric];
  const at = placesOf(weeks, top);
  return node(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      role: "img",
      "aria-label": spoken(model, metric),
    },
    [
      ...axis(weeks, at, top),
      ...bands(weeks, at),
      ...markers.map((marker) => flag(marker, weeks, at)),
      ...weeks.flatMap((week, i) => whisker(week, i, at)),
      node("path", { class: "line", d: linePath(weeks, at) }),
      ...weeks.flatMap((week, i) => dot(week, i, at)),
    ],
  );
}

type Places = { x(i: number): number; y(share: number): number; step: number };

function placesOf(weeks: readonly WeekPoint[], top: number): Places {
  const step = (WIDTH - LEFT - RIGHT) / Math.max(1, weeks.length);
  const high = HEIGHT - TOP - BOTTOM;
  return {
    step,
    x: (i) => round(LEFT + (i + 0.5) * step),
    y: (share) => round(TOP + high * (1 - Math.min(1, share / top))),
  };
}

function axis(weeks: readonly WeekPoint[], at: Places, top: number): SvgNode[] {
  const label = (share: number) => percent({ hits: share, of: 1 }, 0);
  const named = weeks.flatMap(({ bucket }, i) => ((weeks.length - 1 - i) % 4 === 0 ? [{ bucket, i }] : []));
  return [
    ...[0, top].flatMap((share) => [
      node("path", { class: "axis", d: `M${LEFT},${at.y(share)}H${WIDTH - RIGHT}` }),
      text(LEFT - 5, at.y(share) + 4, label(share), "end"),
    ]),
    ...named.map(({ bucket, i }) => text(at.x(i), HEIGHT - 4, bucket.slice(5), "middle")),
  ];
}

function bands(weeks: readonly WeekPoint[], at: Places): SvgNode[] {
  return weeks.flatMap(({ limits, centre }, i) => {
    if (limits === null) return [];
    const x = round(at.x(i) - at.step / 2);
    const [low, high] = [at.y(limits[0]), at.y(limits[1])];
    const middle = at.y(centre ?? 0);
    return [
      node("rect", { class: "band", x, y: high, width: round(at.step), height: round(low - high) }),
      node("path", { class: "centre", d: `M${x},${middle}h${round(at.step)}` }),
    ];
  });
}

function whisker({ interval, faded }: WeekPoint, i: number, at: Places): SvgNode[] {
  if (interval === null || faded) return [];
  return [node("path", { class: "whisker", d: `M${at.x(i)},${at.y(interval[0])}V${at.y(interval[1])}` })];
}

function linePath(weeks: readonly WeekPoint[], at: Places): string {
  let pen = "M";
  return weeks
    .map(({ rate }, i) => {
      const share = ratio(rate);
      const drawn = share === null ? "" : `${pen}${at.x(i)},${at.y(share)}`;
      pen = share === null ? "M" : "L";
      return drawn;
    })
    .join("");
}

function dot({ rate, faded, out }: WeekPoint, i: number, at: Places): SvgNode[] {
  const share = ratio(rate);
  if (share === null) return [];
  const [x, y] = [at.x(i), at.y(share)];
  if (out !== null) return [node("path", { class: "out", d: `M${x},${round(y - 6)}l6,6l-6,6l-6,-6Z` })];
  return [node("circle", { class: faded ? "thin" : "dot", cx: x, cy: y, r: DOT })];
}

/** A flag stands at its day within the week it is dated in. */
function flag({ at: stamp }: Marker, weeks: readonly WeekPoint[], at: Places): SvgNode {
  const ms = Date.parse(stamp);
  const i = Math.max(
    0,
    weeks.findLastIndex(({ start }) => Date.parse(start) <= ms),
  );
  const share = Math.min(1, (ms - Date.parse(weeks[i]?.start ?? stamp)) / (7 * DAY_MS));
  const x = round(at.x(i) + (share - 0.5) * at.step);
  return node("path", { class: "flag", d: `M${x},${TOP}l-4,-7h8ZM${x},${TOP}V${HEIGHT - BOTTOM}` });
}

function spoken(model: ModelReview, metric: Metric): string {
  const { weeks, rate, before } = model.rates[metric];
  return `${RATE_WORDS[metric]} over ${weeks.length} weeks: ${rateText(rate)} this week, ${againstLimits(model.rates[metric], model.runs)}; ${rateText(before)} in the weeks before`;
}

function text(x: number, y: number, content: string, anchor: "end" | "middle"): SvgNode {
  return node("text", { x, y, "text-anchor": anchor }, [content]);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
