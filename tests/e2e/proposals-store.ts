import type { Db } from "#db/client.ts";
import type { Diagnosis, Proposal, Reading } from "#lib/diagnose/proposal.ts";
import { saveDiagnosis } from "#lib/diagnose/proposals.io.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { RawCell } from "#lib/verdict/document.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { aRaw } from "#tests/unit/verdict/raw.ts";

let count = 0;

/** A diagnosis with an id that says which it is; each is a minute younger than the one before. */
export function aDiagnosis(reading: Reading, parts: Partial<Diagnosis> = {}): Diagnosis {
  count += 1;
  return {
    id: `00000000-0000-4000-8000-${String(count).padStart(12, "0")}`,
    created_at: new Date(Date.UTC(2026, 10, 1, 8, count)).toISOString(),
    reading,
    subject: "qwen3-moe",
    provider: "cloud",
    model: "big-1",
    brief: "COUNTERS\nruns 24\ncut_short 15/24",
    reply: "PROPOSAL\nclass: config",
    window: { days: 7, limit: 200, as_of: "2026-11-01T08:00:00Z" },
    usage: {
      input_tokens: 2000,
      output_tokens: 300,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
    cost_usd: 0.012,
    elapsed_ms: 4200,
    scripted: false,
    ...parts,
  };
}

export function aProposal(parts: Partial<Proposal> = {}): Proposal {
  return {
    class: "config",
    change: "max_turns=60",
    metric: "cut_short",
    rationale: "15 of 24 runs ended on max_turns",
    ...parts,
  };
}

export function proposed(parts: Partial<Proposal> = {}): Reading {
  const proposal = aProposal(parts);
  const command =
    proposal.class === "config"
      ? ["mecha", "eval", "--ab-config", proposal.change, "eval/cases.jsonl"]
      : null;
  return { kind: "proposal", proposal, command };
}

/** A verdict on the predicted counter, reached after every diagnosis here: "+" fell, "-" rose, "=" stayed. */
export function saveJudged(
  db: Db,
  change: string,
  [selection, holdout]: [string, string],
  metric: CostMetric,
): void {
  const created_at = "2026-11-02T08:00:00Z";
  const raw = aRaw(selection, holdout, { created_at, currency: metric });
  const counted = (one: RawCell | null): RawCell | null =>
    one && { ...one, values: [1 - Number(one.passed)] };
  const document = assemble({
    ...raw,
    prediction: { ...raw.prediction, change, metric },
    episodes: raw.episodes.map(({ episode, baseline, candidate }) => ({
      episode,
      baseline: counted(baseline),
      candidate: counted(candidate),
    })),
  });
  saveVerdict(db, document, Date.parse(created_at));
}

export function saveAll(db: Db, diagnoses: readonly Diagnosis[]): void {
  for (const one of diagnoses) saveDiagnosis(db, one);
}
