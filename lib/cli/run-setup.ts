import path from "node:path";
import { configuredRun } from "#lib/agent/configured.io.ts";
import type { LaunchRequest, SessionPlace } from "#lib/agent/launch-request.ts";
import type { RunFlags as OptionFlags, RunOptions } from "#lib/agent/options.ts";
import type { Conversation } from "#lib/agent/parts.ts";
import { builtInScripts, isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import { type Config, providerEntry } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { outboxDir } from "#lib/config/outbox-dir.ts";
import { UserError } from "#lib/errors.ts";
import { resolvePlace, type Settings } from "#lib/settings.ts";
import type { LaunchFlags } from "./flags.ts";
import { isFolder } from "./folder.ts";
import type { CliIo } from "./io.ts";
import { optionFlags } from "./launch-flags.ts";
import type { Watching } from "./run-answers.ts";
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
  const { config, options, notices } = await configuredRun({
    settings,
    env: io.env,
    cwd: io.cwd,
    project: true,
    flags: await flagsOver(io, settings, flags, before),
    workspace: (configured) => workspaceOf(io, flags, before, configured),
  });
  const { provider } = options;
  const unpriced = costNotice(config, provider, options.limits.maxCostUsd);
  if (unpriced !== null && flags.maxCost !== undefined)
    throw new UserError("usage", `--max-cost: ${unpriced}`);
  return {
    config,
    options,
    settings,
    scripted: isScripted(config, provider),
    notices: [
      ...notices,
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
    outboxDir: outboxDir(config, settings, io.env),
    env: io.env,
    ...rest,
  };
}

/** Every flag of a launch. A session goes on with its own model, where the configuration still has its provider. */
async function flagsOver(
  io: CliIo,
  settings: Settings,
  flags: LaunchFlags,
  before: Before | null,
): Promise<OptionFlags> {
  const given: OptionFlags = {
    ...(await optionFlags(io, flags)),
    ...(flags.yes ? { yes: true } : {}),
    ...(flags.readOnly ? { readOnly: true } : {}),
    ...(flags.unconfined ? { sandbox: { kind: "none", network: false } } : {}),
  };
  const { provider } = flags;
  if (before === null || (provider !== undefined && provider !== before.provider)) return given;
  const { config } = await loadConfig({ settings, env: io.env, cwd: io.cwd, project: true });
  const known = providerEntry(config, before.provider) !== null || builtInScripts.has(before.provider);
  return known ? { provider: before.provider, model: before.model, ...given } : given;
}

/** The only folder that tools reach: a flag, that of the session, the configuration, else the one we stand in. */
function workspaceOf(io: CliIo, flags: LaunchFlags, before: Before | null, config: Config): string {
  const given = flags.workspace ?? before?.workspace ?? config.tools.workspace ?? ".";
  const place = resolvePlace(given, io);
  if (!isFolder(place))
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
