import { count } from "#lib/format.ts";
import { node, type SvgNode } from "./svg.ts";
import type { SliceView, VerdictView } from "./view.ts";

const WIDTH = 400;
const LABELS = 72;
const ROW = 24;
const BAR = 13;
/** Room at the right for the count behind a bar. */
const COUNTS = 40;

/**
 * Wins, losses and ties of each slice as bars over one common scale: a holdout of four looks as small as it is.
 * The classes `better`, `worse` and `same` (and `mark` below) carry the colours; each bar has its sign and count beside it.
 */
export function slicesChart(slices: readonly SliceView[]): SvgNode {
  const most = slices.reduce((n, { tally }) => Math.max(n, tally.wins, tally.losses, tally.ties), 1);
  const rows = slices.flatMap(({ slice, tally }) => [
    { label: `${slice}  +`, n: tally.wins, kind: "better" },
    { label: "−", n: tally.losses, kind: "worse" },
    { label: "=", n: tally.ties, kind: "same" },
  ]);
  const scale = (WIDTH - LABELS - COUNTS) / most;
  const height = rows.length * (BAR + 6) + ROW - 12;
  const drawn = rows.map((row, at) => {
    const y = at * (BAR + 6) + (at >= 3 ? ROW - 12 : 0);
    const width = row.n * scale;
    return node("g", {}, [
      text(LABELS - 8, y + BAR - 4, row.label, "end"),
      node("rect", { class: row.kind, x: LABELS, y, width: round(width), height: BAR, rx: 2 }),
      text(LABELS + round(width) + 6, y + BAR - 4, count(row.n), "start"),
    ]);
  });
  const words = slices
    .map(
      ({ slice, tally }) => `${slice}: ${tally.wins} better, ${tally.losses} worse, ${tally.ties} the same`,
    )
    .join("; ");
  return frame(height, words, drawn);
}

/** The candidate's tool calls against the baseline's, with the line under which the work has fallen too far. */
export function workChart(work: NonNullable<VerdictView["work"]>): SvgNode {
  const most = Math.max(work.baseline, work.candidate, 1);
  const scale = (WIDTH - LABELS - COUNTS - 20) / most;
  const floor = LABELS + work.baseline * work.floor * scale;
  const bar = (y: number, label: string, n: number, kind: string) => [
    text(LABELS - 8, y + BAR - 4, label, "end"),
    node("rect", { class: kind, x: LABELS, y, width: round(n * scale), height: BAR, rx: 2 }),
    text(LABELS + round(n * scale) + 6, y + BAR - 4, count(Math.round(n)), "start"),
  ];
  const fell = work.baseline > 0 && work.candidate < work.baseline * work.floor;
  const line =
    work.baseline === 0
      ? []
      : [
          node("line", { class: "floor", x1: round(floor), x2: round(floor), y1: 12, y2: 58 }),
          text(round(floor), 9, `${work.floor * 100}%`, "middle"),
        ];
  const words = `tool calls: ${count(Math.round(work.baseline))} in the baseline, ${count(Math.round(work.candidate))} in the candidate`;
  return frame(60, words, [
    ...bar(18, "baseline", work.baseline, "same"),
    ...bar(18 + BAR + 8, "candidate", work.candidate, fell ? "worse" : "mark"),
    ...line,
  ]);
}

function frame(height: number, label: string, children: SvgNode[]): SvgNode {
  return node(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${height}`,
      width: WIDTH,
      height,
      role: "img",
      "aria-label": label,
    },
    children,
  );
}

function text(x: number, y: number, content: string, anchor: "start" | "middle" | "end"): SvgNode {
  return node("text", { x, y, "text-anchor": anchor }, [content]);
}

function round(n: number): number {
  return Math.round(n * 100) / 100;
}
