import { launch } from "#lib/agent/launch.io.ts";
import type { Agent } from "#lib/agent/launch-request.ts";
import { foldOutcomes } from "#lib/agent/outcome.ts";
import { NEW_CONVERSATION, type RunResult } from "#lib/agent/parts.ts";
import { startOf } from "#lib/utf8.ts";
import { gradeRun } from "./checks.ts";
import type { Item } from "./items.ts";
import type { CaseRun, Check } from "./scorecard.ts";
import { type EvalArm, type EvalSetup, optionsFor } from "./setup.ts";
import { verifyCheck } from "./verify.io.ts";
import type { Staging } from "./workspace.io.ts";

/** A run before the judge has seen it. */
export type Ran = { run: CaseRun; answer: string };

/**
 * Runs one item and grades what it left: its own conversation, its own tools, and for a sandboxed case its own workspace,
 * which `verify` then looks at. Whatever goes wrong in a run is in its result; only what concerns the whole pass throws.
 */
export async function runItem(
  setup: EvalSetup,
  arm: EvalArm,
  item: Item,
  staging: Staging | null,
  signal: AbortSignal,
): Promise<Ran> {
  const started = performance.now();
  const own = item.case.sandbox && staging !== null ? await staging.stage(arm.key, item.id) : null;
  const workspace = own ?? setup.fixture;
  try {
    const spoken = await converse(setup, arm, item, workspace, signal);
    const elapsed = performance.now() - started;
    const verified = own === null ? [] : await verify(setup, arm, item, own, signal);
    return { run: caseRun(item, spoken, verified, elapsed), answer: spoken.text };
  } finally {
    if (own !== null && staging !== null && !setup.keepWorkspaces) await staging.drop(own);
  }
}

async function verify(
  { unconfined, env }: EvalSetup,
  { options: { shellTimeoutSecs } }: EvalArm,
  { case: { expect } }: Item,
  workspace: string,
  signal: AbortSignal,
): Promise<Check[]> {
  if (expect.verify === null) return [];
  return [await verifyCheck(expect.verify, { workspace, shellTimeoutSecs, unconfined, env }, signal)];
}

type Spoken = {
  results: RunResult[];
  /** The last answer; empty after an error. */
  text: string;
  /** The run could not finish. */
  error: string | null;
  /** The model declined: its own doing, and no error. */
  refused: boolean;
  transcript: string | null;
};

/** All prompts of a case on one conversation. The first one that fails ends it; what was counted until then stays. */
async function converse(
  setup: EvalSetup,
  arm: EvalArm,
  item: Item,
  workspace: string,
  signal: AbortSignal,
): Promise<Spoken> {
  const agent = await start(setup, arm, item, workspace);
  const results: RunResult[] = [];
  let error: string | null = null;
  try {
    for (const prompt of item.case.prompts) {
      const result = await agent.send(prompt, { signal, onEvent: () => undefined });
      results.push(result);
      error = errorOf(result, signal);
      if (error !== null || result.refused) break;
    }
  } finally {
    await agent.close();
  }
  const text = error === null ? (results.at(-1)?.text ?? "") : "";
  const refused = results.at(-1)?.refused ?? false;
  return { results, text, error, refused, transcript: agent.session?.file ?? null };
}

function start(setup: EvalSetup, arm: EvalArm, item: Item, workspace: string): Promise<Agent> {
  const title = arm.key === "" ? item.id : `${item.id} (arm ${arm.key})`;
  return launch({
    config: { ...setup.config, mcp: [...setup.mcp] },
    options: optionsFor(arm, item.case, workspace),
    // What only this machine has would grade the machine.
    surface: {
      mcp: setup.mcp.length > 0 ? "required" : false,
      hooks: false,
      outbox: false,
      fallbacks: false,
      search: true,
    },
    session:
      setup.transcriptsDir === null ? { kind: "none" } : { kind: "new", dir: setup.transcriptsDir, title },
    conversation: NEW_CONVERSATION,
    recordOrder: "summary",
    approve: async () =>
      item.case.sandbox
        ? { allow: true }
        : { allow: false, by: "policy", why: "nobody is there to allow it" },
    ask: setup.askUser ? async () => null : null,
    outboxDir: "",
    env: setup.env,
    scripts: setup.scripts,
  });
}

/** A run that was broken off by the person is not one of the case's. */
function errorOf(result: RunResult, signal: AbortSignal): string | null {
  return result.failure ?? (signal.aborted ? "interrupted" : null);
}

function caseRun(item: Item, spoken: Spoken, verified: Check[], elapsed_ms: number): CaseRun {
  const outcome = foldOutcomes(spoken.results.map((result) => result.outcome));
  const trace = spoken.results.flatMap((result) => result.trace);
  const graded = gradeRun(item.case.expect, {
    text: spoken.text,
    trace,
    outcome,
    unfinished: spoken.error ?? (spoken.refused ? "the model refused" : null),
  });
  const checks = [...graded, ...verified];
  return {
    id: item.case.id,
    run: item.run,
    passed: checks.every((check) => check.passed),
    tags: item.case.tags,
    checks,
    turns: outcome.turns,
    elapsed_ms: Math.round(elapsed_ms),
    malformed_tool_args: outcome.malformed_tool_args,
    unknown_tools: trace.filter((entry) => entry.unknown).length,
    tool_errors: trace.filter((entry) => entry.is_error && !entry.denied && !entry.unknown).length,
    tool_denied: outcome.tool_denied,
    tools_called: trace.map((entry) => entry.name),
    tool_calls: outcome.tool_calls,
    usage: outcome.usage,
    cost_usd: outcome.cost_usd,
    error: spoken.error,
    text: bounded(spoken.text),
    stats: outcome,
    transcript: spoken.transcript,
  };
}

/** A report is read whole. What a run said beyond this stands in its transcript; it was graded all the same. */
const TEXT_MAX = 200_000;

function bounded(text: string): string {
  if (text.length <= TEXT_MAX) return text;
  const start = startOf(text, TEXT_MAX);
  return `${start}\n[… ${text.length - start.length} more characters]`;
}
