import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { configuredRun } from "#lib/agent/configured.io.ts";
import type { Model } from "#lib/agent/model.ts";
import type { RunOptions } from "#lib/agent/options.ts";
import type { Override } from "#lib/agent/overrides.ts";
import { buildModel, defaultModel } from "#lib/agent/providers/build.io.ts";
import { isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import type { Config, McpServerConfig } from "#lib/config/config.ts";
import { UserError } from "#lib/errors.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import type { Settings } from "#lib/settings.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import { utf8 } from "#lib/utf8.ts";
import type { Case } from "./case.ts";
import { parseCases, withTags } from "./case-file.ts";
import { folderDigest } from "./digests.io.ts";
import { type EvalRequest, fixtureIn } from "./eval-request.ts";
import { type Item, itemsOf } from "./items.ts";
import { type Judge, prepareJudge } from "./judge.io.ts";
import { readLearnedRules } from "./learned-rules.io.ts";
import { readMcpFile } from "./mcp-file.io.ts";
import { type Unmovable, unmovable } from "./movable.ts";
import { type NotScored, notRunnable } from "./not-run.io.ts";
import { armsOf, parseOverrides, planOf, refuseTooMany, warningsOf } from "./plan.ts";
import type { EvalSetup, JudgeChoice } from "./setup.ts";

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
  refuseTooMany(cases.length, request);
  const fixture = await fixtureOf(request);
  const known = await configured(request, around, fixture);
  const { model, options } = known;
  const setup = await setupOf(request, around, { ...known, cases, overrides, fixture });
  const fixture_sha256 = await folderDigest(fixture);
  const judge = setup.judge === null ? null : await prepareJudge(setup.judge, setup);
  const notScored = await notRunnable(cases, setup);
  const left = new Set(notScored.map((one) => one.id));
  const runnable = cases.filter((one) => !left.has(one.id));
  const plan = planOf(request, setup, { cases: sha256, fixture: fixture_sha256 });
  return {
    setup,
    items: itemsOf(runnable, request.runsPerCase),
    overrides: request.overrides,
    judge,
    notScored,
    fixed: fixedBy(overrides, request, runnable, options, model),
    plan,
    plan_sha256: sha256Of(JSON.stringify(sortKeys(plan))),
    case_set_sha256: sha256,
    fixture_sha256,
    warnings: warningsOf(setup, model, judge?.model ?? null),
  };
}

async function setupOf(
  request: EvalRequest,
  { settings, env }: Surroundings,
  known: Configured & { cases: Case[]; overrides: readonly Override[]; fixture: string },
): Promise<EvalSetup> {
  const { config, model, options, cases, overrides, fixture } = known;
  const rules = request.abRules ? await readLearnedRules(request.learningDir) : [];
  return {
    cases,
    runsPerCase: request.runsPerCase,
    concurrency: request.concurrency,
    arms: armsOf(options, request, overrides, rules),
    scripted: isScripted(config, model.provider),
    config,
    mcp: await serversOf(request, config, settings.osHome),
    fixture,
    judge: cases.some((one) => one.expect.judge !== null) ? await judgeChoice(request, config, model) : null,
    askUser: request.askUser,
    unconfined: request.unconfined,
    transcriptsDir: request.transcriptsDir,
    keepWorkspaces: request.keepWorkspaces,
    env,
    scripts: new Map(),
  };
}

/** The configuration, the model under test, and how its runs are launched. */
type Configured = { config: Config; model: Model; options: RunOptions };

async function configured(request: EvalRequest, around: Surroundings, fixture: string): Promise<Configured> {
  const { config, options } = await configuredRun({
    ...around,
    project: true,
    flags: { ...request.flags, sandbox: { kind: request.unconfined ? "none" : "bwrap", network: false } },
    workspace: () => fixture,
  });
  const { provider } = options;
  const model = await buildModel({
    config,
    provider,
    model: options.model,
    fallbacks: false,
    env: around.env,
  });
  return { config, model, options };
}

/** The cases that stay as they are. A change that moves none is refused: it would be an hour spent on chance. */
function fixedBy(
  overrides: readonly Override[],
  request: EvalRequest,
  cases: readonly Case[],
  options: RunOptions,
  model: Model,
): Unmovable[] {
  if (overrides.length === 0) return [];
  const fixed = unmovable(cases, overrides, options, model.drops);
  if (fixed.length < cases.length || cases.length === 0) return fixed;
  const why = [...new Set(fixed.map((one) => one.why))].join("; ");
  throw new UserError("bad_input", `${request.overrides.join(" ")} can move no case: ${why}`);
}

async function fixtureOf(request: EvalRequest): Promise<string> {
  const place = fixtureIn(request);
  const found = await stat(place).catch(() => null);
  if (found?.isDirectory()) return place;
  throw new UserError("bad_input", `${place}: the fixture is no folder; --fixture names another`);
}

async function serversOf({ mcp }: EvalRequest, config: Config, osHome: string): Promise<McpServerConfig[]> {
  if (mcp === "none") return [];
  return mcp === "configured" ? config.mcp : readMcpFile(mcp.file, osHome);
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

function sha256Of(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}
