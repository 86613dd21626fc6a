import type { ExperimentRow as Row } from "#app/experiment-loaders.ts";
import { visible } from "#lib/format.ts";
import type { ExperimentView } from "#lib/queue/experiment.ts";
import { clipped } from "#lib/utf8.ts";
import { pathPart } from "../href.ts";
import { grouped } from "../number.ts";
import { Instant } from "../time.tsx";
import { Outcome } from "../verdict/outcome.tsx";
import { ProgressBar } from "./progress.tsx";
import { State } from "./state.tsx";

const COLUMNS =
  "lg:grid-cols-[6.5rem_minmax(12rem,1fr)_minmax(9rem,14rem)_minmax(10rem,14rem)_minmax(8rem,12rem)_8.5rem]";

/** The names of the columns, where there is room for columns. */
export function ExperimentHead() {
  return (
    <div
      aria-hidden="true"
      className={`hidden gap-x-4 border-strong border-b py-1 text-muted text-xs lg:grid ${COLUMNS}`}
    >
      {["State", "Change", "Predicted", "Case runs", "Verdict"].map((name) => (
        <span key={name}>{name}</span>
      ))}
      <span className="text-right">Asked for</span>
    </div>
  );
}

/** One experiment in the list: what is changed, what is predicted, how far it is, what came of it. */
export function ExperimentRow({ row, index, zone }: { row: Row; index: number; zone: string }) {
  const { view, verdict } = row;
  const { metric, overrides } = view.request;
  return (
    <li
      data-index={index}
      className={`row grid grid-cols-2 items-baseline gap-x-4 gap-y-1 border-line border-b py-2 text-sm ${COLUMNS}`}
    >
      <State state={view.state} />
      <span className="order-first col-span-2 min-w-0 lg:order-none lg:col-span-1">
        <a href={`/experiments/${pathPart(view.id)}`} className="link">
          <bdi className="font-mono text-xs">{visible(overrides.join(" "))}</bdi>
        </a>
        {view.problem !== null && (
          <span className="block text-attention text-xs">{visible(clipped(view.problem, TEXT_MAX))}</span>
        )}
      </span>
      <span className="min-w-0 text-muted text-xs leading-5">
        {metric === null ? "case passes" : `lower ${metric}`}
      </span>
      <Progress view={view} />
      <span className="min-w-0 text-xs leading-5">
        {verdict === null ? (
          <span className="text-muted">— no verdict</span>
        ) : (
          <>
            <Outcome outcome={verdict.outcome} />
            {verdict.prediction !== null && metric !== null && (
              <span className="text-muted">{` · ${verdict.prediction}`}</span>
            )}
          </>
        )}
      </span>
      <span className="text-muted text-xs leading-5 lg:text-right">
        <Instant at={new Date(view.createdAt).toISOString()} zone={zone} />
      </span>
    </li>
  );
}

function Progress({ view: { arms } }: { view: ExperimentView }) {
  if (arms === null) return <span className="text-muted text-xs leading-5">— not prepared</span>;
  const { a, b } = arms;
  const both = {
    total: a.total + b.total,
    done: a.done + b.done,
    failing: a.failing + b.failing,
    errored: a.errored + b.errored,
  };
  const errored = both.errored > 0 ? ` · ${grouped(both.errored)} errored` : "";
  return (
    <span className="min-w-0">
      <span className="text-muted text-xs">{`${grouped(both.done)} / ${grouped(both.total)} runs${errored}`}</span>
      {both.done < both.total && (
        <span className="mt-0.5 block max-w-40">
          <ProgressBar arm={both} label="case runs done, both arms" />
        </span>
      )}
    </span>
  );
}

const TEXT_MAX = 200;
