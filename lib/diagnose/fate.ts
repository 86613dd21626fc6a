import { changeKey } from "#lib/agent/change-key.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import type { Diagnosis } from "./proposal.ts";

/** What became of a diagnosis. Nothing of it is stored: it follows from what was measured since. */
export type Fate =
  /** It came to no proposal that anybody could measure. */
  | { kind: "nothing_to_measure" }
  | { kind: "not_measured" }
  | { kind: "queued"; experiment_id: string; state: "queued" | "running" }
  /** It was to be measured, and that ended without a verdict. */
  | { kind: "not_finished"; experiment_id: string; state: "done" | "failed" | "cancelled" }
  | {
      kind: "verdict";
      verdict_id: string;
      /** Null: it was measured from a command line. */
      experiment_id: string | null;
      outcome: "accept" | "propose" | "reject";
      /** What became of the prediction. `unknown` also where something else was judged than what was predicted. */
      prediction: "kept" | "missed" | "unknown";
    };

/** An experiment that was made from a proposal. */
export type FateExperiment = {
  id: string;
  proposal_id: string;
  /** The `changeKey` of what is measured: whoever sent the form may have changed what stood in it. */
  change_key: string;
  state: "queued" | "running" | "done" | "failed" | "cancelled";
  created_ms: number;
  verdict_id: string | null;
};

/** A verdict of a change. */
export type FateVerdict = {
  id: string;
  /** The `changeKey` of what was changed: settings may be spelt otherwise, all else has to be the same word for word. */
  change_key: string | null;
  metric: string | null;
  outcome: "accept" | "propose" | "reject";
  prediction: string | null;
  /** RFC 3339: when the candidate was measured; null where that was not recorded. */
  measured_at: string | null;
  created_at: string;
};

/**
 * The verdict of an experiment that was made from the proposal and measures its very change; else the first verdict of
 * that change that was measured after the proposal stood, one that judged the predicted counter before others; else how
 * far it has come. `experiments` and `verdicts` may hold those of other proposals too.
 */
export function fateOf(
  diagnosis: Pick<Diagnosis, "id" | "created_at" | "reading">,
  experiments: readonly FateExperiment[],
  verdicts: readonly FateVerdict[],
): Fate {
  const { reading } = diagnosis;
  if (reading.kind !== "proposal") return { kind: "nothing_to_measure" };
  const { change, metric } = reading.proposal;
  const key = changeKey(change);
  const own = experiments
    .filter(({ proposal_id, change_key }) => proposal_id === diagnosis.id && change_key === key)
    .sort((a, b) => b.created_ms - a.created_ms);
  for (const { id, verdict_id } of own) {
    const verdict = verdicts.find((one) => one.id === verdict_id);
    if (verdict !== undefined) return verdictFate(verdict, metric, id);
  }
  const isOthers = ({ id }: FateVerdict) =>
    experiments.some((one) => one.verdict_id === id && one.proposal_id !== diagnosis.id);
  const measured = verdicts
    .filter((one) => one.change_key === key && after(one, diagnosis.created_at) && !isOthers(one))
    .sort((a, b) => rank(a, metric) - rank(b, metric) || Date.parse(a.created_at) - Date.parse(b.created_at));
  const [verdict] = measured;
  if (verdict !== undefined) return verdictFate(verdict, metric, null);
  return unmeasured(own[0]);
}

/** A prediction that was made after its measurement is none. */
function after(verdict: FateVerdict, made_at: string): boolean {
  return Date.parse(verdict.measured_at ?? verdict.created_at) >= Date.parse(made_at);
}

function rank(verdict: FateVerdict, metric: CostMetric): number {
  return verdict.metric === metric ? 0 : 1;
}

function verdictFate(verdict: FateVerdict, metric: CostMetric, experiment_id: string | null): Fate {
  const told = verdict.metric === metric ? verdict.prediction : null;
  const prediction = told === "kept" || told === "missed" ? told : "unknown";
  return { kind: "verdict", verdict_id: verdict.id, experiment_id, outcome: verdict.outcome, prediction };
}

function unmeasured(newest: FateExperiment | undefined): Fate {
  if (newest === undefined) return { kind: "not_measured" };
  const { id, state } = newest;
  if (state === "queued" || state === "running") return { kind: "queued", experiment_id: id, state };
  return { kind: "not_finished", experiment_id: id, state };
}
