import { count, DASH, percent, visible } from "#lib/format.ts";
import type { Column, Group } from "./compare.ts";
import { decimal, doubtLines, seconds, share } from "./scorecard-text.ts";

const LABEL = 22;
const NARROWEST = 10;

/** The table of `mecha eval --compare`, and below it what keeps its columns from being read against each other. */
export function compareText(groups: readonly Group[]): string {
  const repeated = groups.some((group) => group.runs_per_case > 1);
  return groups
    .map((group) => {
      const title = groups.length > 1 ? [`${group.runs_per_case} run(s) per case`] : [];
      return [...title, ...table(group, repeated), ...remarks(group)].map((line) => `${line}\n`).join("");
    })
    .join("\n");
}

function table({ columns, tags }: Group, repeated: boolean): string[] {
  const models = columns.map((column) => visible(column.model));
  const width = models.reduce((most, model) => Math.max(most, model.length), NARROWEST);
  const row = (label: string, cells: readonly string[]) =>
    `${label.padEnd(LABEL)}${cells.map((cell) => `  ${cell.padStart(width)}`).join("")}`;
  const each = (label: string, of: (column: Column) => string) => row(label, columns.map(of));
  return [
    row("", models),
    each("cases passed", ({ head }) => `${head.passed}/${head.total}`),
    ...(repeated
      ? [
          each("runs/case", ({ head }) => count(head.runs_per_case)),
          each("any-run pass", ({ head }) =>
            head.passed_any === null ? DASH : `${head.passed_any}/${head.total}`,
          ),
        ]
      : []),
    each("pass rate", ({ head }) => percent({ hits: head.passed, of: head.total }, 0)),
    each("checks", ({ head }) => share(head.check_pass_rate)),
    each("malformed args", ({ head }) => count(head.malformed_tool_args)),
    each("invented tools", ({ head }) => count(head.unknown_tools)),
    each("mean turns", ({ head }) => decimal(head.mean_turns)),
    each("median latency", ({ head }) => seconds(head.median_latency_ms)),
    each("output tokens", ({ head }) => count(head.total_usage?.output_tokens ?? null)),
    ...(tags.length > 0 ? [""] : []),
    ...tags.map((tag) => each(visible(tag), (column) => tagCell(column, tag))),
  ];
}

function tagCell({ head }: Column, tag: string): string {
  const row = head.by_tag?.find((one) => one.tag === tag);
  return row === undefined ? DASH : `${row.passed}/${row.total}`;
}

function remarks({ columns }: Group): string[] {
  const names = columns.map((column) => visible(column.name));
  const models = new Set(columns.map((column) => column.model));
  // Two columns of one model are told apart by their files.
  const legend = models.size < columns.length ? [`columns: ${names.join(", ")}`] : [];
  const notes = columns.flatMap((column) => remarksOn(column));
  const lines = [...legend, ...notes];
  return lines.length > 0 ? ["", ...lines] : [];
}

function remarksOn(column: Column): string[] {
  const name = visible(column.name);
  const errored = column.coverage.errored > 0 || column.coverage.not_scored > 0;
  const { scored, errored: broken, not_scored, total } = column.coverage;
  return [
    ...column.differences.map(({ blocks, text }) =>
      blocks ? `${name}: not comparable, ${visible(text)}` : `${name}: ${visible(text)}`,
    ),
    ...doubtLines(column.doubts).map((line) => `${name}: ${line}`),
    ...(errored
      ? [`${name}: ${scored} scored, ${broken} errored, ${not_scored} not scored, of ${total} runs`]
      : []),
  ];
}
