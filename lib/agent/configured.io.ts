import type { Config } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSystemPrompt } from "#lib/config/system-prompt.io.ts";
import type { Settings } from "#lib/settings.ts";
import { type RunFlags, type RunOptions, runOptions } from "./options.ts";
import { defaultModel } from "./providers/build.io.ts";

/** What a run is launched with, and the configuration it comes from. */
export type Configured = {
  config: Config;
  options: RunOptions;
  /** What was read and left out, one line each. */
  notices: readonly string[];
};

/**
 * Reads the configuration, with or without the working folder's own file, and makes the options of a run out of it and
 * of the flags. `workspace` gives the absolute folder, once it is known what is configured.
 *
 * Throws UserError for what cannot be used: a file, a variable, a provider that is not there or has no model.
 */
export async function configuredRun({
  workspace,
  ...from
}: {
  settings: Pick<Settings, "mechaHome" | "osHome">;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  cwd: string;
  project: boolean;
  flags: RunFlags;
  workspace(config: Config): string;
}): Promise<Configured> {
  const { config, selected, notices } = await loadConfig(from);
  const options = runOptions({
    config,
    provider: selected.provider,
    model: selected.model ?? (await defaultModel(config, selected.provider)),
    flags: from.flags,
    workspace: workspace(config),
    systemPrompt: await readSystemPrompt(config),
  });
  return { config, options, notices };
}
