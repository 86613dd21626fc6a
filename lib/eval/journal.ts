import type { Parsed } from "#lib/errors.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { type ArmKey, jobKey } from "./items.ts";
import { parseRun, usageSchema } from "./parse-report.ts";
import { type Prediction, parsePrediction } from "./prediction.ts";
import type { CaseRun } from "./scorecard.ts";

/**
 * What a pass was started with. A pass is taken up again only by one that was started the same way: results of two
 * different measurements in one report are a measurement of nothing.
 */
export type JournalHead = {
  journal: "mecha.eval/1";
  /** RFC 3339: when the first part of the pass began. */
  started_at: string;
  /** SHA-256 over everything that decides what is measured. */
  plan_sha256: string;
  /** The same in words a person can compare: cases, model, runs, overrides. */
  plan: Record<string, unknown>;
  /** What was predicted, before any arm ran; null without a prediction. */
  prediction: Prediction | null;
};

/** A finished job: graded, judged, and when. */
export type JournalEntry = {
  arm: ArmKey;
  result: CaseRun;
  /** What its judgment took; null where no judge was asked. */
  judge: JudgeCost | null;
  /** How long the pass had been running, its earlier parts included. */
  clock_ms: number;
};

/** Null: the judge's provider did not say, or nobody knows its prices. */
export type JudgeCost = { usage: Usage | null; cost_usd: number | null };

export type Journal = { head: JournalHead; entries: JournalEntry[]; torn: boolean };

/** One finished job as its line, newline included. */
export function journalLine(entry: JournalEntry | JournalHead): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * Reads a journal. A last line without its end was being written when the program died: that job is not finished. Any
 * other line that cannot be read is damage, and said. A job that stands there twice counts once, as it ended first.
 */
export function parseJournal(text: string, file: string): Parsed<Journal> {
  const lines = text.split("\n");
  const torn = lines.pop() !== "";
  const [first, ...rest] = lines;
  const head = first === undefined ? null : headOf(decoded(first));
  if (head === null) return { ok: false, problem: `${file}:1: not the journal of an evaluation` };
  const entries = new Map<string, JournalEntry>();
  for (const [at, line] of rest.entries()) {
    const entry = entryOf(decoded(line));
    if (entry === null) return { ok: false, problem: `${file}:${at + 2}: not the result of a case` };
    const key = jobKey(entry.arm, entry.result.id, entry.result.run);
    if (!entries.has(key)) entries.set(key, entry);
  }
  return { ok: true, value: { head, entries: [...entries.values()], torn } };
}

function decoded(line: string): unknown {
  const value = parseJsonText(line);
  return value.ok ? value.value : null;
}

function headOf(value: unknown): JournalHead | null {
  if (!isObject(value) || value.journal !== "mecha.eval/1") return null;
  const { started_at, plan_sha256, plan, prediction } = value;
  if (typeof started_at !== "string" || typeof plan_sha256 !== "string" || !isObject(plan)) return null;
  return {
    journal: "mecha.eval/1",
    started_at,
    plan_sha256,
    plan,
    prediction: parsePrediction(prediction),
  };
}

function entryOf(value: unknown): JournalEntry | null {
  if (!isObject(value)) return null;
  const { arm, result, judge, clock_ms } = value;
  if (arm !== "" && arm !== "a" && arm !== "b") return null;
  const run = parseRun(result);
  if (!run.ok || typeof clock_ms !== "number") return null;
  if (judge === null) return { arm, result: run.value, judge, clock_ms };
  if (!isObject(judge)) return null;
  const usage = usageSchema.nullable().safeParse(judge.usage ?? null);
  const cost_usd = typeof judge.cost_usd === "number" ? judge.cost_usd : null;
  return usage.success ? { arm, result: run.value, judge: { usage: usage.data, cost_usd }, clock_ms } : null;
}
