import { visible } from "#lib/format.ts";
import type { ExperimentView } from "#lib/queue/experiment.ts";
import { hrefTo } from "../href.ts";
import { Instant } from "../time.tsx";

/** What was predicted. It was written down before anything was measured, and nothing can change it. */
export function Prediction({ view, zone }: { view: ExperimentView; zone: string }) {
  const { metric, rationale, changeClass, holdoutIn, proposalId } = view.request;
  return (
    <div className="mb-6 max-w-[72ch] text-sm">
      <p>
        {metric === null ? (
          "Nothing is predicted: case passes are judged."
        ) : (
          <>
            {"Predicted: lower "}
            <span className="font-mono text-xs">{metric}</span>
            <span className="text-muted">
              {", fixed "}
              <Instant at={new Date(view.createdAt).toISOString()} zone={zone} />
              {" before anything was measured"}
            </span>
          </>
        )}
      </p>
      {rationale !== null && (
        <p className="whitespace-pre-line">
          <span className="text-muted">because </span>
          <bdi>{rationale.split("\n").map(visible).join("\n")}</bdi>
        </p>
      )}
      <p className="text-muted text-xs">
        {`${changeClass} change · one in ${holdoutIn} cases held out by a hash of its id`}
        {changeClass === "architecture" || changeClass === "security"
          ? " · whatever is measured, a person decides"
          : ""}
        {proposalId !== null && (
          <>
            {" · from "}
            <a href={hrefTo("/proposals", { proposal: proposalId })} className="link">
              a proposal
            </a>
          </>
        )}
      </p>
    </div>
  );
}
