import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import path from "node:path";
import type { Model } from "#lib/agent/model.ts";
import { type RunOptions, runOptions } from "#lib/agent/options.ts";
import { applyOverrides, type Override, parseOverride } from "#lib/agent/overrides.ts";
import { buildModel, defaultModel } from "#lib/agent/providers/build.io.ts";
import type { Config, McpServerConfig } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSystemPrompt } from "#lib/config/system-prompt.io.ts";
import { UserError } from "#lib/errors.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import type { Settings } from "#lib/settings.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import { utf8 } from "#lib/utf8.ts";
import type { Case } from "./case.ts";
import { parseCases, withTags } from "./case-file.ts";
import { GRADER_VERSION } from "./checks.ts";
import { folderDigest } from "./digests.io.ts";
import type { EvalRequest } from "./eval-request.ts";
import { type Item, itemsOf } from "./items.ts";
import { type Judge, prepareJudge } from "./judge.io.ts";
import { readLearnedRules, withRules } from "./learned-rules.io.ts";
import { readMcpFile } from "./mcp-file.io.ts";
import { type Unmovable, unmovable } from "./movable.ts";
import { type NotScored, notRunnable } from "./not-run.io.ts";
import type { EvalArm, EvalSetup, JudgeChoice } from "./setup.ts";

const CASES_BYTES_MAX = 64 * 1024 * 1024;

/** A pass that could start now: everything that can be wrong before a model is asked has been looked at. */
export type Prepared = {
  setup: EvalSetup;
  items: Item[];
  overrides: readonly string[];
  judge: Judge | null;
  notScored: NotScored[];
  /** Cases that no override can move. */
  fixed: Unmovable[];
  /** What identifies what is measured; two passes with equal ones measure the same. */
  plan: Record<string, unknown>;
  plan_sha256: string;
  case_set_sha256: string;
  fixture_sha256: string;
  /** Said before the pass: settings that are not sent, a judge that judges itself. */
  warnings: string[];
};

export type Surroundings = {
  settings: Pick<Settings, "mechaHome" | "osHome">;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
};

/** The cases of a request, loaded and validated as a whole before the tags choose. Throws a UserError. */
export async function loadCases(
  request: Pick<EvalRequest, "casesFile" | "casesName" | "tags">,
): Promise<{ cases: Case[]; all: Case[]; sha256: string }> {
  const read = await readWhole(request.casesFile, CASES_BYTES_MAX);
  if (!read.ok) throw new UserError("bad_input", `${request.casesName}: ${read.problem}`);
  const text = utf8(read.value);
  if (text === null) throw new UserError("bad_input", `${request.casesName}: it is not UTF-8 text`);
  const all = parseCases(text, request.casesName);
  if (!all.ok) throw new UserError("bad_input", all.problem);
  const cases = withTags(all.value, request.tags);
  if (!cases.ok) throw new UserError("bad_input", `${request.casesName}: ${cases.problem}`);
  return { cases: cases.value, all: all.value, sha256: sha256Of(read.value) };
}

