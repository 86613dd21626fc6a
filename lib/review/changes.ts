import { count, counted, percent } from "#lib/format.ts";
import { METRICS, type Metric } from "#lib/health/tally.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import { SHOWN } from "./bounds.ts";
import type { WeekFinding } from "./findings.ts";
import { markerGroups } from "./marker-words.ts";
import type { ModelReview, RateReview } from "./models.ts";
import { predictionWords, verdictSubject } from "./outcome-words.ts";
import type { ReviewReport } from "./report.ts";
import type { WeekVerdict } from "./stored.ts";
import { modelWord, RATE_WORDS, rangeText, short, type Word } from "./words.ts";

/** One thing that changed, as a sentence without its full stop. */
export type Change = {
  kind: "limits" | "finding" | "verdict" | "setting" | "model" | "proposal" | "quiet" | "runs";
  /** A mark and a word stand for it: colour comes last. */
  tone: "worse" | "better" | "neutral";
  words: Word[];
};

/** The mark before a sentence, and what a screen reader says for it. */
export const TONES: Record<Change["tone"], { glyph: string; word: string }> = {
  worse: { glyph: "!", word: "worse" },
  better: { glyph: "✓", word: "better" },
  neutral: { glyph: "·", word: "" },
};

/** Sentences of one kind; of more, the number is said. */
const EACH_MAX = 5;

/**
 * What changed in the week, the worst first: rates that left their limits, findings, verdicts, what got better,
 * settings, models, proposals, and last how much ran. Each sentence follows from the numbers of the report. A week of
 * much news tells less of each kind, until all of it has room.
 */
export function weekChanges(report: ReviewReport): Change[] {
  for (let each = EACH_MAX; each > 1; each -= 1) {
    const told = changesUpTo(report, each);
    if (told.length <= SHOWN.sentences) return told;
  }
  return changesUpTo(report, 1);
}

function changesUpTo(report: ReviewReport, max: number): Change[] {
  const some = (changes: Change[], one: string, many: string) => bounded(changes, max, [one, many]);
  const news = [
    ...some(limitChanges(report, "worse"), "more rate left its limits", "more rates left their limits"),
    ...some(newFindings(report), "more new finding", "more new findings"),
    ...some(verdictChanges(report), "more verdict", "more verdicts"),
    ...some(limitChanges(report, "better"), "more rate got better", "more rates got better"),
    ...some(resolvedFindings(report), "more finding is gone", "more findings are gone"),
  ];
  return [
    ...(news.length === 0 ? quiet(report) : news),
    ...some(settingChanges(report), "more change of settings", "more changes of settings"),
    ...some(modelChanges(report), "more model came or went", "more models came or went"),
    ...proposalChanges(report),
    runsChange(report),
  ];
}

function bounded(changes: readonly Change[], max: number, [one, many]: [string, string]): Change[] {
  const [first] = changes;
  const more = changes.length - max;
  if (first === undefined || more <= 0) return [...changes];
  return [
    ...changes.slice(0, max),
    { kind: first.kind, tone: first.tone, words: [counted(more, one, many)] },
  ];
}

function limitChanges({ models }: ReviewReport, tone: "worse" | "better"): Change[] {
  return models.flatMap((model) =>
    METRICS.flatMap((metric): Change[] => {
      const rate = model.rates[metric];
      const isBetter = rate.out === "below" || rate.back_inside;
      if (tone === "worse" ? rate.out !== "above" : !isBetter) return [];
      return [{ kind: "limits", tone, words: limitWords(model, metric, rate) }];
    }),
  );
}

function limitWords(model: ModelReview, metric: Metric, { rate, out, limits }: RateReview): Word[] {
  const went =
    out === null
      ? "are back inside their limits"
      : out === "above"
        ? "rose above their limits"
        : "fell below their limits";
  const likely = limits === null ? "" : `; the weeks before make ${rangeText(limits)} likely`;
  const pair = `${percent(rate, 1)}, ${count(rate.hits)} of ${count(rate.of)}`;
  return [...modelWord(model.model, model.provenance), `: ${RATE_WORDS[metric]} ${went}: ${pair}${likely}`];
}

