import "server-only";
import { builtInScripts, isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import { providerEntry } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSettings } from "#lib/settings.io.ts";

/** A provider that may be asked. A scripted one plays a script: it is no model, and costs nothing. */
export type ProviderChoice = { name: string; model: string | null; scripted: boolean };

export type Providers = {
  /** Those of the configuration, then the built-in scripts. */
  choices: ProviderChoice[];
  /** The one that is asked where nobody says which, with its model where it names one. */
  configured: { provider: string; model: string | null };
};

/** `project`: the working folder's own configuration has a say. Throws a UserError where it cannot be read. */
export async function providerChoices(project: boolean): Promise<Providers> {
  const settings = readSettings();
  const { config, selected } = await loadConfig({ settings, env: process.env, cwd: settings.cwd, project });
  const names = new Set([...Object.keys(config.providers), ...builtInScripts.keys()]);
  const choices = [...names].map((name) => ({
    name,
    model: providerEntry(config, name)?.model ?? null,
    scripted: isScripted(config, name),
  }));
  return { choices, configured: selected };
}
