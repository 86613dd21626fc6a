import { pad } from "#lib/display-width.ts";
import { byteOrder, count, lowerBoundMoney, modelName, money, percent, visible } from "#lib/format.ts";
import type { Coverage } from "#lib/transcript/coverage.ts";
import { STOP_CAUSES } from "#lib/transcript/record.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import type { HealthReport, SourceSummary, Window } from "./report.ts";
import { costIsLowerBound, type ModelSlice, rateOf, type Tally } from "./tally.ts";

/**
 * The text of `sessions health`, without a final newline. A report over one store prints one block; runs worked out
 * from another tool's transcripts are a block of their own, for a rate over both would describe neither.
 */
export function healthText(report: HealthReport): string {
  if (report.totals.length === 0 && report.subagents.length === 0) return emptyText(report);
  const several = report.totals.length > 1;
  const blocks = report.totals.map(({ provenance, tally }) => {
    const title = several ? [provenance === "recorded" ? "recorded" : DERIVED, ""] : [];
    return [...title, ...blockLines(report, provenance, tally)].join("\n");
  });
  const notes = [...subagentLines(report), ...originLines(report, several), ...leftOutLines(report.coverage)];
  if (report.totals.length === 0) blocks.push(headerLine(report, 0, report.coverage.sessions_read));
  return [blocks.join("\n\n"), ...notes].join("\n");
}

const DERIVED = "derived (worked out from Claude Code transcripts)";

function blockLines(report: HealthReport, provenance: Provenance, tally: Tally): string[] {
  const models = report.models.filter((slice) => slice.provenance === provenance);
  return [
    headerLine(report, tally.runs, sessionsRead(report.sources, provenance)),
    "",
    ...countLines(provenance, tally),
    ...(models.length > 1 ? ["", "by model", ...models.map(modelLine)] : []),
    ...costLines(tally),
  ];
}

function headerLine(report: HealthReport, runs: number, sessions: number): string {
  const { days } = report.window;
  return `${runs} run(s) across ${sessions} session(s)${days === null ? "" : `, last ${days} day(s)`}`;
}

function countLines(provenance: Provenance, tally: Tally): string[] {
  const causes = sortedCauses(tally).map(([cause, n]) => `${cause} ${n}`);
  const failed = rateOf(tally, "ended_on_failed_call");
  const errors = rateOf(tally, "tool_error_rate");
  // Only transcripts of other tools tell a cancelled call from a failed one.
  const cancelled = provenance === "derived" ? ` · cancelled ${count(tally.tool_cancelled)}` : "";
  return [
    `  stop cause      ${causes.join(" · ")}`,
    `  ended on a failed call   ${failed.hits} (${percent(failed, 1)})`,
    `  tool calls      ${errors.of} · errors ${errors.hits} (${percent(errors, 1)}) · denied ${tally.tool_denied}${cancelled} · staged ${count(tally.tool_staged)}`,
    `  malformed args ${count(tally.malformed_tool_args)} · blocked sends ${count(tally.blocked_sends)} · compactions ${tally.compactions}`,
  ];
}

const CAUSE_ORDER = [...STOP_CAUSES, "unrecorded"] as const;

/** Stop causes that occurred, most frequent first, ties in the order of the format. */
export function sortedCauses(tally: Tally): [(typeof CAUSE_ORDER)[number], number][] {
  return CAUSE_ORDER.map((cause): [(typeof CAUSE_ORDER)[number], number] => [
    cause,
    tally.stop_causes[cause] ?? 0,
  ])
    .filter(([, n]) => n > 0)
    .sort(([, a], [, b]) => b - a);
}

function modelLine({ model, tally }: ModelSlice): string {
  const errors = percent(rateOf(tally, "tool_error_rate"), 1).padStart(6);
  const failed = percent(rateOf(tally, "ended_on_failed_call"), 1).padStart(6);
  const runs = String(tally.runs).padStart(4);
  return `  ${pad(modelName(model), 28)} ${runs} run(s)   tool errors ${errors}   ended on failure ${failed}`;
}