function newFindings({ findings }: ReviewReport): Change[] {
  return findings.new.map((finding) => ({
    kind: "finding",
    tone: "worse",
    words: ["new finding: ", ...findingWords(finding)],
  }));
}

function resolvedFindings({ findings }: ReviewReport): Change[] {
  return findings.resolved.map((finding) => ({
    kind: "finding",
    tone: "better",
    words: ["no longer found: ", ...findingWords(finding)],
  }));
}

function findingWords({ summary }: WeekFinding): Word[] {
  return [{ named: short(summary) }];
}

function verdictChanges({ verdicts }: ReviewReport): Change[] {
  return verdicts.map((verdict) => ({
    kind: "verdict",
    tone: toneOf(verdict),
    words: verdictWords(verdict),
  }));
}

function toneOf({ outcome }: WeekVerdict): Change["tone"] {
  return outcome === "accept" ? "better" : "neutral";
}

function verdictWords(verdict: WeekVerdict): Word[] {
  const predicted = predictionWords(verdict);
  return [
    `verdict ${OUTCOMES[verdict.outcome].word} on `,
    ...verdictSubject(verdict),
    ": ",
    { named: short(verdict.reason) },
    ...(predicted.length === 0 ? [] : ["; ", ...predicted]),
  ];
}

function settingChanges({ markers, week }: ReviewReport): Change[] {
  // That a model is new is said of the model itself.
  const told = markers.filter(({ key, kind }) => key !== "model" || kind === "switched");
  return markerGroups(told, week.zone).map(({ words }) => ({ kind: "setting", tone: "neutral", words }));
}

/** That a model is new says nothing where all of them are, and that one is gone nothing while the week lasts. */
function modelChanges({ models, week }: ReviewReport): Change[] {
  const known = models.some(({ runs_before }) => runs_before > 0);
  return models.flatMap((one): Change[] => {
    const name = modelWord(one.model, one.provenance);
    const lastWeek = one.rates.cut_short.weeks.at(-2)?.runs ?? 0;
    if (known && one.runs > 0 && one.runs_before === 0)
      return [neutral("model", [...name, `: first runs in nine weeks, ${count(one.runs)} of them`])];
    if (week.complete && one.runs === 0 && lastWeek > 0)
      return [neutral("model", [...name, `: no run, after ${count(lastWeek)} in the week before`])];
    return [];
  });
}

function neutral(kind: Change["kind"], words: Word[]): Change {
  return { kind, tone: "neutral", words };
}

function proposalChanges({ proposals }: ReviewReport): Change[] {
  if (proposals.length === 0) return [];
  const made = proposals.filter(({ kind }) => kind === "proposal");
  const measured = made.filter(({ fate }) => fate.kind === "verdict").length;
  const rest = proposals.length - made.length;
  const words = [
    `${counted(made.length, "proposal")} made, ${count(measured)} of them measured`,
    rest === 0 ? "" : `; ${counted(rest, "diagnosis", "diagnoses")} without one`,
  ];
  return [neutral("proposal", [words.join("")])];
}

/** Silence is told only of what was looked at: over no run at all it would mean nothing. */
function quiet({ models }: ReviewReport): Change[] {
  if (models.length === 0) return [];
  const rates = models.flatMap(({ rates }) => METRICS.map((metric) => rates[metric]));
  const judged = rates.some(({ limits }) => limits !== null);
  const limits = judged
    ? "no rate left its limits"
    : "no rate could be held against limits: that takes 20 runs this week, and three weeks of 20 runs before it";
  return [neutral("quiet", [`${limits}; no finding came or went, and no verdict was reached`])];
}

function runsChange({ totals, week }: ReviewReport): Change {
  const so = week.complete ? "" : " so far";
  if (totals.length === 0) return neutral("runs", [`no run${so}, and none in the eight weeks before`]);
  const each = totals.map(({ provenance, runs, sessions, runs_before }) => {
    const name = totals.length > 1 || provenance === "derived" ? `${provenance}: ` : "";
    return `${name}${counted(runs, "run")} in ${counted(sessions, "session")}${so}, ${count(runs_before)} in the eight weeks before`;
  });
  return neutral("runs", [each.join("; ")]);
}
