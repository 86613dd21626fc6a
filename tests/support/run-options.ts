import type { RunOptions } from "#lib/agent/options.ts";

/** What a run is launched with where neither a file nor a flag says otherwise. */
export function aRunOptions(what: Partial<RunOptions> = {}): RunOptions {
  return {
    provider: "local",
    model: "m",
    workspace: "/w",
    systemPrompt: "be brief",
    settings: {
      maxTokens: 64_000,
      effort: "high",
      temperature: null,
      seed: null,
      thinking: true,
      cachePrompt: true,
    },
    limits: {
      maxTurns: 40,
      maxOutputTokens: null,
      maxCostUsd: null,
      compactAtTokens: null,
      compactKeepRecent: 6,
      compactValidate: true,
      loopGuard: true,
      forceFinalAnswer: true,
      outputBudgetBytes: 24_000,
    },
    permissionMode: "ask",
    trifecta: "block",
    blockSendsAfterPrivate: false,
    markUntrustedOutput: true,
    sandbox: { kind: "bwrap", network: false },
    shellTimeoutSecs: 120,
    tools: null,
    toolsOff: [],
    ...what,
  };
}
