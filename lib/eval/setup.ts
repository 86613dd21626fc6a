import type { RunOptions } from "#lib/agent/options.ts";
import type { Script } from "#lib/agent/providers/script.ts";
import type { Config, McpServerConfig } from "#lib/config/config.ts";
import type { Case } from "./case.ts";
import type { ArmKey } from "./items.ts";

/** One arm: how its runs are launched, before a case's own knobs. */
export type EvalArm = {
  key: ArmKey;
  /** What a person calls it: `as configured`, `max_turns=40`. */
  label: string;
  options: RunOptions;
};

export type JudgeChoice = { provider: string; model: string };

/** Everything a pass is made of. Nothing is read from the surroundings behind it. */
export type EvalSetup = {
  cases: readonly Case[];
  runsPerCase: number;
  concurrency: number;
  /** One arm, or two. All of them differ in nothing but their options. */
  arms: readonly EvalArm[];
  /** A script answers, and no model: what it scores says something of the rig alone. */
  scripted: boolean;
  config: Config;
  /** The servers that runs are connected to; a server that does not start ends the pass. */
  mcp: readonly McpServerConfig[];
  /** Absolute. */
  fixture: string;
  /** Null: no case asks for a judge. */
  judge: JudgeChoice | null;
  askUser: boolean;
  /** The person chose to run `verify` and `shell` without a sandbox. */
  unconfined: boolean;
  /** Folder of the transcripts; null: none are kept. */
  transcriptsDir: string | null;
  keepWorkspaces: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Read once for all runs of the pass. */
  scripts: Map<string, Promise<Script>>;
};

/** The options of one run: the case's own knobs win over the arm's, in both arms alike. */
export function optionsFor(arm: EvalArm, one: Case, workspace: string): RunOptions {
  const { options } = arm;
  return {
    ...options,
    workspace,
    permissionMode: one.sandbox ? "allow" : "read-only",
    limits: {
      ...options.limits,
      maxTurns: one.max_turns ?? options.limits.maxTurns,
      compactAtTokens: one.compact_at_tokens ?? options.limits.compactAtTokens,
    },
  };
}
