import type { ReactNode } from "react";
import type { Fate } from "#lib/diagnose/fate.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { hrefTo, pathPart } from "../href.ts";
import { Outcome } from "../verdict/outcome.tsx";

const KEPT = {
  kept: { glyph: "✓", words: "prediction kept" },
  missed: { glyph: "✕", words: "prediction missed" },
  unknown: { glyph: "?", words: "nothing can be said about the prediction" },
} as const;

/** What became of a diagnosis, and the next step where there is one. */
export function Became({
  fate,
  proposalId,
  measurable,
}: {
  fate: Fate;
  proposalId: string;
  measurable: boolean;
}): ReactNode {
  switch (fate.kind) {
    case "nothing_to_measure":
      return <p className="text-muted">— nothing to measure</p>;
    case "not_measured":
      return (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="text-muted">— not measured yet</span>
          {measurable && <MeasureIt proposalId={proposalId} word="Measure it" />}
        </div>
      );
    case "queued":
      return (
        <p>
          <span aria-hidden="true">▸ </span>
          <ExperimentLink id={fate.experiment_id}>
            {fate.state === "running" ? "being measured" : "waits to be measured"}
          </ExperimentLink>
        </p>
      );
    case "not_finished":
      return (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span>
            <span aria-hidden="true">! </span>
            <ExperimentLink id={fate.experiment_id}>
              {fate.state === "cancelled" ? "measuring was cancelled" : "measuring ended without a verdict"}
            </ExperimentLink>
          </span>
          {measurable && <MeasureIt proposalId={proposalId} word="Measure it again" />}
        </div>
      );
    case "verdict":
      return (
        <>
          <p>
            <Outcome outcome={fate.outcome} />
            {" · "}
            <a href={verdictHref(fate.verdict_id)} className="link">
              verdict
            </a>
            {fate.experiment_id !== null && (
              <>
                {" · "}
                <ExperimentLink id={fate.experiment_id}>experiment</ExperimentLink>
              </>
            )}
          </p>
          <p className={fate.prediction === "unknown" ? "text-muted" : ""}>
            <span aria-hidden="true">{`${KEPT[fate.prediction].glyph} `}</span>
            {KEPT[fate.prediction].words}
          </p>
        </>
      );
    default:
      return fate satisfies never;
  }
}

function ExperimentLink({ id, children }: { id: string; children: string }) {
  return (
    <a href={`/experiments/${pathPart(id)}`} className="link">
      {children}
    </a>
  );
}

function MeasureIt({ proposalId, word }: { proposalId: string; word: string }) {
  return (
    <a
      href={hrefTo("/experiments", { proposal: proposalId })}
      className="control inline-flex items-center font-semibold no-underline"
    >
      {word}
    </a>
  );
}
