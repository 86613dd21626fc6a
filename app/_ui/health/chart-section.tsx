import { healthHref } from "#app/health-href.ts";
import type { HealthView } from "#app/health-view.ts";
import { modelName, visible } from "#lib/format.ts";
import { METRICS } from "#lib/health/tally.ts";
import { PERS } from "#lib/time.ts";
import { RateChart } from "../chart/rate-chart.tsx";
import { counted } from "../number.ts";
import { Section } from "../page-head.tsx";
import { Picker } from "../picker.tsx";
import { Untrusted } from "../rate.tsx";
import { METRIC_NAME } from "./metric-names.ts";

/** The chosen rate over time for each model, with what stands out in it said in words. */
export function Chart({ view }: { view: HealthView }) {
  const { chart, ask } = view;
  const name = METRIC_NAME[ask.metric];
  return (
    <Section
      title={`${name} over time`}
      aside={
        <form method="get" action="/" className="flex gap-2 print:hidden">
          <Picker
            name="metric"
            label="Rate"
            passedOver=""
            choices={METRICS.map((metric) => ({
              value: metric === "tool_error_rate" ? "" : metric,
              name: METRIC_NAME[metric],
            }))}
          />
          <Picker
            name="per"
            label="Bucket"
            passedOver=""
            choices={[
              { value: "", name: `per ${ask.per}` },
              ...PERS.map((per) => ({
                value: per,
                name: `per ${per}`,
              })),
            ]}
          />
        </form>
      }
    >
      <RateChart
        packed={chart.data}
        title={`${name}, per ${ask.per}, by model`}
        lead={<Departures view={view} />}
      />
      <LeftOut view={view} />
      <Changes view={view} />
    </Section>
  );
}

/** Which models are outside their limits at the newest judged bucket, and since when. */
function Departures({ view: { chart, ask } }: { view: HealthView }) {
  if (chart.departures.length === 0) return null;
  // Limits are drawn where a line stands alone; elsewhere the sentence leads there.
  const alone = chart.data.series.length === 1;
  return (
    <ul>
      {chart.departures.map(({ provenance, model, bucket, direction }) => (
        <li key={`${provenance} ${model}`} className={direction === "above" ? "text-broken" : "text-fine"}>
          <span aria-hidden="true">{direction === "above" ? "! " : "↓ "}</span>
          <Alone model={model} href={alone || model === "" ? null : healthHref(ask, { model })} />
          {` left its limits in ${bucket} (${direction === "above" ? "worse than" : "better than"} its own history makes likely)`}
        </li>
      ))}
    </ul>
  );
}

function Alone({ model, href }: { model: string; href: string | null }) {
  const name = <Untrusted mono>{modelName(model)}</Untrusted>;
  if (href === null) return name;
  return (
    <a href={href} className="link" title="See this model alone, with its limits">
      {name}
    </a>
  );
}

function LeftOut({ view: { chart } }: { view: HealthView }) {
  const parts = [
    chart.bucketsLeftOut > 0
      ? `${counted(chart.bucketsLeftOut, "older bucket is", "older buckets are")} not drawn`
      : null,
    chart.seriesLeftOut > 0
      ? `${counted(chart.seriesLeftOut, "model with fewer runs is", "models with fewer runs are")} not in the table`
      : null,
    chart.markersLeftOut > 0
      ? `${counted(chart.markersLeftOut, "older change is", "older changes are")} not listed`
      : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? null : <p className="mt-1 text-muted text-xs">{`${parts.join("; ")}.`}</p>;
}

/** Lists longer than this start folded. */
const CHANGES_OPEN_MAX = 6;

/** What was changed when: the legend of the numbered flags. */
function Changes({ view: { chart } }: { view: HealthView }) {
  const { markers } = chart.data;
  if (markers.length === 0) return null;
  return (
    <details open={markers.length <= CHANGES_OPEN_MAX} className="mt-3 text-sm">
      <summary className="text-muted text-xs">{`${markers.length} ${markers.length === 1 ? "change" : "changes"} of model or settings`}</summary>
      <ol className="mt-1">
        {markers.map((marker, index) => (
          <li
            key={`${marker.date} ${marker.provenance} ${marker.text}`}
            className="flex flex-wrap items-baseline gap-x-3 py-0.5"
          >
            <span className="w-8 shrink-0 whitespace-nowrap text-right text-muted text-xs">{`▼ ${index + 1}`}</span>
            <span className="shrink-0 text-muted">{marker.date}</span>
            {marker.models.length > 0 && <Untrusted mono>{visible(marker.models.join(", "))}</Untrusted>}
            <bdi>{marker.text}</bdi>
          </li>
        ))}
      </ol>
    </details>
  );
}
