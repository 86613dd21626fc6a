import path from "node:path";
import { parseOverride } from "#lib/agent/overrides.ts";
import type { Parsed } from "#lib/errors.ts";
import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { DEFAULT_HOLDOUT_IN } from "#lib/gate/split.ts";
import { resolvePlace } from "#lib/settings.ts";
import type { ExperimentRequest } from "./experiment.ts";

/** The fields of the form, by the names that it sends. */
export const FIELDS = [
  "change",
  "class",
  "metric",
  "rationale",
  "holdout_in",
  "proposal",
  "provider",
  "model",
  "cases",
  "tags",
  "runs",
  "concurrency",
  "judge_provider",
  "judge_model",
  "mcp_file",
] as const;
export type Field = (typeof FIELDS)[number];

export type Form = Readonly<Partial<Record<string, string | readonly string[]>>>;

/** What a form came to. The problem begins with the field's name, which stands beside it as well. */
export type ParsedExperiment =
  | { ok: true; value: ExperimentRequest }
  | { ok: false; field: Field; problem: string };

export const RUNS_MAX = 100;
const CONCURRENCY_MAX = 64;
const HOLDOUT_MAX = 1_000;
const TEXT_MAX = 4_000;
const OVERRIDES_MAX = 8;

class Refused extends Error {
  readonly field: Field;
  constructor(field: Field, problem: string) {
    super(`${field}: ${problem}`);
    this.field = field;
  }
}

/**
 * Reads a form as an experiment, with the parsers and the defaults of `mecha eval`. An empty field is one that was not
 * filled in. `change`: `KEY=VALUE`, several with white space between. Relative paths count from `around.cwd`.
 */
export function parseExperiment(form: Form, around: { osHome: string; cwd: string }): ParsedExperiment {
  try {
    return { ok: true, value: requestIn(form, around) };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, field: error.field, problem: error.message };
    throw error;
  }
}

function requestIn(form: Form, around: { osHome: string; cwd: string }): ExperimentRequest {
  const place = (field: Field): string | null => {
    const text = textIn(form, field);
    return text === null ? null : path.normalize(resolvePlace(text, around));
  };
  return {
    overrides: overridesIn(form),
    changeClass: choiceIn(form, "class", CHANGE_CLASSES) ?? "config",
    metric: choiceIn(form, "metric", COST_METRICS),
    rationale: textIn(form, "rationale"),
    holdoutIn: countIn(form, "holdout_in", 2, HOLDOUT_MAX) ?? DEFAULT_HOLDOUT_IN,
    proposalId: textIn(form, "proposal"),
    provider: textIn(form, "provider"),
    model: textIn(form, "model"),
    casesFile: place("cases") ?? path.resolve(around.cwd, EVAL_DEFAULTS.casesFile),
    tags: wordsIn(form, "tags"),
    runsPerCase: countIn(form, "runs", 1, RUNS_MAX) ?? EVAL_DEFAULTS.runsPerCase,
    concurrency: countIn(form, "concurrency", 1, CONCURRENCY_MAX) ?? EVAL_DEFAULTS.concurrency,
    judge: { provider: textIn(form, "judge_provider"), model: textIn(form, "judge_model") },
    mcpFile: place("mcp_file"),
  };
}

function overridesIn(form: Form): string[] {
  const specs = wordsIn(form, "change");
  if (specs.length === 0) throw new Refused("change", "write KEY=VALUE, such as max_turns=60");
  if (specs.length > OVERRIDES_MAX) throw new Refused("change", `at most ${OVERRIDES_MAX} at once`);
  const keys = specs.map((spec) => {
    const parsed: Parsed<{ key: string }> = parseOverride(spec);
    if (!parsed.ok) throw new Refused("change", parsed.problem);
    return parsed.value.key;
  });
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  if (twice !== undefined) throw new Refused("change", `${twice} is given twice`);
  return specs;
}

function choiceIn<T extends string>(form: Form, field: Field, choices: readonly T[]): T | null {
  const text = textIn(form, field);
  if (text === null) return null;
  const found = choices.find((one) => one === text);
  if (found === undefined) throw new Refused(field, `it must be one of ${choices.join(", ")}`);
  return found;
}

function countIn(form: Form, field: Field, least: number, most: number): number | null {
  const text = textIn(form, field);
  if (text === null) return null;
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= least && value <= most) return value;
  throw new Refused(field, `it takes a whole number from ${least} to ${most}`);
}

/** Words with white space or commas between them, from one field or from several of its name. */
function wordsIn(form: Form, field: Field): string[] {
  const texts = valuesOf(form, field);
  return [...new Set(texts.flatMap((text) => text.split(/[\s,]+/)).filter((word) => word !== ""))];
}

function textIn(form: Form, field: Field): string | null {
  const [text = "", more] = valuesOf(form, field);
  if (more !== undefined) throw new Refused(field, "it is given twice");
  const trimmed = text.trim();
  return trimmed === "" ? null : trimmed;
}

function valuesOf(form: Form, field: Field): readonly string[] {
  const value = form[field] ?? [];
  const values = typeof value === "string" ? [value] : value;
  for (const one of values) {
    if (one.length > TEXT_MAX) throw new Refused(field, `at most ${TEXT_MAX} characters`);
    if (one.includes("\0") || /\p{Cs}/u.test(one)) throw new Refused(field, "it is not text");
  }
  return values;
}
