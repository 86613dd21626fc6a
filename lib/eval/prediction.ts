import { COST_METRICS, type CostMetric } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES, type ChangeClass } from "#lib/gate/rules.ts";
import { isObject } from "#lib/json-text.ts";

/** What was said of a change before anything of it was measured. */
export type Prediction = {
  /** The counter that will fall; null: only a class or a reason was given, and case passes are judged. */
  metric: CostMetric | null;
  because: string | null;
  class: ChangeClass;
  /** RFC 3339. */
  made_at: string;
  /** The stored proposal it was taken from. */
  proposal: string | null;
};

/** A prediction as a journal's head keeps it; null for none. */
export function parsePrediction(value: unknown): Prediction | null {
  if (!isObject(value)) return null;
  const { metric, because, class: kind, made_at, proposal } = value;
  return {
    metric: COST_METRICS.find((one) => one === metric) ?? null,
    because: typeof because === "string" ? because : null,
    class: CHANGE_CLASSES.find((one) => one === kind) ?? "config",
    made_at: typeof made_at === "string" ? made_at : "",
    proposal: typeof proposal === "string" ? proposal : null,
  };
}
