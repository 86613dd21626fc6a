import "server-only";
import { builtInScripts, isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import { providerEntry } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { UserError } from "#lib/errors.ts";
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

/** Does a script answer for this provider, as things are configured now? Null is the configured one. */
export async function playsScript(provider: string | null): Promise<boolean> {
  try {
    const { choices, configured } = await providerChoices(true);
    const asked = provider ?? configured.provider;
    return choices.some(({ name, scripted }) => name === asked && scripted);
  } catch (error) {
    // A configuration that cannot be read is said where it is used; here it only means that nobody knows.
    if (error instanceof UserError) return false;
    throw error;
  }
}
