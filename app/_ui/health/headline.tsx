import { Fragment, type ReactNode } from "react";
import { percent } from "#lib/format.ts";
import { type Metric, rateOf, type Tally } from "#lib/health/tally.ts";
import { RUNS_FLOOR } from "#lib/rate.ts";
import { counted, grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import { CostValue } from "./cost.tsx";
import { METRIC_NAME } from "./metric-names.ts";
import type { Cost } from "./model-row.ts";

/** The numbers that come first, each with what it was counted over and a way to the rows behind it. */
export function Headline({
  tally,
  cost,
  hrefOf,
}: {
  tally: Tally;
  cost: Cost;
  hrefOf: (filter: Record<string, string>) => string;
}) {
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-5 md:grid-cols-3 xl:grid-cols-6">
      <RateNumber metric="ended_on_failed_call" tally={tally} href={hrefOf({ ended_on_failed_call: "1" })} />
      <RateNumber metric="tool_error_rate" tally={tally} href={hrefOf({ errors: "1" })} />
      <RateNumber metric="cut_short" tally={tally} href={hrefOf({ stop_cause: "cut_short" })} />
      <Figure
        name="Denied"
        value={grouped(tally.tool_denied)}
        under={`of ${counted(tally.tool_calls, "call")}; not failures`}
      />
      <Figure
        name="Malformed arguments"
        value={
          tally.malformed_tool_args === null ? (
            <Unknown why="these transcripts cannot say" />
          ) : (
            grouped(tally.malformed_tool_args)
          )
        }
        under={`of ${counted(tally.tool_calls, "call")}`}
      />
      <Figure
        name="Cost"
        value={<CostValue cost={cost} />}
        under={`${grouped(cost.priced)} of ${counted(cost.runs, "run")} priced`}
      />
    </dl>
  );
}

function RateNumber({ metric, tally, href }: { metric: Metric; tally: Tally; href: string }) {
  const rate = rateOf(tally, metric);
  const thin = tally.runs < RUNS_FLOOR;
  const value = rate.of === 0 ? <Unknown why="nothing to count" /> : percent(rate, 1);
  return (
    <Figure
      name={METRIC_NAME[metric]}
      value={thin ? <span className="text-muted">{value}</span> : value}
      under={
        <>
          <a href={href} className="link">{`${grouped(rate.hits)} / ${grouped(rate.of)}`}</a>
          {` ${metric === "tool_error_rate" ? "call" : "run"}${rate.of === 1 ? "" : "s"}${thin ? ` · n = ${tally.runs}, too few` : ""}`}
        </>
      }
    />
  );
}

function Figure({ name, value, under }: { name: string; value: ReactNode; under: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-muted text-xs">{name}</dt>
      <dd>
        <span className="mt-1 block text-xl tracking-tight">{value}</span>
        <span className="mt-0.5 block text-muted text-xs">{under}</span>
      </dd>
    </div>
  );
}

/** Counts that are no rates, in one quiet line. */
export function MinorCounts({ tally, derived }: { tally: Tally; derived: boolean }) {
  const { usage } = tally;
  const bound = tally.usage_complete_runs < tally.runs ? "≥\u00a0" : "";
  const parts = [
    counted(tally.turns, "turn"),
    counted(tally.tool_calls, "tool call"),
    ...(derived ? [`${grouped(tally.tool_cancelled)} cancelled`] : []),
    `${grouped(tally.tool_staged)} staged`,
    `${grouped(tally.blocked_sends)} blocked ${tally.blocked_sends === 1 ? "send" : "sends"}`,
    counted(tally.compactions, "compaction"),
    `${bound}${grouped(usage.input_tokens)} tokens in`,
    `${bound}${grouped(usage.output_tokens)} out`,
    `${bound}${grouped(usage.cache_read_input_tokens)} read from cache`,
  ];
  return (
    <p className="mt-3 text-muted text-xs">
      {parts.map((part, at) => (
        <Fragment key={part}>
          <span className="whitespace-nowrap">{`${part}${at < parts.length - 1 ? " ·" : ""}`}</span>{" "}
        </Fragment>
      ))}
    </p>
  );
}
