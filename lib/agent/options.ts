import type { ModelSettings } from "./model.ts";
import type { LoopLimits, PermissionMode, TrifectaPolicy } from "./parts.ts";

/**
 * Everything one run is launched with, after configuration and flags: what the `config` record of its transcript says.
 * Two runs with equal options are launched alike; the two arms of a comparison differ in nothing else.
 */
export type RunOptions = {
  provider: string;
  model: string;
  /** Absolute. */
  workspace: string;
  systemPrompt: string | null;
  settings: ModelSettings;
  limits: LoopLimits;
  permissionMode: PermissionMode;
  trifecta: TrifectaPolicy;
  blockSendsAfterPrivate: boolean;
  markUntrustedOutput: boolean;
  sandbox: { kind: "bwrap" | "none"; network: boolean };
  shellTimeoutSecs: number;
  /** Names; null: every tool there is. */
  tools: readonly string[] | null;
  toolsOff: readonly string[];
};
