import type { RunFlags } from "#lib/agent/options.ts";

/** What a person asks of `mecha eval`, whoever passes it on: a command line or a form. Paths are absolute. */
export type EvalRequest = {
  casesFile: string;
  /** What messages call the file. */
  casesName: string;
  tags: readonly string[];
  /** Null: `workspace/` beside the case file. */
  fixture: string | null;
  runsPerCase: number;
  concurrency: number;
  /** `KEY=VALUE`; with at least one there are two arms. */
  overrides: readonly string[];
  /** Learned rules in the second arm. */
  abRules: boolean;
  /** Provider, model, effort and what else a run can be told. */
  flags: RunFlags;
  judge: { provider: string | null; model: string | null };
  mcp: "none" | "configured" | { file: string };
  askUser: boolean;
  unconfined: boolean;
  keepWorkspaces: boolean;
  transcriptsDir: string | null;
  /** Folder of learned rules. */
  learningDir: string;
};
