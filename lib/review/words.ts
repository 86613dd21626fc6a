import { count, counted, DASH, lowerBoundMoney, modelName, money, percent, visible } from "#lib/format.ts";
import type { Metric } from "#lib/health/tally.ts";
import { leftOut } from "#lib/health/text.ts";
import { type Rate, RUNS_FLOOR } from "#lib/rate.ts";
import { bucketKey } from "#lib/time.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import { endOf, startOf } from "#lib/utf8.ts";
import type { CostReview, ModelReview, RateReview } from "./models.ts";
import type { ReviewReport } from "./report.ts";

/** A part of a sentence: our own words, or a name that others wrote and that is only ever shown as text. */
export type Word = string | { named: string };

/** The rates as they stand in the middle of a sentence. */
export const RATE_WORDS: Record<Metric, string> = {
  ended_on_failed_call: "runs ended on a failed call",
  tool_error_rate: "tool errors",
  cut_short: "runs cut short",
};

/** A sentence as plain text; names show their control characters. */
export function plain(words: readonly Word[]): string {
  return words.map((word) => (typeof word === "string" ? word : visible(word.named))).join("");
}

/** A model as a part of a sentence. */
export function modelWord(model: string, provenance: Provenance): Word[] {
  const named: Word = { named: modelName(model) };
  return provenance === "derived" ? [named, " (derived)"] : [named];
}

const TEXT_MAX = 140;
/** Room of a finding in one of three columns. */
export const FINDING_MAX = 100;
/** Room of a cell or of one of several columns. */
export const CELL_MAX = 60;

/** A text of others, cut in its middle to what a line of a report has room for: what is said of a name stands behind it. */
export function short(text: string, max = TEXT_MAX): string {
  if (text.length <= max) return text;
  const end = Math.floor(max / 3);
  return `${startOf(text, max - 1 - end)}…${endOf(text, end)}`;
}

/** `60.0% 72/120`; `—` over nothing. */
export function rateText(rate: Rate): string {
  return rate.of === 0 ? DASH : `${percent(rate, 1)} ${count(rate.hits)}/${count(rate.of)}`;
}

/** A range of shares: `3.0% to 17.2%`. */
export function rangeText([low, high]: readonly [number, number]): string {
  return `${percent({ hits: low, of: 1 }, 1)} to ${percent({ hits: high, of: 1 }, 1)}`;
}

/** Where this week's rate stands against its limits: a mark and words, never a colour alone. */
export function againstLimits({ out, limits, back_inside, rate }: RateReview, runs: number): string {
  if (out === "above") return "▲ above its limits";
  if (out === "below") return "▼ below its limits";
  if (limits !== null) return back_inside ? "✓ back inside its limits" : "inside its limits";
  if (rate.of === 0) return "nothing to count";
  return runs < RUNS_FLOOR ? `n = ${runs}, too few` : "no limits yet";
}

/** A sum of money, a lower bound where runs are missing in it. */
export function costText({ usd, lower_bound }: CostReview): string {
  return lower_bound ? lowerBoundMoney(usd) : money(usd);
}

function costWords(cost: CostReview, before: CostReview): string {
  if (cost.usd === null && before.usd === null) return "cost unknown: no run has a price";
  return `cost ${costText(cost)}, ${costText(before)} before`;
}

/** `24 runs in 2 sessions, 96 in the eight weeks before · cost $0.24, $0.96 before`. */
export function modelFacts(model: ModelReview): string {
  const { runs, sessions, runs_before, cost, cost_before, faded } = model;
  const few = faded && runs > 0 ? ` · n = ${runs}, too few` : "";
  return `${counted(runs, "run")} in ${counted(sessions, "session")}, ${counted(runs_before, "run")} in the eight weeks before${few} · ${costWords(cost, cost_before)}`;
}

/** A sentence's beginning. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The title of every rendering: `Week 2026-W48`. */
export function titleOf({ week }: ReviewReport): string {
  return `Week ${week.key}`;
}

/** `2026-11-23 to 2026-11-29 (UTC)`, and, while it lasts, as of when. */
export function spanText({ week, as_of }: ReviewReport): string {
  const day = (ms: number) => bucketKey(ms, week.zone, "day");
  const span = `${day(Date.parse(week.from))} to ${day(Date.parse(week.to) - 1)} (${week.zone})`;
  return week.complete
    ? span
    : `${span} · in progress: as of ${as_of.replace(/\.\d+/, "")}, the rest of the week is not in here`;
}

/** What the numbers rest on, in parts of one line. */
export function coverageParts({ coverage, totals }: ReviewReport): string[] {
  const runs = totals.reduce((sum, total) => sum + total.runs, 0);
  const left = leftOut(coverage);
  return [
    `${counted(runs, "run")} in the week`,
    `${counted(coverage.sessions_read, "session")} read up to its end`,
    ...coverage.sources.map(({ source, runs: own }) => `${source.kind}: ${counted(own, "run")}`),
    ...(left.length === 0 ? ["nothing left out"] : left),
  ];
}

/** What the charts show, said once beside them. */
export const LEGEND =
  "Shaded: what the weeks before each week make likely. Bars: 95% interval. Hollow: under 20 runs, too few. Diamond: outside. Flag: a setting changed. A gap: nothing to count. Limits take three weeks of 20 runs before.";
