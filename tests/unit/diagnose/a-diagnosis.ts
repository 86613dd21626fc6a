import type { Diagnosis, Proposal } from "#lib/diagnose/proposal.ts";

/** A proposal to raise the limit on turns; the test says what matters. */
export function aDiagnosis(over: Partial<Diagnosis> = {}, proposal: Partial<Proposal> = {}): Diagnosis {
  return {
    id: "00000000-0000-4000-8000-000000000001",
    created_at: "2026-11-01T00:00:00Z",
    reading: {
      kind: "proposal",
      proposal: {
        class: "config",
        change: "max_turns=60",
        metric: "cut_short",
        rationale: "more room",
        ...proposal,
      },
      command: ["mecha", "eval", "--ab-config", "max_turns=60", "eval/cases.jsonl"],
    },
    subject: "qwen3-moe",
    provider: "local",
    model: "m",
    brief: "Counters.",
    reply: "PROPOSAL",
    window: { days: 14, limit: 200, as_of: "2026-11-01T00:00:00Z" },
    usage: { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 },
    cost_usd: 0.25,
    elapsed_ms: 1200,
    scripted: false,
    ...over,
  };
}
