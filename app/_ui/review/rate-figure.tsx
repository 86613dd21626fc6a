import type { Marker } from "#lib/health/markers.ts";
import type { Metric } from "#lib/health/tally.ts";
import { rateChart } from "#lib/review/chart.ts";
import type { ModelReview } from "#lib/review/models.ts";
import { againstLimits, capital, RATE_WORDS, rateText } from "#lib/review/words.ts";
import { elementOf } from "../verdict/svg.tsx";

const TONE = { above: "font-semibold text-broken", below: "font-semibold text-fine" } as const;

type Props = { model: ModelReview; metric: Metric; top: number; markers: readonly Marker[] };

/** One rate of one model: this week's pair, where it stands against its limits, and nine weeks of it. */
export function RateFigure({ model, metric, top, markers }: Props) {
  const review = model.rates[metric];
  const tone = review.out === null ? "text-muted" : TONE[review.out];
  return (
    <figure className="min-w-0">
      <figcaption className="text-sm">
        <span className="font-semibold">{capital(RATE_WORDS[metric])}</span>{" "}
        <span className={model.faded ? "text-muted" : ""}>{rateText(review.rate)}</span>{" "}
        <span className={`text-xs ${tone}`}>{againstLimits(review, model.runs)}</span>
        <span className="block text-muted text-xs">{`before: ${rateText(review.before)}`}</span>
      </figcaption>
      <div className="review-chart">{elementOf(rateChart(model, { metric, top, markers }), "0")}</div>
    </figure>
  );
}
