import { z } from "zod";
import type { Parsed } from "#lib/errors.ts";
import type { Judgement } from "#lib/gate/judge.ts";
import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES, RULES } from "#lib/gate/rules.ts";
import { schemaProblem } from "#lib/schema-problem.ts";
import { VERDICT_SCHEMA, type VerdictDocument } from "./document.ts";

const count = z.int().min(0);
const amount = z.number().min(0);
const maybe = <T extends z.ZodType>(type: T) => type.nullable();
const text = maybe(z.string());
const tally = z.object({ wins: count, losses: count, ties: count });
const tallies = z.object({ selection: tally, holdout: tally });
const runs = z.object({ scored: count, errored: count, not_scored: count });
const currency = z.enum(["case_passes", ...COST_METRICS]);
const changeClass = z.enum(CHANGE_CLASSES);

const source = z.object({
  label: z.string(),
  name: text,
  sha256: text,
  model: text,
  provider: text,
  runs_per_case: maybe(count),
  case_set_sha256: text,
  fixture_sha256: text,
  judge: maybe(z.object({ provider: z.string(), model: z.string() })),
  grader_version: text,
  sandbox: text,
  seed: maybe(count),
  concurrency: maybe(count),
  created_at: text,
  partial: maybe(z.boolean()),
  not_scored: count,
  coverage: runs.extend({ total: count }),
  cases: maybe(z.object({ passed: count, total: count })),
});

const cell = z
  .object({
    runs: count.min(1),
    errored: count,
    passed: maybe(count),
    values: maybe(z.array(maybe(amount))),
    work: maybe(amount),
    cost: maybe(amount),
  })
  .refine((one) => one.errored + (one.passed ?? 0) <= one.runs, "more runs errored or passed than were made");

const episode = z.object({
  episode: z.string().min(1),
  slice: z.enum(["selection", "holdout"]),
  baseline: maybe(cell),
  candidate: maybe(cell),
  outcome: maybe(z.enum(["win", "loss", "tie"])),
  left_out: maybe(z.enum(["baseline_only", "candidate_only", "unequal_runs", "errored"])),
  case_change: maybe(z.enum(["improved", "regressed", "same"])),
});

const chance = z.object({
  untied: count,
  as_good: maybe(amount),
  two_sided: maybe(amount),
  best: maybe(amount),
});
const disposition = z.union([
  z.literal("Accept"),
  z.object({ Propose: z.string() }),
  z.object({ Reject: z.string() }),
]);

/** The five keys of a judgement that other programs write too. */
export const knownJudgement = z.object({
  disposition,
  selection: tally,
  holdout: tally,
  work_baseline: amount,
  work_candidate: amount,
});

const judgement = knownJudgement.extend({
  reason: z.enum(RULES),
  rule: z.object({
    position: count,
    of: count,
    numbers: z.record(z.string(), z.union([z.number(), z.string()])),
  }),
  rule_version: count,
  change_class: changeClass,
  currency,
  holdout_in: count,
  coverage: z.object({ baseline: runs, candidate: runs }),
  passes: maybe(tallies),
  prediction: maybe(z.enum(["kept", "missed", "unknown"])),
  flips: z.array(
    z.object({
      to: z.enum(["accept", "propose", "reject"]),
      changes: z.array(z.object({ lever: z.string(), by: z.number() })),
    }),
  ),
  chance: z.object({
    selection: chance,
    holdout: chance,
    floors: z.object({ selection: amount, holdout: amount }),
  }),
});

const documentSchema = z
  .object({
    schema: z.literal(VERDICT_SCHEMA),
    id: z.string(),
    // Pages show it in their own time zone, and lists are sorted by it.
    created_at: z.iso.datetime({ offset: true }),
    made_by: z.string(),
    currency,
    split: z.object({ hash: z.literal("fnv1a64"), holdout_in: z.int().min(2) }),
    prediction: z.object({
      change_class: changeClass,
      change: text,
      metric: maybe(z.enum(COST_METRICS)),
      rationale: text,
      made_at: text,
    }),
    case_set: z.object({ episodes: count, paired: count, sha256: z.string() }),
    arms: z.object({ baseline: source, candidate: source }),
    episodes: z.array(episode),
    judgement,
  })
  .refine(
    ({ episodes }) => new Set(episodes.map((one) => one.episode)).size === episodes.length,
    "an episode stands twice",
  );

/** Reads a verdict document: its shape only. Whether its numbers are true: verify.ts. */
export function parseDocument(value: unknown): Parsed<VerdictDocument> {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: schemaProblem(parsed.error, "the document") };
  // A lever this version does not know is a word on a page, not a reason to refuse the document.
  const flips = parsed.data.judgement.flips as Judgement["flips"];
  return { ok: true, value: { ...parsed.data, judgement: { ...parsed.data.judgement, flips } } };
}