function costLines(tally: Tally): string[] {
  if (tally.runs_priced === 0) return [];
  const bound = costIsLowerBound(tally);
  const total = bound ? lowerBoundMoney(tally.cost_usd) : money(tally.cost_usd);
  return [
    "",
    `  cost            ${total} · ${tally.runs_priced} of ${tally.runs} run(s) priced${bound ? " (a lower bound)" : ""}`,
  ];
}

function subagentLines({ subagents }: HealthReport): string[] {
  if (subagents.length === 0) return [];
  return ["", "sub-agents (in none of the numbers above)", ...subagents.map(modelLine)];
}

/** Says where runs come from, where that is not simply the one store of the harness itself. */
function originLines(report: HealthReport, several: boolean): string[] {
  const lines: string[] = [];
  if (!several && report.totals[0]?.provenance === "derived") lines.push(`  provenance      ${DERIVED}`);
  if (report.sources.length > 1) {
    for (const { source, runs, coverage } of report.sources) {
      lines.push(
        `  source          ${source.kind} ${visible(source.place)}: ${runs} run(s), ${coverage.sessions_read} session(s)`,
      );
    }
  }
  return lines.length === 0 ? [] : ["", ...lines];
}

function sessionsRead(sources: readonly SourceSummary[], provenance: Provenance): number {
  return sources
    .filter((one) => one.provenance === provenance)
    .reduce((sum, one) => sum + one.coverage.sessions_read, 0);
}

/** What a scan left out without being asked to; the window of `--days` is what the header says. */
const LEFT_OUT = [
  ["sessions_capped", "session(s) over the cap"],
  ["sessions_unreadable", "session(s) or folder(s) unreadable"],
  ["files_not_sessions", "file(s) not sessions"],
  ["lines_oversize", "line(s) oversize"],
  ["lines_torn", "line(s) torn"],
  ["lines_unknown", "line(s) unknown"],
  ["lines_not_utf8", "line(s) not UTF-8"],
  ["runs_unfinished", "run(s) unfinished"],
  ["runs_provider_error", "run(s) ended by a provider error"],
  ["runs_duplicate", "run(s) seen twice"],
] as const satisfies readonly (readonly [keyof Coverage, string])[];

/** What was left out, as parts of one line: `2 line(s) torn`. Empty when nothing was. */
export function leftOut(coverage: Coverage): string[] {
  return LEFT_OUT.filter(([key]) => coverage[key] > 0).map(([key, words]) => `${coverage[key]} ${words}`);
}

function leftOutLines(coverage: Coverage): string[] {
  const parts = leftOut(coverage);
  return parts.length === 0 ? [] : [`  left out        ${parts.join(" · ")}`];
}

/** How many sessions the window left out, where nothing is left to show; empty when it left out none. */
export function outsideLines({ sessions_cutoff: n }: Coverage, { since, as_of }: Window): string[] {
  if (n === 0) return [];
  const where = since === null ? `are dated after ${as_of}` : `lie outside the window, ${since} to ${as_of}`;
  return [`${n} session(s) ${where}, and were left out.`];
}

function emptyText(report: HealthReport): string {
  const places = report.sources.map(({ source }) => visible(source.place)).sort(byteOrder);
  const { sessions_read: read, sessions_cutoff: outside } = report.coverage;
  const within = report.window.days === null ? "" : ` of the last ${report.window.days} day(s)`;
  return [
    `No finished run${within} in ${places.length === 0 ? "any source: none was found" : places.join(" · ")}.`,
    // Of a store that is all outside the window the next line says why.
    ...(read === 0 && outside > 0
      ? []
      : [`${read} session(s) were read, and none of them holds an outcome; a run writes one when it ends.`]),
    ...outsideLines(report.coverage, report.window),
    ...leftOutLines(report.coverage),
  ].join("\n");
}