/** Looks at everything that can be wrong, cheapest first; nothing is spent on a model. Throws a UserError. */
export async function prepareEval(request: EvalRequest, around: Surroundings): Promise<Prepared> {
  const overrides = parseOverrides(request.overrides);
  const { cases, sha256 } = await loadCases(request);
  const fixture = await fixtureOf(request);
  const { config, selected } = await loadConfig({ ...around, project: true, flags: request.flags });
  const chosen = {
    provider: selected.provider,
    model: selected.model ?? (await defaultModel(config, selected.provider)),
  };
  const model = await buildModel({ config, ...chosen, fallbacks: false, env: around.env });
  const mcp = await serversOf(request, config, around.settings.osHome);
  const rules = request.abRules ? await readLearnedRules(request.learningDir) : [];
  const options = runOptions({
    config,
    provider: model.provider,
    model: model.model,
    flags: request.flags,
    workspace: fixture,
    contextWindow: model.contextWindow,
    systemPrompt: await readSystemPrompt(config),
  });
  const confined: RunOptions = {
    ...options,
    sandbox: { kind: request.unconfined ? "none" : "bwrap", network: false },
  };
  const arms = armsOf(confined, request, overrides, rules);
  const fixed = overrides.length === 0 ? [] : unmovable(cases, overrides, confined, model.drops);
  if (overrides.length > 0 && fixed.length === cases.length)
    throw new UserError(
      "bad_input",
      `${request.overrides.join(" ")} can move no case: ${fixed[0]?.why ?? ""}`,
    );
  const asksJudge = cases.some((one) => one.expect.judge !== null);
  const choice = asksJudge ? await judgeChoice(request, config, model) : null;
  const setup: EvalSetup = {
    cases,
    runsPerCase: request.runsPerCase,
    concurrency: request.concurrency,
    arms,
    config,
    mcp,
    fixture,
    judge: choice,
    askUser: request.askUser,
    unconfined: request.unconfined,
    transcriptsDir: request.transcriptsDir,
    keepWorkspaces: request.keepWorkspaces,
    env: around.env,
  };
  const judge = choice === null ? null : await prepareJudge(choice, setup);
  const notScored = await notRunnable(cases, setup);
  const left = new Set(notScored.map((one) => one.id));
  const fixture_sha256 = await folderDigest(fixture);
  const plan = planOf(request, setup, sha256, fixture_sha256);
  return {
    setup,
    items: itemsOf(
      cases.filter((one) => !left.has(one.id)),
      request.runsPerCase,
    ),
    overrides: request.overrides,
    judge,
    notScored,
    fixed,
    plan,
    plan_sha256: sha256Of(JSON.stringify(sortKeys(plan))),
    case_set_sha256: sha256,
    fixture_sha256,
    warnings: warningsOf(setup, model, judge),
  };
}

function parseOverrides(specs: readonly string[]): Override[] {
  return specs.map((spec) => {
    const parsed = parseOverride(spec);
    if (!parsed.ok) throw new UserError("usage", `--ab-config ${parsed.problem}`);
    return parsed.value;
  });
}

async function fixtureOf({ fixture, casesFile }: EvalRequest): Promise<string> {
  const place = fixture ?? path.join(path.dirname(casesFile), "workspace");
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory()) return place;
  throw new UserError("bad_input", `${place}: the fixture is no folder; --fixture names another`);
}

async function serversOf({ mcp }: EvalRequest, config: Config, osHome: string): Promise<McpServerConfig[]> {
  if (mcp === "none") return [];
  return mcp === "configured" ? config.mcp : readMcpFile(mcp.file, osHome);
}

function armsOf(
  options: RunOptions,
  request: EvalRequest,
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

/** Default: the model under test, about which a warning is said. */
async function judgeChoice({ judge }: EvalRequest, config: Config, model: Model): Promise<JudgeChoice> {
  const provider = judge.provider ?? model.provider;
  if (judge.model !== null) return { provider, model: judge.model };
  return {
    provider,
    model: provider === model.provider ? model.model : await defaultModel(config, provider),
  };
}

/** Everything that decides what is measured. Where results are written and how many run at once is not among it. */
function planOf(
  request: EvalRequest,
  setup: EvalSetup,
  cases: string,
  fixture: string,
): Record<string, unknown> {
  const { provider, model } = setup.arms[0]?.options ?? { provider: "", model: "" };
  return {
    provider,
    model,
    cases: request.casesName,
    case_set_sha256: cases,
    fixture_sha256: fixture,
    tags: [...request.tags],
    runs_per_case: request.runsPerCase,
    arms: setup.arms.map(({ key, label, options }) => ({
      key,
      label,
      options: { ...options, workspace: "" },
    })),
    judge: setup.judge,
    mcp: setup.mcp.map(({ name, capabilities, prefix_tools }) => ({ name, capabilities, prefix_tools })),
    ask_user: request.askUser,
    unconfined: request.unconfined,
    grader_version: GRADER_VERSION,
  };
}

function warningsOf(setup: EvalSetup, model: Model, judge: Judge | null): string[] {
  const { runsPerCase: k, concurrency } = setup;
  const seed = setup.arms[0]?.options.settings.seed ?? null;
  return [
    ...(judge !== null && judge.model.provider === model.provider && judge.model.model === model.model
      ? [
          `the judge is the model under test: its verdicts are not independent (--judge-provider, --judge-model)`,
        ]
      : []),
    ...(k > 1 && concurrency === 1 && seed !== null
      ? [
          `--runs ${k} one after the other with a pinned seed: equal requests get equal answers, so this may be one sample counted ${k} times; raise --concurrency or unset the seed`,
        ]
      : []),
  ];
}

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
