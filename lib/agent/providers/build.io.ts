import type { Model, Prices } from "#lib/agent/model.ts";
import { type Config, type ProviderConfig, providerEntry } from "#lib/config/config.ts";
import { UserError } from "#lib/errors.ts";
import { nearest } from "#lib/nearest.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import { builtInScripts } from "./built-in-scripts.ts";
import { withFallbacks } from "./fallback.ts";
import { KeyMissing } from "./key-missing.ts";
import { parseScript } from "./parse-script.ts";
import { withRetries } from "./retry.ts";
import type { Script } from "./script.ts";
import { scriptedModel } from "./scripted.ts";
import { sleep } from "./sleep.io.ts";

export type ModelChoice = {
  config: Config;
  /** Its name in the configuration, or that of a built-in script. */
  provider: string;
  model: string;
  /** Does the provider's `fallbacks` hold? */
  fallbacks: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Scripts that were read, by file: whoever builds many models reads each once, and all of them play the same. */
  scripts?: Map<string, Promise<Script>>;
};

/**
 * A model for one conversation. Throws a UserError that names the provider and what it lacks; nothing is sent yet. What
 * a kind needs is loaded here and not before: a script starts without the SDK.
 */
export async function buildModel(choice: ModelChoice): Promise<Model> {
  const { config, provider } = choice;
  const first = await buildOne(choice);
  const names = choice.fallbacks ? (providerEntry(config, provider)?.fallbacks ?? []) : [];
  const others = names.filter((name) => name !== provider);
  const models = await Promise.all(
    others.map(async (name) => {
      if (!isKnown(config, name))
        throw new UserError("not_found", `providers.${provider}.fallbacks: ${unknownProvider(config, name)}`);
      return buildOne({ ...choice, provider: name, model: await defaultModel(config, name) });
    }),
  );
  return withFallbacks(first, models);
}

/** The model that a provider is asked for where nobody names one. Throws a UserError where it has none either. */
export async function defaultModel(config: Config, provider: string): Promise<string> {
  const entry = entryOf(config, provider);
  if (entry?.model != null) return entry.model;
  if (entry !== null && entry.kind !== "scripted")
    throw new UserError("bad_input", `${named(provider)} has no model: set providers.${provider}.model`);
  const script = await scriptOf(provider, entry);
  return script.model ?? script.name;
}

async function buildOne(choice: ModelChoice): Promise<Model> {
  const { config, provider } = choice;
  const entry = entryOf(config, provider);
  const model = await askedOnce(choice, entry);
  return withRetries(model, {
    maxRetries: entry?.max_retries ?? 0,
    retryAfterCapMs: (entry?.retry_after_cap_secs ?? 0) * 1000,
    sleep,
  });
}

async function askedOnce(choice: ModelChoice, entry: ProviderConfig | null): Promise<Model> {
  const { provider, model } = choice;
  const parts = {
    provider,
    model,
    prices: entry === null ? null : pricesOf(entry),
    contextWindow: entry?.context_window ?? null,
  };
  const kind = entry?.kind ?? "scripted";
  const vision = entry?.vision ?? kind === "anthropic";
  switch (kind) {
    case "scripted":
      return scriptedModel({ ...parts, script: await scriptOf(provider, entry, choice.scripts), sleep });
    case "anthropic": {
      const key = neededKey(choice, entry);
      const { anthropicModel } = await import("./anthropic.io.ts");
      return anthropicModel({ ...parts, key, vision, baseUrl: baseUrl(provider, entry) });
    }
    case "openai": {
      const key = neededKey(choice, entry);
      const { openaiModel } = await import("./openai.io.ts");
      return openaiModel({ ...parts, key, vision, baseUrl: baseUrl(provider, entry), ownedByOpenai: true });
    }
    case "openai-compatible":
    case "local": {
      const key = keyOf(choice, entry);
      const { openaiModel } = await import("./openai.io.ts");
      return openaiModel({ ...parts, key, vision, baseUrl: baseUrl(provider, entry), ownedByOpenai: false });
    }
    default:
      return kind satisfies never;
  }
}

/** The configuration's entry; null for what is built in. An entry of the same name comes first. */
function entryOf(config: Config, provider: string): ProviderConfig | null {
  const problem = providerProblem(config, provider);
  if (problem !== null) throw new UserError("not_found", problem);
  return providerEntry(config, provider);
}

