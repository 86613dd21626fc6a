import type { EstimateView } from "#app/experiment-estimate.ts";
import { money, visible } from "#lib/format.ts";
import { counted, grouped } from "../number.ts";

/** What sending the form would take, told before it is sent. */
export function EstimateText({ view, busy }: { view: EstimateView; busy: boolean }) {
  return (
    <section aria-label="What it will take" aria-busy={busy} className="border-line border-l-2 pl-4 text-sm">
      <h3 className="mb-1 font-semibold">What it will take</h3>
      <div role="status">
        {view.kind === "problem" ? (
          <p className="text-muted">{`— not to be told: ${visible(view.problem)}`}</p>
        ) : (
          <Numbers view={view} />
        )}
      </div>
    </section>
  );
}

function Numbers({ view }: { view: Extract<EstimateView, { kind: "estimate" }> }) {
  const { cases, runsPerCase, estimate, model } = view;
  const { runs, tokens, costUsd, basedOn } = estimate;
  return (
    <>
      <p>
        <span className="text-lg">{grouped(runs)}</span>
        <span className="text-muted">{` case runs: ${counted(cases, "case")} × 2 arms × ${counted(runsPerCase, "run")}`}</span>
      </p>
      <p>
        {tokens === null ? "tokens unknown" : `about ${grouped(tokens)} tokens`}
        {" · "}
        {costUsd === null ? "cost unknown" : `about ${money(costUsd)}`}
      </p>
      <p className="mt-1 text-muted text-xs">
        {basedOn === null ? (
          <bdi>{`No scorecard ${model === null ? "" : `of ${visible(model.name)} `}tells what its runs take.`}</bdi>
        ) : (
          <bdi>{`As a mean run of ${visible(basedOn)} took, a judge apart.`}</bdi>
        )}
      </p>
      {model?.scripted && (
        <p className="mt-1 text-attention text-xs">
          {`! ${visible(model.provider)} is a script and no model: its verdict says something of the rig alone.`}
        </p>
      )}
    </>
  );
}
