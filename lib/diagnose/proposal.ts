import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";
import type { Usage } from "#lib/transcript/record.ts";

/** One change that a model proposes, with a prediction that a measurement can refute. */
export type Proposal = {
  class: ChangeClass;
  change: string;
  metric: CostMetric;
  rationale: string;
};

/** What a reply came to. Declining is a result like any other. */
export type Reading =
  | {
      kind: "proposal";
      proposal: Proposal /** Words of the command; null where no comparison can measure it. */;
      command: string[] | null;
    }
  | { kind: "declined"; reason: string }
  /** Not shown as a proposal to act on: it repeats what the diagnostician read, or its text cannot be pasted safely. */
  | { kind: "refused"; proposal: Proposal; reason: string }
  | { kind: "unparsable"; reason: string }
  /** The run itself failed: no reply to read. */
  | { kind: "failed"; reason: string };

/** A diagnosis as it is stored and shown. */
export type Diagnosis = {
  id: string;
  /** RFC 3339. */
  created_at: string;
  reading: Reading;
  /** The model whose runs were looked at. */
  subject: string;
  provider: string;
  model: string;
  brief: string;
  reply: string;
  window: { days: number | null; limit: number; as_of: string };
  usage: Usage | null;
  cost_usd: number | null;
  elapsed_ms: number;
  scripted: boolean;
};
