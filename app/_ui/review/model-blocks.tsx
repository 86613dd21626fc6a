import { hrefTo } from "#app/_ui/href.ts";
import type { WindowAsk } from "#app/search.ts";
import { modelName } from "#lib/format.ts";
import { METRICS } from "#lib/health/tally.ts";
import { SHOWN } from "#lib/review/bounds.ts";
import { scaleTop } from "#lib/review/chart.ts";
import { type ModelReview, markersOf } from "#lib/review/models.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { LEGEND, modelFacts, short } from "#lib/review/words.ts";
import { ModelName } from "./model-name.tsx";
import { WeeksTable } from "./model-tables.tsx";
import { RateFigure } from "./rate-figure.tsx";

type Props = { report: ReviewReport; ask: WindowAsk };

/** The models with the most runs as charts, and the charts' numbers behind them. */
export function ModelBlocks({ report, ask }: Props) {
  const charted = report.models.slice(0, SHOWN.charts);
  return (
    <>
      {charted.map((model) => (
        <Block key={keyOf(model)} model={model} charted={charted} report={report} ask={ask} />
      ))}
      <p className="mt-3 text-muted text-xs">{LEGEND}</p>
      <details className="mt-3 print:hidden">
        <summary className="text-muted text-xs">The charts as tables</summary>
        {charted.map((model) => (
          <WeeksTable key={keyOf(model)} model={model} />
        ))}
      </details>
    </>
  );
}

function keyOf({ provenance, model }: ModelReview): string {
  return `${provenance} ${model}`;
}

function Block({ model, charted, report, ask }: Props & { model: ModelReview; charted: ModelReview[] }) {
  const markers = markersOf(model, report.markers);
  return (
    <section
      className="review-model"
      aria-label={`${short(modelName(model.model), 120)}, ${model.provenance}`}
    >
      <h3 className="text-base">
        <a href={sessionsOf(model, report, ask)} className="font-semibold hover:underline">
          <ModelName model={model} />
        </a>{" "}
        <span className="text-muted text-xs">{modelFacts(model)}</span>
      </h3>
      <div className="review-figures">
        {METRICS.map((metric) => (
          <RateFigure
            key={metric}
            model={model}
            metric={metric}
            top={scaleTop(charted, metric)}
            markers={markers}
          />
        ))}
      </div>
    </section>
  );
}

/** The sessions of the week; an empty name cannot stand in an address. */
function sessionsOf({ model }: ModelReview, { week, as_of }: ReviewReport, ask: WindowAsk): string {
  const days = Math.ceil((Date.parse(as_of) - Date.parse(week.from)) / 86_400_000);
  return hrefTo("/sessions", { model, days, as_of, zone: ask.zoneAsked, source: ask.source });
}
