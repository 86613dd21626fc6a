import type { LaunchRequest } from "#lib/agent/launch-request.ts";
import type { RunOptions } from "#lib/agent/options.ts";
import { type Approver, NEW_CONVERSATION } from "#lib/agent/parts.ts";
import type { Config } from "#lib/config/config.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";

/** What a run of a trigger starts from: the person's own configuration, and the folders of mecha. */
export type UnattendedBase = {
  config: Config;
  /** As the configuration alone says. */
  options: RunOptions;
  sessionDir: string;
  outboxDir: string;
  env: LaunchRequest["env"];
};

/**
 * What a trigger is launched with. It does what its file says and no more: the tools it lists and none beside them, in
 * its own permission mode, and nobody is there to be asked.
 */
export function unattendedRequest(trigger: Trigger, base: UnattendedBase): LaunchRequest {
  const { config, options } = base;
  return {
    config,
    options: {
      ...options,
      permissionMode: trigger.permission_mode,
      tools: [...trigger.tools],
      limits: {
        ...options.limits,
        maxTurns: trigger.max_turns ?? options.limits.maxTurns,
        maxOutputTokens: trigger.max_output_tokens ?? options.limits.maxOutputTokens,
        maxCostUsd: trigger.max_cost_usd ?? options.limits.maxCostUsd,
      },
    },
    // Servers that none of the listed tools can come from are not worth starting.
    surface: {
      mcp: !trigger.no_mcp && trigger.tools.length > 0,
      hooks: true,
      outbox: true,
      fallbacks: true,
      search: true,
    },
    session: { kind: "new", dir: base.sessionDir, title: `trigger: ${trigger.name}` },
    conversation: NEW_CONVERSATION,
    recordOrder: "summary",
    approve: nobody,
    ask: null,
    outboxDir: base.outboxDir,
    env: base.env,
  };
}

/** Every question to a person is answered with no: the rules in place of the person, not the person, refuse. */
const nobody: Approver = async () => ({
  allow: false,
  by: "policy",
  why: "this run is unattended, and there is nobody to ask",
});
