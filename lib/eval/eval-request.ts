import path from "node:path";
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

/** What is run where nobody says otherwise, on a command line or in a form. */
export const EVAL_DEFAULTS = {
  /** In the working folder. */
  casesFile: "eval/cases.jsonl",
  fixture: null,
  runsPerCase: 1,
  concurrency: 4,
  abRules: false,
  askUser: true,
  unconfined: false,
  keepWorkspaces: false,
} as const;

/** The folder that the cases see. Absolute. */
export function fixtureIn({ fixture, casesFile }: Pick<EvalRequest, "fixture" | "casesFile">): string {
  return fixture ?? path.join(path.dirname(casesFile), "workspace");
}
