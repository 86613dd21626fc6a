import type { Model } from "#lib/agent/model.ts";
import type { RunOptions } from "#lib/agent/options.ts";
import { applyOverrides, type Override, parseOverride } from "#lib/agent/overrides.ts";
import { UserError } from "#lib/errors.ts";
import { GRADER_VERSION } from "./checks.ts";
import type { EvalRequest } from "./eval-request.ts";
import type { EvalArm, EvalSetup } from "./setup.ts";

/** All overrides of a request, or none: a wrong one is a UserError that names it. */
export function parseOverrides(specs: readonly string[]): Override[] {
  const overrides = specs.map((spec) => {
    const parsed = parseOverride(spec);
    if (!parsed.ok) throw new UserError("usage", `--ab-config ${parsed.problem}`);
    return parsed.value;
  });
  const twice = overrides.find(({ key }, at) => overrides.findIndex((one) => one.key === key) !== at);
  if (twice !== undefined) throw new UserError("usage", `--ab-config ${twice.key} is given twice`);
  return overrides;
}

/** More than a journal and a report hold, and than anybody pays for: a slip of the keyboard. */
const RUNS_MAX = 200_000;

/** Throws a UserError for more runs than one pass may have. */
export function refuseTooMany(
  cases: number,
  { abRules, overrides, runsPerCase }: Pick<EvalRequest, "abRules" | "overrides" | "runsPerCase">,
): void {
  const two = abRules || overrides.length > 0;
  const runs = cases * runsPerCase * (two ? 2 : 1);
  if (runs <= RUNS_MAX) return;
  const each = `${cases} case(s), each run ${runsPerCase} time(s)${two ? " in both arms" : ""}`;
  throw new UserError("usage", `${each}, are ${runs} runs; one pass has at most ${RUNS_MAX}`);
}

/** One arm as configured, or two that differ in the overrides or the learned rules and in nothing else. */
export function armsOf(
  options: RunOptions,
  request: Pick<EvalRequest, "abRules" | "overrides">,
  overrides: readonly Override[],
  rules: readonly string[],
): EvalArm[] {
  if (request.abRules)
    return [
      { key: "a", label: "without rules", options },
      {
        key: "b",
        label: "with rules",
        options: { ...options, systemPrompt: withRules(options.systemPrompt, rules) },
      },
    ];
  if (overrides.length === 0) return [{ key: "", label: "as configured", options }];
  return [
    { key: "a", label: "as configured", options },
    { key: "b", label: request.overrides.join(" "), options: applyOverrides(options, overrides) },
  ];
}

/** The rules as a part of the system prompt. */
export function withRules(systemPrompt: string | null, rules: readonly string[]): string {
  const section = [
    "## Learned rules",
    "",
    ...rules.map((rule) => `- ${rule.trim().replaceAll("\n", "\n  ")}`),
  ].join("\n");
  return systemPrompt === null ? section : `${systemPrompt}\n\n${section}`;
}

/** Everything that decides what is measured. Where results are written and how many run at once is not among it. */
export function planOf(
  request: EvalRequest,
  setup: EvalSetup,
  digests: { cases: string; fixture: string },
): Record<string, unknown> {
  const { provider, model } = setup.arms[0]?.options ?? { provider: "", model: "" };
  return {
    provider,
    model,
    cases: request.casesName,
    case_set_sha256: digests.cases,
    fixture_sha256: digests.fixture,
    tags: [...request.tags],
    runs_per_case: request.runsPerCase,
    arms: setup.arms.map(({ key, label, options }) => ({
      key,
      label,
      options: { ...options, workspace: "" },
    })),
    judge: setup.judge,
    // Without the environment: it may hold keys, and a journal is a file.
    mcp: setup.mcp.map(({ env: _, ...server }) => server),
    ask_user: request.askUser,
    unconfined: request.unconfined,
    grader_version: GRADER_VERSION,
  };
}

/** What a reader of the results should know before they are there, one line each. */
export function warningsOf(setup: EvalSetup, model: Model, judge: Model | null): string[] {
  const { runsPerCase: k, concurrency } = setup;
  const seed = setup.arms[0]?.options.settings.seed ?? null;
  const sent = seed !== null && !model.drops.includes("seed");
  return [
    ...(setup.scripted ? [`${model.provider} plays a script: this is no model's score`] : []),
    ...(judge !== null && judge.provider === model.provider && judge.model === model.model
      ? [
          "the judge is the model under test: its verdicts are not independent (--judge-provider, --judge-model)",
        ]
      : []),
    ...(k > 1 && concurrency === 1 && sent
      ? [
          `--runs ${k} one after the other with a pinned seed: equal requests get equal answers, so this may be one sample counted ${k} times; raise --concurrency or unset the seed`,
        ]
      : []),
  ];
}
