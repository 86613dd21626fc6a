import { statSync } from "node:fs";
import path from "node:path";
import type { LaunchRequest, SessionPlace } from "#lib/agent/launch-request.ts";
import { type RunFlags as OptionFlags, type RunOptions, runOptions } from "#lib/agent/options.ts";
import type { Conversation } from "#lib/agent/parts.ts";
import { defaultModel } from "#lib/agent/providers/build.io.ts";
import { builtInScripts } from "#lib/agent/providers/built-in-scripts.ts";
import { type Config, providerEntry } from "#lib/config/config.ts";
import type { ConfigFlags } from "#lib/config/layers.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSystemPrompt } from "#lib/config/system-prompt.io.ts";
import { UserError } from "#lib/errors.ts";
import { resolvePlace, type Settings } from "#lib/settings.ts";
import type { LaunchFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import type { Watching } from "./run-answers.ts";
import { systemFrom } from "./run-prompt.ts";
import { settle } from "./store.ts";

/** What a run is launched with, as configuration and flags say it. */
export type RunSetup = {
  config: Config;
  options: RunOptions;
  settings: Settings;
  /** A script answers and no model. */
  scripted: boolean;
  /** One line each. */
  notices: string[];
};

/** What a session that is gone on with was held with; flags win over it, and it wins over the configuration. */
export type Before = { provider: string; model: string; workspace: string };

/** Reads configuration and flags. Throws UserError for what in them cannot be used. */
export async function setUp(io: CliIo, flags: LaunchFlags, before: Before | null = null): Promise<RunSetup> {
  if (flags.yes && flags.readOnly) throw new UserError("usage", "--yes and --read-only exclude each other");
  const settings = settle(io, {}, { zoneUnread: true });
  const loaded = await loadConfig({
    settings,
    env: io.env,
    cwd: io.cwd,
    project: true,
    flags: await flagsOver(io, settings, flags, before),
  });
  const { config, selected } = loaded;
  const { provider } = selected;
  const options = runOptions({
    config,
    provider,
    model: selected.model ?? (await defaultModel(config, provider)),
    flags: await optionFlags(io, flags),
    workspace: workspaceOf(io, flags, before, config),
    contextWindow: providerEntry(config, provider)?.context_window ?? null,
    systemPrompt: await readSystemPrompt(config),
  });
  const unpriced = costNotice(config, provider, options.limits.maxCostUsd);
  if (unpriced !== null && flags.maxCost !== undefined)
    throw new UserError("usage", `--max-cost: ${unpriced}`);
  return {
    config,
    options: flags.unconfined ? { ...options, sandbox: { kind: "none", network: false } } : options,
    settings,
    scripted: isScripted(config, provider),
    notices: [
      ...loaded.notices,
      ...(unpriced === null ? [] : [`agent.max_cost_usd: ${unpriced}`]),
      ...homeNotice(options.workspace, settings.mechaHome),
    ],
  };
}

/** A limit on a cost that nobody can know would be none. */
function costNotice(config: Config, provider: string, maxCostUsd: number | null): string | null {
  const entry = providerEntry(config, provider);
  const priced =
    entry !== null && entry.input_price_per_mtok !== null && entry.output_price_per_mtok !== null;
  if (priced || maxCostUsd === null) return null;
  return `the cost of provider ${provider} is not known, so that it cannot be limited; set input_price_per_mtok and output_price_per_mtok under [providers.${provider}]`;
}

/** The request that launches it. What only a person at the terminal can say comes with `watching`. */
export function launchRequest(
  io: CliIo,
  { config, options, settings }: RunSetup,
  flags: LaunchFlags,
  rest: {
    session: SessionPlace;
    conversation: Conversation;
    recordOrder: LaunchRequest["recordOrder"];
  } & Watching,
): LaunchRequest {
  return {
    config,
    options,
    surface: { mcp: flags.mcp, hooks: flags.hooks, outbox: true, fallbacks: true, search: true },
    outboxDir: io.env.MECHA_OUTBOX_DIR ? settings.outboxDir : (config.outbox.dir ?? settings.outboxDir),
    env: io.env,
    ...rest,
  };
}

/** The same flags as the domain names them; the system prompt read where it stands in a file. */
async function optionFlags(
  io: CliIo,
  { tool, thinking, system, ...flags }: LaunchFlags,
): Promise<OptionFlags> {
  return {
    ...flags,
    ...(system === undefined ? {} : { system: await systemFrom(io, system) }),
    ...(tool.length === 0 ? {} : { tools: tool }),
    ...(thinking ? {} : { thinking: false as const }),
  };
}

/** A session goes on with its own model, where the configuration still has its provider. */
async function flagsOver(
  io: CliIo,
  settings: Settings,
  flags: LaunchFlags,
  before: Before | null,
): Promise<ConfigFlags> {
  const { provider, model, effort } = flags;
  const chosen = {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
  };
  if (before === null || (provider !== undefined && provider !== before.provider)) return chosen;
  const { config } = await loadConfig({ settings, env: io.env, cwd: io.cwd, project: true });
  const known = providerEntry(config, before.provider) !== null || builtInScripts.has(before.provider);
  return known ? { provider: before.provider, model: before.model, ...chosen } : chosen;
}

/** Does a script answer under this provider's name, and no model? */
export function isScripted(config: Config, provider: string): boolean {
  const entry = providerEntry(config, provider);
  return entry === null ? builtInScripts.has(provider) : entry.kind === "scripted";
}

/** The only folder that tools reach: a flag, that of the session, the configuration, else the one we stand in. */
function workspaceOf(io: CliIo, flags: LaunchFlags, before: Before | null, config: Config): string {
  const given = flags.workspace ?? before?.workspace ?? config.tools.workspace ?? ".";
  const place = resolvePlace(given, io);
  if (!statSync(place, { throwIfNoEntry: false })?.isDirectory())
    throw new UserError(
      "bad_input",
      `workspace ${place}: there is no such folder; name one with --workspace`,
    );
  return place;
}

/** Keys may stand in the configuration, and every conversation in the sessions. */
function homeNotice(workspace: string, mechaHome: string): string[] {
  const inside = !path.relative(workspace, mechaHome).startsWith("..");
  return inside
    ? [`the tools can read mecha's own folder ${mechaHome}: it is in the workspace; choose another with -w`]
    : [];
}