/** One line, with what may have been meant, where no provider is called that. */
export function providerProblem(config: Config, provider: string): string | null {
  return isKnown(config, provider) ? null : unknownProvider(config, provider);
}

function isKnown(config: Config, provider: string): boolean {
  return providerEntry(config, provider) !== null || builtInScripts.has(provider);
}

function unknownProvider(config: Config, provider: string): string {
  const known = [...Object.keys(config.providers), ...builtInScripts.keys()];
  const meant = nearest(provider, known);
  const hint = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  return `there is no provider ${JSON.stringify(provider.slice(0, 80))}${hint} (known are ${known.join(", ")})`;
}

const SCRIPT_BYTES_MAX = 16 * 1024 * 1024;

async function scriptOf(
  provider: string,
  entry: ProviderConfig | null,
  known?: ModelChoice["scripts"],
): Promise<Script> {
  const builtIn = entry === null ? builtInScripts.get(provider) : undefined;
  if (builtIn !== undefined) return builtIn();
  const file = entry?.script ?? null;
  if (file === null) throw new UserError("bad_input", `${named(provider)} has no script: it plays one`);
  const reading = known?.get(file) ?? readScript(provider, file);
  known?.set(file, reading);
  return reading;
}

async function readScript(provider: string, file: string): Promise<Script> {
  const bytes = await readWhole(file, SCRIPT_BYTES_MAX);
  if (!bytes.ok)
    throw new UserError("bad_input", `the script of ${named(provider)}, ${file}: ${bytes.problem}`);
  const script = parseScript(bytes.value.toString(), file);
  if (!script.ok) throw new UserError("bad_input", script.problem);
  return script.value;
}

function pricesOf({ input_price_per_mtok, output_price_per_mtok }: ProviderConfig): Prices | null {
  if (input_price_per_mtok === null || output_price_per_mtok === null) return null;
  return { inputPerMtok: input_price_per_mtok, outputPerMtok: output_price_per_mtok };
}

/** The key that is written down comes before the one in the environment. Blank is none. */
function keyOf({ env, provider }: ModelChoice, entry: ProviderConfig | null): string | null {
  const variable = entry?.api_key_env ?? null;
  const key = (entry?.api_key ?? (variable === null ? null : env[variable]))?.trim() ?? "";
  // What cannot stand in a header is no key, and the error that sending it gives would show it.
  if (!/^[\x21-\x7e]*$/.test(key))
    throw new UserError("bad_input", `the key of ${named(provider)} holds characters that no key has`);
  return key === "" ? null : key;
}

const KEY_VARIABLE = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };

function neededKey(choice: ModelChoice, entry: ProviderConfig | null): string {
  const { provider } = choice;
  const usual = KEY_VARIABLE[entry?.kind === "openai" ? "openai" : "anthropic"];
  const variable = entry?.api_key_env ?? usual;
  const key = keyOf(choice, entry === null ? null : { ...entry, api_key_env: variable });
  if (key === null)
    throw new KeyMissing(`${named(provider)} needs a key: the variable ${variable} is not set`);
  return key;
}

/** Written with or without the `/v1` that every path begins with. */
function baseUrl(provider: string, entry: ProviderConfig | null): string {
  const usual = { anthropic: "https://api.anthropic.com", openai: "https://api.openai.com" };
  const own = entry?.kind === "anthropic" || entry?.kind === "openai" ? usual[entry.kind] : null;
  const url = entry?.base_url ?? own;
  if (url === null)
    throw new UserError("bad_input", `${named(provider)} has no address: set providers.${provider}.base_url`);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UserError("bad_input", `providers.${provider}.base_url is no http or https address`);
  return versioned(url.replace(/\/+$/, ""));
}

/**
 * The address below which the dialect's own paths are. `/v1` where none is written; but some servers have another
 * version, which `/v1` behind it would lead astray from, and who writes the whole address of an endpoint means just that.
 */
function versioned(url: string): string {
  const above = url.replace(/\/(chat\/completions|messages)$/, "");
  if (above !== url || /\/v\d+[a-z]*\d*(\/openai)?$/.test(new URL(url).pathname)) return above;
  return `${url}/v1`;
}

function named(provider: string): string {
  return `the provider ${JSON.stringify(provider)}`;
}
