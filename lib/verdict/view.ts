import { type Chance, chanceOf } from "#lib/gate/chance.ts";
import type { Flip } from "#lib/gate/flip.ts";
import { type DispositionJson, dispositionOf, type Judgement } from "#lib/gate/judge.ts";
import { reasonText } from "#lib/gate/reason-text.ts";
import { type Disposition, WORK_FLOOR } from "#lib/gate/rules.ts";
import type { Slice } from "#lib/gate/split.ts";
import type { Tallies, Tally } from "#lib/gate/tally.ts";
import { wilson } from "#lib/rate.ts";
import type { ArmSummary, LeftOut, Prediction, VerdictDocument } from "./document.ts";

/** An arm as a verdict shows it. A whole part that a file lacks is null. */
export type ArmView = {
  label: string;
  /** The report it came from, under which its runs are found; null when unknown. */
  name: string | null;
  cases: { passed: number; total: number } | null;
  coverage: ArmSummary["coverage"] | null;
  source: ArmSummary | null;
};

export type SliceView = {
  slice: Slice;
  tally: Tally;
  chance: Chance;
  /** Share of wins among the untied pairs, 95 % by Wilson; null when all tied. */
  interval: [number, number] | null;
};

export type ChangedCase = { id: string; change: "improved" | "regressed"; slice: Slice | null };

/** All that a verdict's page, text and export are drawn from; null means that its file does not tell. */
export type VerdictView = {
  /** Null for a file that carries none. */
  id: string | null;
  kind: "verdict" | "ab_config" | "ab_rules";
  outcome: Disposition | null;
  /** One sentence without a full stop. */
  reason: string | null;
  rule: { name: string; position: number; of: number } | null;
  created_at: string | null;
  made_by: string | null;
  currency: string | null;
  holdout_in: number | null;
  prediction: (Prediction & { kept: Judgement["prediction"] }) | null;
  arms: { baseline: ArmView; candidate: ArmView };
  slices: SliceView[] | null;
  /** Case passes where another cost was judged. */
  passes: Tallies | null;
  work: { baseline: number; candidate: number; floor: number } | null;
  changed: ChangedCase[];
  left_out: { id: string; why: LeftOut }[] | null;
  paired: number | null;
  flips: Flip[] | null;
  /** Things a reader should know before the numbers. */
  remarks: string[];
  /** Parts that the file lacks, in words. */
  unknown: string[];
};

/** The view of a stored document: drawn from it alone, so that it stays as it was judged. */
export function viewOf(document: VerdictDocument): VerdictView {
  const { judgement } = document;
  const { baseline, candidate } = document.arms;
  return {
    id: document.id,
    kind: "verdict",
    outcome: dispositionOf(judgement.disposition),
    reason: reasonOf(judgement),
    rule: { name: judgement.reason, position: judgement.rule.position, of: judgement.rule.of },
    created_at: document.created_at,
    made_by: document.made_by,
    currency: document.currency,
    holdout_in: document.split.holdout_in,
    prediction: { ...document.prediction, kept: judgement.prediction },
    arms: { baseline: armView(baseline), candidate: armView(candidate) },
    slices: slicesOf(judgement, judgement.chance),
    passes: judgement.passes,
    work: workIsTold(document)
      ? { baseline: judgement.work_baseline, candidate: judgement.work_candidate, floor: WORK_FLOOR }
      : null,
    changed: document.episodes.flatMap(({ episode, case_change, slice }) =>
      case_change === "improved" || case_change === "regressed"
        ? [{ id: episode, change: case_change, slice }]
        : [],
    ),
    left_out: document.episodes.flatMap(({ episode, left_out }) =>
      left_out === null ? [] : [{ id: episode, why: left_out }],
    ),
    paired: document.case_set.paired,
    flips: judgement.flips,
    remarks: [...predictionRemark(document), ...remarksOn(baseline, candidate), ...workRemark(document)],
    unknown: [],
  };
}

/** Wins, losses and ties of both slices with what chance makes of them, as stored or, where it is not, worked out. */
export function slicesOf(tallies: Tallies, stored?: Record<Slice, Chance>): SliceView[] {
  return (["selection", "holdout"] as const).map((slice) => {
    const tally = tallies[slice];
    const interval = wilson({ hits: tally.wins, of: tally.wins + tally.losses });
    return { slice, tally, chance: stored?.[slice] ?? chanceOf(tally), interval };
  });
}

/** Why, in one sentence: as stored, or for an acceptance, which carries no text, as the rule says it. */
export function reasonOf({
  disposition,
  reason,
  rule,
}: Pick<Judgement, "disposition" | "reason" | "rule">): string {
  return textIn(disposition) ?? reasonText({ reason, numbers: rule.numbers });
}

export function textIn(disposition: DispositionJson): string | null {
  if (disposition === "Accept") return null;
  return "Propose" in disposition ? disposition.Propose : disposition.Reject;
}

/** A prediction is one only if it was there before the measurement. */
function predictionRemark({ prediction, arms }: VerdictDocument): string[] {
  if (prediction.metric === null) return [];
  if (prediction.made_at === null) return ["when the prediction was made is not recorded"];
  const made = Date.parse(prediction.made_at);
  const measured = Date.parse(arms.candidate.created_at ?? "");
  return made > measured ? ["the prediction was written down after the candidate was measured"] : [];
}

/** Scored episodes whose work both arms tell. */
function withWork({ episodes }: VerdictDocument): number {
  return episodes.filter(
    ({ left_out, baseline, candidate }) =>
      left_out === null && (baseline?.work ?? null) !== null && (candidate?.work ?? null) !== null,
  ).length;
}

function workIsTold(document: VerdictDocument): boolean {
  return document.case_set.paired === 0 || withWork(document) > 0;
}

function workRemark(document: VerdictDocument): string[] {
  const without = document.case_set.paired - withWork(document);
  if (without === 0) return [];
  return [
    `${without} of ${document.case_set.paired} scored episodes do not tell their tool calls: the work guardrail does not see them`,
  ];
}

function armView(arm: ArmSummary): ArmView {
  const { label, name, cases, coverage } = arm;
  return { label, name, cases, coverage, source: arm };
}

const COMPARED = {
  model: "models",
  provider: "providers",
  case_set_sha256: "case sets",
  fixture_sha256: "fixtures",
  judge: "judges",
  grader_version: "graders",
  sandbox: "sandboxes",
} as const;

/** Differences between the arms beside the change: said, never judged by. */
function remarksOn(baseline: ArmSummary, candidate: ArmSummary): string[] {
  const remarks: string[] = [];
  for (const key of Object.keys(COMPARED) as (keyof typeof COMPARED)[]) {
    const [a, b] = [baseline[key], candidate[key]];
    if (a === null || b === null || JSON.stringify(a) === JSON.stringify(b)) continue;
    remarks.push(`the arms had different ${COMPARED[key]}: ${told(a)} and ${told(b)}`);
  }
  if (baseline.partial) remarks.push("the baseline arm was broken off");
  if (candidate.partial) remarks.push("the candidate arm was broken off");
  return remarks;
}

function told(value: string | { provider: string; model: string }): string {
  if (typeof value !== "string") return `${value.provider}/${value.model}`;
  return /^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 12)}…` : value;
}
