import type { Look } from "./series.ts";

/** The mark of a line at a point. Faded and hollow = under the floor of runs. */
export function Mark({ look, x, y, thin = false }: { look: Look; x: number; y: number; thin?: boolean }) {
  const hollow = thin || look.mark === "ring" || look.mark === "cross";
  return (
    <path
      d={markPath(look.mark, x, y)}
      fill={hollow ? "var(--ground)" : look.color}
      stroke={look.color}
      strokeWidth={1.5}
      opacity={thin ? 0.5 : 1}
    />
  );
}

function markPath(mark: Look["mark"], x: number, y: number): string {
  switch (mark) {
    case "circle":
    case "ring":
      return `M${x - 3},${y}a3,3 0 1,0 6,0a3,3 0 1,0 -6,0Z`;
    case "square":
      return `M${x - 3},${y - 3}h6v6h-6Z`;
    case "triangle":
      return `M${x},${y - 4}l4,7h-8Z`;
    case "diamond":
      return `M${x},${y - 4}l4,4l-4,4l-4,-4Z`;
    case "cross":
      return `M${x - 3},${y - 3}l6,6m0,-6l-6,6`;
    default:
      return mark satisfies never;
  }
}

/** The sample of a line that stands beside its name. */
export function LineSample({ look }: { look: Look }) {
  return (
    <svg width="28" height="10" viewBox="0 0 28 10" aria-hidden="true" className="shrink-0">
      <path d="M0,5h28" stroke={look.color} strokeWidth={1.75} strokeDasharray={look.dash} fill="none" />
      <Mark look={look} x={14} y={5} />
    </svg>
  );
}
