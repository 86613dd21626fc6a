import { MARK_SIGNS } from "#lib/eval/mark.ts";
import type { CurvePoint, Reliability, RepeatedCase } from "#lib/eval/reliability.ts";
import { count, percent, visible } from "#lib/format.ts";

/** Points of a curve and flaky cases that are printed; of more, the number is said. */
const POINTS_MAX = 10;
const CASES_MAX = 50;

/** How dependable repeated runs are: what k of them would do, and the cases that some of them passed. */
export function reliabilityText({ cases, curve, flaky_runs, warnings }: Reliability): string {
  const flaky = cases.filter((one) => one.flaky);
  const lines = [
    "reliability",
    row("k", curve, ({ k }) => String(k)),
    row("pass^k (all of k)", curve, ({ pass_all }) => percent({ hits: pass_all, of: 1 }, 1)),
    row("pass@k (any of k)", curve, ({ pass_any }) => percent({ hits: pass_any, of: 1 }, 1)),
    ...(curve.some((point) => point.cases < cases.length)
      ? [row("cases with k runs", curve, (point) => count(point.cases))]
      : []),
    `  ${"flaky".padEnd(LABEL)}${flaky.length}/${cases.length} cases, ${flaky_runs.hits}/${flaky_runs.of} runs say otherwise than most of their case`,
    ...flaky.slice(0, CASES_MAX).map((one) => `    ${strip(one)}  ${visible(one.id)}`),
    ...(flaky.length > CASES_MAX ? [`    and ${flaky.length - CASES_MAX} more`] : []),
    ...warnings.map((warning) => `  ${visible(warning)}`),
  ];
  return `${lines.join("\n")}\n`;
}

const LABEL = 20;

function row(label: string, curve: readonly CurvePoint[], cell: (point: CurvePoint) => string): string {
  const cells = curve.slice(0, POINTS_MAX).map((point) => cell(point).padEnd(7));
  const more = curve.length > POINTS_MAX ? "…" : "";
  return `  ${label.padEnd(LABEL)}${cells.join("")}${more}`.trimEnd();
}

function strip({ marks }: RepeatedCase): string {
  return marks.map((mark) => MARK_SIGNS[mark]).join("");
}
