import { counted } from "#lib/format.ts";
import { METRICS } from "#lib/health/tally.ts";
import type { ModelReview, WeekPoint } from "#lib/review/models.ts";
import { againstLimits, CELL_MAX, costText, RATE_WORDS, rateText } from "#lib/review/words.ts";
import { ModelName } from "./model-name.tsx";

/** The models without a chart, one row each; `more`: those after them. */
export function MoreModels({ models, more }: { models: readonly ModelReview[]; more: number }) {
  const heads = ["runs", "before", ...METRICS.map((metric) => RATE_WORDS[metric]), "cost"];
  return (
    <>
      <table className="review-table">
        <caption className="sr-only">More models</caption>
        <Heads first="model" heads={heads} />
        <tbody>
          {models.map((model) => (
            <tr key={`${model.provenance} ${model.model}`}>
              <th scope="row">
                <ModelName model={model} max={CELL_MAX} />
              </th>
              <td data-name="runs">{model.runs}</td>
              <td data-name="before">{model.runs_before}</td>
              {METRICS.map((metric) => (
                <td key={metric} data-name={RATE_WORDS[metric]} className={model.faded ? "text-muted" : ""}>
                  {rateText(model.rates[metric].rate)}{" "}
                  <span className="block text-muted text-xs">
                    {againstLimits(model.rates[metric], model.runs)}
                  </span>
                </td>
              ))}
              <td data-name="cost">{costText(model.cost)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {more > 0 && (
        <p className="mt-2 text-muted text-xs">{`and ${counted(more, "more model")} with fewer runs`}</p>
      )}
    </>
  );
}

/** The numbers behind a model's three charts, the newest week first. */
export function WeeksTable({ model }: { model: ModelReview }) {
  const weeks = model.rates.cut_short.weeks.map((week, at) => ({ week, at })).reverse();
  return (
    <table className="review-table mt-3">
      <caption>
        <ModelName model={model} />
      </caption>
      <Heads first="week" heads={["runs", ...METRICS.map((metric) => RATE_WORDS[metric])]} />
      <tbody>
        {weeks.map(({ week, at }) => (
          <tr key={week.bucket}>
            <th scope="row">{week.partial ? `${week.bucket} so far` : week.bucket}</th>
            <td data-name="runs">{week.runs}</td>
            {METRICS.map((metric) => (
              <td key={metric} data-name={RATE_WORDS[metric]} className={week.faded ? "text-muted" : ""}>
                {cellText(model.rates[metric].weeks[at])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellText(week: WeekPoint | undefined): string {
  if (week === undefined) return "";
  const mark = week.out === null ? "" : week.out === "above" ? "▲ " : "▼ ";
  return `${mark}${rateText(week.rate)}`;
}

function Heads({ first, heads }: { first: string; heads: string[] }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {heads.map((head) => (
          <th key={head} scope="col" className="review-number">
            {head}
          </th>
        ))}
      </tr>
    </thead>
  );
}
