import type { Parsed } from "#lib/errors.ts";
import type { LoadedConfig } from "./config.ts";
import { providerEntry } from "./config.ts";
import { defaultConfig } from "./defaults.ts";
import { EFFORT_WORDS, type Effort, parseEffort } from "./effort.ts";
import { type Merged, mergeLayer } from "./merge.ts";
import type { ConfigLayer } from "./parse.ts";
import { dotted, quoted } from "./read-table.ts";
import { restrained } from "./trust.ts";

export type Env = Readonly<Record<string, string | undefined>>;

/** The flags that are a layer of the configuration. */
export type ConfigFlags = { provider?: string; model?: string; effort?: Effort };

export type Layers = {
  /** The file in the mecha home; null: there is none. */
  home: ConfigLayer | null;
  /** The file in the working folder, and whether the person vouched for that folder. */
  project: { layer: ConfigLayer; trusted: boolean } | null;
  env: Env;
  flags: ConfigFlags;
};

/** Defaults, then the home's file, the project's, the environment, the flags: the later one wins, field by field. */
export function layered({ home, project, env, flags }: Layers): Parsed<LoadedConfig> {
  let merged: Merged = { config: defaultConfig(), origins: new Map() };
  if (home !== null) merged = mergeLayer(merged, home);
  const notices = [...(home?.notices ?? [])];
  if (project !== null) {
    const layer = project.trusted ? project.layer : restrained(project.layer, merged.config);
    merged = mergeLayer(merged, layer);
    notices.push(...layer.notices, ...trustNotice(project.layer));
  }
  const effort = variableOf(env, "MECHA_EFFORT");
  const parsed = effort === null ? null : parseEffort(effort);
  if (effort !== null && parsed === null)
    return { ok: false, problem: `MECHA_EFFORT: ${JSON.stringify(effort)} must be ${EFFORT_WORDS}` };
  const chosen: Chosen = { ...merged, model: null };
  const provider = variableOf(env, "MECHA_PROVIDER");
  const fromEnv = (name: string) => ({ layer: "environment", name }) as const;
  if (provider !== null) chooseProvider(chosen, provider, fromEnv("MECHA_PROVIDER"));
  // The model of the provider that holds without flags: another one would not know it.
  const model = variableOf(env, "MECHA_MODEL");
  if (model !== null) chooseModel(chosen, model, fromEnv("MECHA_MODEL"));
  if (parsed !== null) chooseEffort(chosen, parsed, fromEnv("MECHA_EFFORT"));
  chooseByFlags(chosen, flags);
  const { config, origins } = chosen;
  const named = chosen.model ?? providerEntry(config, config.default_provider)?.model ?? null;
  return {
    ok: true,
    value: { config, selected: { provider: config.default_provider, model: named }, origins, notices },
  };
}

/** `model`: named for the default provider by a variable or a flag. */
type Chosen = Merged & { model: string | null };
type By = { layer: "environment" | "flag"; name: string };

function chooseByFlags(chosen: Chosen, { provider, model, effort }: ConfigFlags): void {
  const by = (name: string): By => ({ layer: "flag", name });
  if (provider !== undefined) chooseProvider(chosen, provider, by("--provider"));
  if (model !== undefined) chooseModel(chosen, model, by("--model"));
  if (effort !== undefined) chooseEffort(chosen, effort, by("--effort"));
}

function chooseProvider(chosen: Chosen, provider: string, by: By): void {
  if (provider !== chosen.config.default_provider) chosen.model = null;
  chosen.config = { ...chosen.config, default_provider: provider };
  chosen.origins.set("default_provider", by);
}

function chooseModel(chosen: Chosen, model: string, by: By): void {
  chosen.model = model;
  const name = chosen.config.default_provider;
  const entry = providerEntry(chosen.config, name);
  if (entry === null) return;
  const providers = { ...chosen.config.providers, [name]: { ...entry, model } };
  chosen.config = { ...chosen.config, providers };
  chosen.origins.set(dotted(["providers", name, "model"]), by);
}

function chooseEffort(chosen: Chosen, effort: Effort, by: By): void {
  chosen.config = { ...chosen.config, agent: { ...chosen.config.agent, effort } };
  chosen.origins.set("agent.effort", by);
}

/** Unset, empty and blank are the same. */
function variableOf(env: Env, name: string): string | null {
  return env[name]?.trim() || null;
}

/** A project cannot vouch for projects. */
function trustNotice({ file, line, values }: ConfigLayer): string[] {
  if (values.trusted_projects === undefined) return [];
  const path = ["trusted_projects"];
  return [`${file}:${line(path)}: ${quoted(path)} is left out: it counts in your own config.toml only`];
}
