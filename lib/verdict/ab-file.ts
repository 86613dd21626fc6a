import { z } from "zod";
import type { Parsed } from "#lib/errors.ts";
import { dispositionOf, type Judgement, judge } from "#lib/gate/judge.ts";
import { schemaProblem } from "#lib/schema-problem.ts";
import { knownJudgement } from "./parse-document.ts";
import { type Disagreement, differences } from "./verify.ts";

const count = z.int().min(0);
const score = z.object({ passed: count, total: count });

/** `mecha eval --ab-config … -o FILE`. */
const configFile = z.object({
  ab_config: z.array(z.string()),
  arm_a: score,
  arm_b: score,
  cases: z.array(
    z.object({ id: z.string().min(1), was: z.boolean(), now: z.boolean(), work_a: count, work_b: count }),
  ),
  holdout_in: z.int().min(2),
  /** Ours; other writers judge case passes and do not say so. */
  currency: z.string().default("case_passes"),
  judgement: knownJudgement,
});
export type AbConfigFile = z.infer<typeof configFile>;

const arm = z.object({
  scorecard: z.object({ model: z.string(), provider: z.string(), passed: count, total: count }),
  cases: z.array(z.object({ id: z.string().min(1), passed: z.boolean() })),
});

/** `mecha eval --ab-rules -o FILE`. */
const rulesFile = z.object({
  ab_rules: z.literal(true),
  without_rules: arm,
  with_rules: arm,
  flips: z.array(z.object({ id: z.string(), without_rules: z.boolean(), with_rules: z.boolean() })),
});
export type AbRulesFile = z.infer<typeof rulesFile>;

export type AbFile = { kind: "ab_config"; file: AbConfigFile } | { kind: "ab_rules"; file: AbRulesFile };

/** Reads an A/B result of either shape. The problem names the place in the file. */
export function parseAbFile(value: unknown): Parsed<AbFile> {
  const isRules = typeof value === "object" && value !== null && "ab_rules" in value;
  if (isRules) {
    const parsed = rulesFile.safeParse(value);
    if (!parsed.success) return { ok: false, problem: schemaProblem(parsed.error, "the file") };
    return { ok: true, value: { kind: "ab_rules", file: parsed.data } };
  }
  const parsed = configFile.safeParse(value);
  if (!parsed.success) return { ok: false, problem: schemaProblem(parsed.error, "the file") };
  const doubled = firstDoubled(parsed.data.cases.map((one) => one.id));
  if (doubled !== null) return { ok: false, problem: `cases: ${JSON.stringify(doubled)} stands twice` };
  return { ok: true, value: { kind: "ab_config", file: parsed.data } };
}

/** What a config A/B states and its own cases do not give; empty when all of it follows. */
export function checkAbConfig(file: AbConfigFile): Disagreement[] {
  const scores = [
    ...differences(file.arm_a, scoreOf(file, "was"), "arm_a"),
    ...differences(file.arm_b, scoreOf(file, "now"), "arm_b"),
  ];
  // A counter of the runs was judged, and this file holds none of them: its verdict document does.
  if (file.currency !== "case_passes") return scores;
  const again = judgementOf(file);
  const { disposition, ...numbers } = file.judgement;
  const recomputed = {
    outcome: dispositionOf(again.disposition),
    selection: again.selection,
    holdout: again.holdout,
    work_baseline: again.work_baseline,
    work_candidate: again.work_candidate,
  };
  return [
    // The sentence is each program's own; the word is not.
    ...differences({ outcome: dispositionOf(disposition), ...numbers }, recomputed, "judgement"),
    ...scores,
  ];
}

/** The judgement that our gate gives a config A/B, from its cases alone. */
export function judgementOf({ cases, holdout_in }: AbConfigFile): Judgement {
  // Such a file does not tell which runs errored: all count as finished, and the page says that it is unknown.
  const runs = { scored: cases.length, errored: 0, not_scored: 0 };
  const cost = (passed: boolean) => (passed ? 0 : 1);
  return judge({
    change_class: "config",
    holdout_in,
    currency: "case_passes",
    baseline: {
      episodes: cases.map((one) => ({ episode: one.id, cost: cost(one.was), work: one.work_a })),
      runs,
    },
    candidate: {
      episodes: cases.map((one) => ({ episode: one.id, cost: cost(one.now), work: one.work_b })),
      runs,
    },
    passes: null,
    predicted: false,
  });
}

function scoreOf({ cases }: AbConfigFile, key: "was" | "now") {
  return { passed: cases.filter((one) => one[key]).length, total: cases.length };
}

function firstDoubled(ids: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}
