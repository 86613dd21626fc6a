import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import type { ExperimentRequest } from "./experiment.ts";

/** The request in its row; null where somebody has changed it into what is none. */
export function storedRequest(text: string): ExperimentRequest | null {
  const parsed = parseJsonText(text);
  return parsed.ok && isRequest(parsed.value) ? parsed.value : null;
}

function isRequest(value: unknown): value is ExperimentRequest {
  if (!isObject(value) || !isObject(value.judge)) return false;
  const { judge } = value;
  return (
    isTexts(value.overrides) &&
    CHANGE_CLASSES.some((one) => one === value.changeClass) &&
    (value.metric === null || COST_METRICS.some((one) => one === value.metric)) &&
    isCount(value.holdoutIn) &&
    typeof value.casesFile === "string" &&
    isTexts(value.tags) &&
    isCount(value.runsPerCase) &&
    isCount(value.concurrency) &&
    [value.rationale, value.proposalId, value.provider, value.model, value.mcpFile].every(isTextOrNull) &&
    [judge.provider, judge.model].every(isTextOrNull)
  );
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0;
}
