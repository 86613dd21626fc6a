import { count, modelName, money } from "#lib/format.ts";
import { CUT_SHORT } from "#lib/transcript/record.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { counted, grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import { StopCauseText } from "../stop-cause-text.tsx";

/** Runs listed beside a transcript; the rest is counted. */
const RUNS_MAX = 100;

/** The counters of each run of a session. */
export function RunList({ runs }: { runs: RunRow[] }) {
  if (runs.length === 0) return <p className="text-muted text-sm">No run of this session has ended yet.</p>;
  return (
    // A phone shows the sum and unfolds the rest; beside a transcript the fold stands open.
    <details className="group lg:[&::details-content]:[content-visibility:visible]">
      <summary className="mb-2 text-sm lg:hidden">{sumOf(runs)}</summary>
      <ol>
        {runs.slice(0, RUNS_MAX).map((run) => (
          <li key={run.run} className="border-line border-b py-3 first:pt-0">
            <Run run={run} />
          </li>
        ))}
        {runs.length > RUNS_MAX && (
          <li className="py-2 text-muted text-xs">{counted(runs.length - RUNS_MAX, "more run")}</li>
        )}
      </ol>
    </details>
  );
}

function sumOf(runs: RunRow[]): string {
  const sum = (key: "tool_calls" | "tool_errors") => runs.reduce((total, run) => total + run[key], 0);
  return `${counted(runs.length, "run")} · ${counted(sum("tool_calls"), "call")} · ${counted(sum("tool_errors"), "error")}`;
}

function Run({ run }: { run: RunRow }) {
  const cut = run.stop_cause !== null && CUT_SHORT.has(run.stop_cause);
  return (
    <>
      <h3 className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <span className="font-semibold">{`Run ${run.run}`}</span>
        <StopCauseText cause={run.stop_cause ?? "unrecorded"} />
        {run.ended_on_failed_call && <span className="text-broken text-xs">✕ ended on a failed call</span>}
        {cut && <span className="sr-only">cut short by the harness</span>}
      </h3>
      <p className="truncate text-muted text-xs" title={modelName(run.model)}>
        <bdi className="font-mono">{modelName(run.model)}</bdi>
      </p>
      <dl className="mt-1.5 grid grid-cols-[1fr_auto_1fr_auto] gap-x-3 gap-y-0.5 text-xs">
        {countersOf(run).map(({ name, value, tone }) => (
          <div key={name} className="contents">
            <dt className="text-muted [overflow-wrap:normal]">{name}</dt>
            <dd className={`text-right ${tone ?? ""}`}>
              {value ?? <Unknown why="these transcripts cannot say" />}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

type Counter = { name: string; value: string | null; tone?: string };

function countersOf(run: RunRow): Counter[] {
  const { usage } = run;
  const bound = run.usage_complete ? "" : "≥\u00a0";
  const maybe = (n: number | null) => (n === null ? null : count(n));
  return [
    { name: "turns", value: count(run.turns) },
    { name: "calls", value: count(run.tool_calls) },
    { name: "errors", value: count(run.tool_errors), tone: run.tool_errors > 0 ? "text-broken" : "" },
    { name: "denied", value: count(run.tool_denied) },
    ...(run.provenance === "derived" ? [{ name: "cancelled", value: maybe(run.tool_cancelled) }] : []),
    { name: "staged", value: maybe(run.tool_staged) },
    { name: "malformed", value: maybe(run.malformed_tool_args) },
    { name: "blocked", value: maybe(run.blocked_sends) },
    { name: "compacted", value: count(run.compactions) },
    { name: "cost", value: run.cost_usd === null ? null : money(run.cost_usd) },
    { name: "tokens in", value: `${bound}${grouped(usage.input_tokens)}` },
    { name: "tokens out", value: `${bound}${grouped(usage.output_tokens)}` },
    { name: "cache read", value: grouped(usage.cache_read_input_tokens) },
    { name: "cache written", value: grouped(usage.cache_creation_input_tokens) },
  ];
}
