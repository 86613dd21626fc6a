import type { ReactNode } from "react";
import type { CardColumn } from "#app/cards-view.ts";
import { count, lowerBoundMoney, money } from "#lib/format.ts";
import { smallShare } from "#lib/verdict/words.ts";
import { grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import { Instant } from "../time.tsx";
import { CardRate } from "./card-rate.tsx";
import { CurveEnds, CurveTable, PassCurve } from "./curve.tsx";

const NOT_TOLD = "this card does not tell";

export function anyRun({ head }: CardColumn): ReactNode {
  const rate = head.passed_any === null ? null : { hits: head.passed_any, of: head.total };
  return <CardRate rate={rate} why="each case ran once" />;
}

export function curveCell({ curve }: CardColumn): ReactNode {
  const [first, last] = [curve[0], curve.at(-1)];
  if (first === undefined || last === undefined || curve.length < 2)
    return <Unknown why="each case ran once" />;
  return (
    <>
      <div className="flex flex-wrap items-stretch gap-x-2">
        <PassCurve curve={curve} />
        <CurveEnds last={last} />
      </div>
      <details>
        <summary className="text-muted text-xs">{`k = 1 to ${last.k}, as numbers`}</summary>
        <CurveTable curve={curve} />
      </details>
    </>
  );
}

/** What became of the baseline's cases; for the baseline and for a card apart, why that is not asked. */
export function Against({ column, at }: { column: CardColumn; at: number }) {
  if (at === 0)
    return (
      <span className="text-muted">
        {column.apart ? "is the baseline, but see above" : "is the baseline"}
      </span>
    );
  const { change } = column;
  if (change === null) return <span className="text-attention">! not comparable</span>;
  const { improved, regressed, chance } = change;
  return (
    <span className="flex flex-wrap gap-x-3">
      <span
        className={regressed > 0 ? "text-broken" : "text-muted"}
      >{`▼ ${grouped(regressed)} regressed`}</span>
      <span className={improved > 0 ? "text-fine" : "text-muted"}>{`▲ ${grouped(improved)} improved`}</span>
      {chance.two_sided !== null && (
        <span
          className="text-muted text-xs leading-5"
          title="Exact two-sided sign test of improved against regressed: how often a change without any effect would differ at least this much. Context, not a rule."
        >
          {`by chance alone this often: ${smallShare(chance.two_sided)}`}
        </span>
      )}
    </span>
  );
}

export function runsCell({ coverage: { scored, errored, not_scored, total } }: CardColumn): ReactNode {
  const tone = (n: number) => (n > 0 ? "text-attention" : "text-muted");
  return (
    <span title={`${scored} scored, ${errored} errored, ${not_scored} not scored, of ${total} runs`}>
      {grouped(scored)}
      <span className={tone(errored)}>{` · ${grouped(errored)}`}</span>
      <span className={tone(not_scored)}>{` · ${grouped(not_scored)}`}</span>
      <span className="text-muted">{` · ${grouped(total)}`}</span>
    </span>
  );
}

export function flakyCell({ head, flakyCases, flakyRuns }: CardColumn): ReactNode {
  if (head.runs_per_case === 1) return <Unknown why="each case ran once" />;
  return (
    <span title={`${flakyRuns.hits} of ${flakyRuns.of} runs say otherwise than most runs of their case`}>
      <CardRate rate={{ hits: flakyCases, of: head.total }} />
    </span>
  );
}

export function errorsCell({ head }: CardColumn): ReactNode {
  return (
    <span>
      {told(head.tool_errors, grouped)}
      <span className="text-muted">
        {" · "}
        {told(head.malformed_tool_args, grouped)}
        {" · "}
        {told(head.unknown_tools, grouped)}
      </span>
    </span>
  );
}

export function tokensCell({ head: { total_usage: usage } }: CardColumn): ReactNode {
  if (usage === null) return <Unknown why={NOT_TOLD} />;
  const input = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return `${grouped(input)} · ${grouped(usage.output_tokens)}`;
}

export function costCell({ cost, meta }: CardColumn): ReactNode {
  const { usd, priced, runs } = cost;
  if (meta.cost_usd !== null) return money(meta.cost_usd);
  if (usd === null) return <Unknown why={NOT_TOLD} />;
  return priced === runs ? (
    money(usd)
  ) : (
    <span title={`${count(priced)} of ${count(runs)} runs are priced`}>{lowerBoundMoney(usd)}</span>
  );
}

/** A number as it is written, or that the card does not tell it. */
export function told(n: number | null, write: (n: number) => string): ReactNode {
  return n === null ? <Unknown why={NOT_TOLD} /> : write(n);
}

/** Whether a card tells any cost: a row of dashes tells nothing. */
export function hasCost({ cost, meta }: CardColumn): boolean {
  return meta.cost_usd !== null || cost.usd !== null;
}

export function madeCell(at: string | null, zone: string): ReactNode {
  return at === null ? (
    <Unknown why={NOT_TOLD} />
  ) : (
    // Of five columns each is narrower than a date with its hour.
    <span className="[&>time]:whitespace-normal">
      <Instant at={at} zone={zone} />
    </span>
  );
}
