import { counted, modelName } from "#lib/format.ts";
import type { Marker } from "#lib/health/markers.ts";
import { METRICS, type Metric } from "#lib/health/tally.ts";
import { svgText } from "#lib/verdict/svg.ts";
import { firstOf, SHOWN } from "./bounds.ts";
import { rateChart, scaleTop } from "./chart.ts";
import { safe } from "./html-text.ts";
import { type ModelReview, markersOf } from "./models.ts";
import type { ReviewReport } from "./report.ts";
import {
  againstLimits,
  CELL_MAX,
  capital,
  costText,
  LEGEND,
  modelFacts,
  RATE_WORDS,
  rateText,
  short,
} from "./words.ts";

/** The models with the most runs as charts, and the numbers of the charts behind them. */
export function modelsHtml({ models, markers }: ReviewReport): string {
  if (models.length === 0) return '<p class="soft">No run in this week or the eight before.</p>';
  const charted = models.slice(0, SHOWN.charts);
  const tops = { ended_on_failed_call: 1, tool_error_rate: 1, cut_short: 1 };
  for (const metric of METRICS) tops[metric] = scaleTop(charted, metric);
  return [
    ...charted.map((model) => block(model, tops, markersOf(model, markers))),
    `<p class="soft">${LEGEND}</p>`,
    `<details><summary>The charts as tables</summary>${charted.map(weeksTable).join("\n")}</details>`,
  ].join("\n");
}

/** The models after those with charts; empty where there are none. */
export function moreModelsHtml({ models }: ReviewReport): string {
  const { shown, more } = firstOf(models.slice(SHOWN.charts), SHOWN.models - SHOWN.charts);
  if (shown.length === 0) return "";
  return `${table(shown)}${more === 0 ? "" : `<p class="soft">and ${counted(more, "more model")} with fewer runs</p>`}`;
}

function block(model: ModelReview, tops: Record<Metric, number>, markers: readonly Marker[]): string {
  const figures = METRICS.map((metric) => {
    const review = model.rates[metric];
    const out = review.out === "above" ? "worse" : review.out === "below" ? "better" : "soft";
    const caption = `<b>${capital(RATE_WORDS[metric])}</b> ${rateText(review.rate)} <span class="${out}">${againstLimits(review, model.runs)}</span><br><span class="soft">before: ${rateText(review.before)}</span>`;
    return `<figure><figcaption>${caption}</figcaption>${svgText(rateChart(model, { metric, top: tops[metric], markers }))}</figure>`;
  });
  return `<div class="model"><h3>${nameHtml(model)}</h3><p class="soft">${safe(modelFacts(model))}</p><div class="charts">${figures.join("\n")}</div></div>`;
}

function nameHtml({ model, provenance }: ModelReview, max = 120): string {
  const tag = provenance === "derived" ? ' <span class="tag">derived</span>' : "";
  return `<bdi>${safe(short(modelName(model), max))}</bdi>${tag}`;
}

function table(models: readonly ModelReview[]): string {
  const rows = models.map((model) => {
    const rates = METRICS.map(
      (metric) =>
        `<td class="n" data-name="${RATE_WORDS[metric]}">${rateText(model.rates[metric].rate)}<br><span class="soft">${againstLimits(model.rates[metric], model.runs)}</span></td>`,
    );
    return `<tr><th>${nameHtml(model, CELL_MAX)}</th><td class="n" data-name="runs">${model.runs}</td><td class="n" data-name="before">${model.runs_before}</td>${rates.join("")}<td class="n" data-name="cost">${costText(model.cost)}</td></tr>`;
  });
  const heads = ["runs", "before", ...METRICS.map((metric) => RATE_WORDS[metric]), "cost"];
  return `<table class="wide"><thead><tr><th>model</th>${heads.map((head) => `<th class="n">${head}</th>`).join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

function weeksTable(model: ModelReview): string {
  const rows = model.rates.cut_short.weeks.map(({ bucket, runs, partial }, at) => {
    const cells = METRICS.map((metric) => {
      const week = model.rates[metric].weeks[at];
      const mark = week?.out == null ? "" : week.out === "above" ? " ▲" : " ▼";
      return `<td class="n" data-name="${RATE_WORDS[metric]}">${week === undefined ? "" : rateText(week.rate)}${mark}</td>`;
    });
    return `<tr><th>${bucket}${partial ? " so far" : ""}</th><td class="n" data-name="runs">${runs}</td>${cells.join("")}</tr>`;
  });
  const heads = ["runs", ...METRICS.map((metric) => RATE_WORDS[metric])];
  return `<table class="wide"><caption>${nameHtml(model)}</caption><thead><tr><th>week</th>${heads.map((head) => `<th class="n">${head}</th>`).join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}
