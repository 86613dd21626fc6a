import { describe, expect, test } from "vitest";
import { type RunFlags, runOptions } from "#lib/agent/options.ts";
import type { Config } from "#lib/config/config.ts";
import { defaultConfig, EMPTY_PROVIDER } from "#lib/config/defaults.ts";
import { aRunOptions } from "#tests/support/run-options.ts";

type Change = {
  config?: (config: Config) => void;
  flags?: RunFlags;
  contextWindow?: number | null;
  provider?: string;
};

function options({ config: change, flags = {}, contextWindow = null, provider = "anthropic" }: Change = {}) {
  const config = defaultConfig();
  change?.(config);
  const entry = config.providers[provider];
  if (entry !== undefined) entry.context_window = contextWindow;
  return runOptions({
    config,
    provider,
    model: "m",
    flags,
    workspace: "/w",
    systemPrompt: "configured",
  });
}

describe("what a run is launched with", () => {
  test("by default", () => {
    expect(options()).toEqual(aRunOptions({ provider: "anthropic", systemPrompt: "configured" }));
  });

  test("every value of the configuration arrives", () => {
    const changed = options({
      config: (config) => {
        Object.assign(config.agent, {
          max_turns: 1,
          max_tokens: 2,
          effort: "low",
          thinking: false,
          cache_prompt: false,
          force_final_answer: false,
          max_output_tokens: 3,
          max_cost_usd: 4,
          compact_at_tokens: 5,
          compact_keep_recent: 7,
          compact_validate: false,
          loop_guard: false,
        });
        Object.assign(config.tools, {
          enabled: ["a"],
          disabled: ["b"],
          permission_mode: "read-only",
          shell_timeout_secs: 8,
          output_budget_bytes: 9,
        });
        Object.assign(config.security, {
          trifecta: "ask",
          mark_untrusted_output: false,
          block_sends_after_private: true,
        });
        config.sandbox = { kind: "none", network: true };
        config.providers.p = { ...EMPTY_PROVIDER, kind: "local", temperature: 0.5, seed: 10 };
      },
      provider: "p",
      contextWindow: 100_000,
    });
    expect(changed).toMatchObject({
      settings: {
        maxTokens: 2,
        effort: "low",
        temperature: 0.5,
        seed: 10,
        thinking: false,
        cachePrompt: false,
      },
      limits: {
        maxTurns: 1,
        maxOutputTokens: 3,
        maxCostUsd: 4,
        compactAtTokens: 5,
        compactKeepRecent: 7,
        compactValidate: false,
        loopGuard: false,
        forceFinalAnswer: false,
        outputBudgetBytes: 9,
      },
      permissionMode: "read-only",
      trifecta: "ask",
      blockSendsAfterPrivate: true,
      markUntrustedOutput: false,
      sandbox: { kind: "none", network: true },
      shellTimeoutSecs: 8,
      tools: ["a"],
      toolsOff: ["b"],
    });
  });

  test("flags win", () => {
    const flags: RunFlags = {
      effort: "max",
      system: "",
      yes: true,
      maxTurns: 7,
      maxOutputTokens: 8,
      maxCost: 0.5,
      tools: ["fs_read"],
      compactAt: 9,
      thinking: false,
    };
    expect(options({ flags, contextWindow: 1000 })).toMatchObject({
      systemPrompt: "",
      settings: { effort: "max", thinking: false },
      limits: { maxTurns: 7, maxOutputTokens: 8, maxCostUsd: 0.5, compactAtTokens: 9 },
      permissionMode: "allow",
      tools: ["fs_read"],
    });
    expect(options({ flags: { tools: [] } }).tools).toEqual([]);
  });

  test("read-only is stronger than yes", () => {
    expect(options({ flags: { yes: true, readOnly: true } }).permissionMode).toBe("read-only");
  });

  test("a provider without an entry has no settings of its own", () => {
    for (const provider of ["scripted", "constructor"])
      expect(options({ provider }).settings).toMatchObject({ temperature: null, seed: null });
  });

  test.each([
    [null, null, 24_000],
    [16_384, 10_813, 6144],
    [8000, 5280, 6000],
    [20_007, 13_204, 7500],
    [1, 0, 6000],
    [64_000, 42_240, 24_000],
    [200_000, 132_000, 24_000],
  ])(
    "a context window of %s: shortened from %s tokens on, %s bytes of results",
    (contextWindow, compact, budget) => {
      const { limits } = options({ contextWindow });
      expect([limits.compactAtTokens, limits.outputBudgetBytes]).toEqual([compact, budget]);
    },
  );
});
