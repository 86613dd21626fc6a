import { defaultModel } from "#lib/agent/providers/build.io.ts";
import type { Config } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import type { Settings } from "#lib/settings.ts";

/** Who is asked, and the configuration that holds for it. */
export type Diagnostician = { config: Config; provider: string; model: string; notices: readonly string[] };

export type DiagnosticianChoice = {
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  cwd: string;
  /** Does the working folder's own configuration have a say? */
  project: boolean;
  /** Null: the configuration's own. */
  provider: string | null;
  model: string | null;
};

/** The configuration, as a brief reads it: who is asked does not have to be known yet. */
export async function diagnosisConfig(choice: DiagnosticianChoice) {
  const { settings, env, cwd, project, provider, model } = choice;
  const flags = { ...(provider === null ? {} : { provider }), ...(model === null ? {} : { model }) };
  return loadConfig({ settings, env, cwd, project, flags });
}

/** Throws a UserError for a provider that is not there or has no model. */
export async function chooseDiagnostician(choice: DiagnosticianChoice): Promise<Diagnostician> {
  const { config, selected, notices } = await diagnosisConfig(choice);
  const { provider } = selected;
  return { config, provider, model: selected.model ?? (await defaultModel(config, provider)), notices };
}
