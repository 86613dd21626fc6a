import type { Effort } from "#lib/config/effort.ts";
import type { ConfigFlags } from "#lib/config/layers.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";
import type { Format } from "#lib/notify/notify.io.ts";

/** Flags every command understands. */
export type CommonFlags = { json?: true; source: string[]; asOf?: string; zone?: string };
/** A window over sessions. */
export type WindowFlags = CommonFlags & { days?: number; limit?: number; model?: string };
export type ListFlags = WindowFlags & { subagents?: true };
export type ShowFlags = CommonFlags & { failed?: true; limit?: number; from?: string };

export type JsonFlag = { json?: true };

/** `limit`: rows of the ledger. */
export type TriggerFlags = Omit<CommonFlags, "source"> & { limit?: number };
export type TriggerTickFlags = JsonFlag & { atOnce: number };
/** What `trigger add` is told, as it was written; the command reads it. `mcp` is true where `--no-mcp` is absent. */
export type TriggerAddFlags = JsonFlag & {
  schedule: string;
  prompt: string;
  description?: string;
  timezone?: string;
  provider?: string;
  model?: string;
  workspace?: string;
  permissionMode?: string;
  tool: string[];
  mcp: boolean;
  maxTurns?: number;
  maxOutputTokens?: number;
  maxCost?: number;
  timeout?: string;
  catchUp?: string;
  disabled?: true;
};

/** `markdown: true`: to standard output. */
export type ReviewFlags = CommonFlags & { week?: string; html?: string; markdown?: string | true };
export type NotifyFlags = CommonFlags & { to?: string; format: Format; dryRun?: true };
export type WorkerFlags = { slots?: number; once?: true; untilEmpty?: true };
export type ConfigShowFlags = JsonFlag & ConfigFlags & { all?: true };
export type CompareFlags = JsonFlag & { repeats?: true; results: string[] };
export type ImportFlags = JsonFlag & { out: string; model?: string; provider?: string; passAt: number };
export type GateFlags = JsonFlag & {
  metric?: CostMetric;
  predicts?: CostMetric;
  predictedAt?: string;
  because?: string;
  change?: string;
  class: ChangeClass;
  holdoutIn: number;
  results: string[];
};
export type TokenListFlags = JsonFlag & { zone?: string };
export type VerdictListFlags = JsonFlag & { limit?: number; zone?: string };
/** `true`: to standard output. */
export type ExportFlags = { html?: string; markdown?: string | true; json?: string | true };

/** How a model is run, wherever one is. `true` where a `--no-` flag is absent. */
export type ModelFlags = {
  provider?: string;
  model?: string;
  effort?: Effort;
  system?: string;
  maxTurns?: number;
  maxOutputTokens?: number;
  maxCost?: number;
  compactAt?: number;
  tool: string[];
  thinking: boolean;
};
/** What `run` and `chat` are launched with. */
export type LaunchFlags = ModelFlags & {
  workspace?: string;
  yes?: true;
  readOnly?: true;
  mcp: boolean;
  hooks: boolean;
  unconfined?: true;
  verbose?: true;
};
export type RunFlags = LaunchFlags & JsonFlag & { title?: string };
export type ChatFlags = LaunchFlags & { resume?: string };

/** A hundred years: beyond it, a date would leave the range of four-digit years. */
export const DAYS_MAX = 36_500;

/** A whole number from 1 up, in plain digits; null for anything else: `1e3`, `0`, `-2`, `2.5`. */
export function countIn(text: string): number | null {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= 1 && Number.isSafeInteger(value) ? value : null;
}

/** A number of days above zero, in plain digits; a fraction is allowed (`0.5` is twelve hours). Null for anything else. */
export function daysIn(text: string): number | null {
  const value = Number(text);
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= DAYS_MAX ? value : null;
}

/** The text itself; null when there is nothing in it. */
export function textIn(text: string): string | null {
  return text.trim() === "" ? null : text;
}

/** `mecha eval`: what is run, how, and what becomes of it. */
export type EvalFlags = JsonFlag &
  ModelFlags & {
    check?: true;
    tag: string[];
    fixture?: string;
    runs: number;
    concurrency: number;
    out?: string;
    transcripts?: string;
    resume?: string;
    failures?: true;
    keepWorkspaces?: true;
    mcp: boolean;
    mcpFile?: string;
    askUser: boolean;
    unconfined?: true;
    judgeProvider?: string;
    judgeModel?: string;
    abRules?: true;
    abConfig: string[];
    predicts?: CostMetric;
    because?: string;
    class?: ChangeClass;
    holdoutIn: number;
    junit?: string;
    githubSummary?: string | true;
    minPass?: number;
    maxFlaky?: number;
    baseline?: string;
    failOn?: "regression";
  };

/** `model`: whose runs are looked at; `provider` and `diagnostician`: who is asked. */
export type DiagnoseFlags = CommonFlags & {
  model?: string;
  days?: number;
  limit?: number;
  dryRun?: true;
  web?: true;
  provider?: string;
  diagnostician?: string;
};
