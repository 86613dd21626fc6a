import type { Parsed } from "#lib/errors.ts";
import { sum } from "./head.ts";
import { readRows } from "./read-rows.ts";
import { type RawRow, textOf } from "./row-fields.ts";
import type { CaseRun, Report } from "./scorecard.ts";
import { type Trial, trialOf } from "./trial.ts";

export type ImportOptions = {
  /** Keeps the rows of this model where the file names several, and names the card where it names none. */
  model: string | null;
  provider: string | null;
  /** A reward of at least this is a pass. */
  pass_at: number;
  /** RFC 3339: when the card is made. */
  created_at: string | null;
};

export type Imported = { report: Omit<Report, "head">; notes: string[] };

/**
 * Makes a scorecard of another harness's trial rows: a case or task id, a run or trial number, and `passed` or
 * `reward`; turns, calls, errors, cost, tokens and time where the row tells them. What it does not tell stays unknown.
 */
export function importRows(text: string, options: ImportOptions): Parsed<Imported> {
  const read = readRows(text);
  if (!read.ok) return read;
  const chosen = ofOneModel(read.value, options);
  if (!chosen.ok) return chosen;
  const { rows, model, notes } = chosen.value;
  if (rows.length === 0) return { ok: false, problem: "there is no row to import" };
  const trials: Trial[] = [];
  for (const row of rows) {
    const trial = trialOf(row, options.pass_at);
    if (!trial.ok) return trial;
    trials.push(trial.value);
  }
  const badNumber = halfNumbered(trials) ?? firstDoubled(trials);
  if (badNumber !== null) return { ok: false, problem: badNumber };
  const { runs, not_scored } = numberedRuns(trials);
  const provider = options.provider ?? textOf(rows[0] ?? NO_ROW, "provider") ?? "import";
  return {
    ok: true,
    value: {
      report: cardOf(model, provider, runs, not_scored, options),
      notes: [...notes, ...notesOn(trials)],
    },
  };
}

const NO_ROW: RawRow = { place: "", fields: new Map(), ofText: false };

/** A card is of one model: rows of several are refused until one is chosen. */
function ofOneModel(
  rows: RawRow[],
  { model }: ImportOptions,
): Parsed<{ rows: RawRow[]; model: string; notes: string[] }> {
  const named = new Set(rows.map((row) => textOf(row, "model")).filter((name) => name !== null));
  if (model !== null && named.size > 0) {
    const kept = rows.filter((row) => textOf(row, "model") === model);
    const dropped = rows.length - kept.length;
    const notes = dropped > 0 ? [`${dropped} rows of other models were left out`] : [];
    return { ok: true, value: { rows: kept, model, notes } };
  }
  if (named.size > 1) {
    const list = [...named].sort().slice(0, 5).join(", ");
    return { ok: false, problem: `the rows are of ${named.size} models (${list}): choose one with --model` };
  }
  return { ok: true, value: { rows, model: model ?? [...named][0] ?? "unknown", notes: [] } };
}

function halfNumbered(trials: readonly Trial[]): string | null {
  const without = trials.find(({ number }) => number === null);
  if (without === undefined || trials.every(({ number }) => number === null)) return null;
  return `${without.place}: it has no trial number, and other rows have one`;
}

/** The same trial of a case twice would count one run as two. */
function firstDoubled(trials: readonly Trial[]): string | null {
  const seen = new Map<string, string>();
  for (const { run, number, place } of trials) {
    if (number === null) continue;
    const key = JSON.stringify([run.id, number]);
    const first = seen.get(key);
    if (first !== undefined) return `${place}: trial ${number} of ${run.id} stands in ${first} already`;
    seen.set(key, place);
  }
  return null;
}

/** Numbers the runs from 1: by the rows' own numbers, which some harnesses start at 0, else by order. */
function numberedRuns(trials: readonly Trial[]): {
  runs: CaseRun[];
  not_scored: { id: string; reason: string }[];
} {
  const lowest = trials.reduce((least, { number }) => Math.min(least, number ?? 1), 1);
  const count = new Map<string, number>();
  const runs = trials.flatMap(({ run, number, graded }) => {
    const nth = (count.get(run.id) ?? 0) + 1;
    count.set(run.id, nth);
    return graded ? [{ ...run, run: number === null ? nth : number + 1 - lowest }] : [];
  });
  const scored = new Set(runs.map((run) => run.id));
  const not_scored = [...count.keys()]
    .filter((id) => !scored.has(id))
    .map((id) => ({ id, reason: "no row of it has a grade" }));
  return { runs, not_scored };
}

function cardOf(
  model: string,
  provider: string,
  runs: CaseRun[],
  not_scored: { id: string; reason: string }[],
  { created_at }: ImportOptions,
): Omit<Report, "head"> {
  return {
    model,
    provider,
    wall_clock_ms: null,
    meta: {
      case_set_sha256: null,
      fixture_sha256: null,
      judge: null,
      concurrency: null,
      grader_version: "imported rows",
      seed: null,
      sandbox: null,
      created_at,
      partial: null,
      cost_usd: sum(runs.map((run) => run.cost_usd)),
      judge_usage: null,
      judge_cost_usd: null,
      not_scored,
    },
    runs,
  };
}

function notesOn(trials: readonly Trial[]): string[] {
  const count = (of: (trial: Trial) => boolean) => trials.filter(of).length;
  const notes: [number, string][] = [
    [count((trial) => !trial.graded), "rows have neither a grade nor an error: not scored, not failed"],
    [
      count((trial) => trial.partial),
      "rewards lie between nothing and a pass, and count as failed (--pass-at moves the line)",
    ],
    [
      count((trial) => trial.above),
      "rewards are above 1, and pass: on a scale that goes further, such as percent, --pass-at moves the line",
    ],
    [
      count((trial) => trial.contradicts),
      "rows have a reward that contradicts their grade: the grade counts",
    ],
    [count((trial) => trial.run.error !== null), "runs ended in an error, and fail their case"],
  ];
  return notes.flatMap(([n, text]) => (n > 0 ? [`${n} ${text}`] : []));
}
