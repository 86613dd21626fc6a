import type { Model } from "#lib/agent/model.ts";
import { buildModel } from "#lib/agent/providers/build.io.ts";
import { parseScript } from "#lib/agent/providers/parse-script.ts";
import type { Script } from "#lib/agent/providers/script.ts";
import { scriptedModel } from "#lib/agent/providers/scripted.ts";
import { sleep } from "#lib/agent/providers/sleep.io.ts";
import type { ProviderConfig } from "#lib/config/config.ts";
import { defaultConfig, EMPTY_PROVIDER } from "#lib/config/defaults.ts";
import { startFakeAnthropic } from "./fake-anthropic.ts";
import { startFakeOpenai } from "./fake-openai.ts";
import { type FakeServer, tellingPurpose } from "./fake-server.ts";

export const KINDS = ["scripted", "openai-compatible", "anthropic"] as const;
export type Kind = (typeof KINDS)[number];
export const HTTP_KINDS = ["openai-compatible", "anthropic"] as const;

const PRICES = { inputPerMtok: 3, outputPerMtok: 15 };

export const KEY = "sk-a-very-secret-key";

export function scriptOf(script: object): Script {
  const parsed = parseScript(JSON.stringify({ name: "test", ...script }), "test.json");
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

export type Running = { model: Model; server: FakeServer | null; close(): Promise<void> };

/** The script as a model of that kind: played in this process, or by a server that speaks the kind's dialect. */
export async function startModel(
  kind: Kind,
  script: Script,
  settings: Partial<ProviderConfig> = {},
): Promise<Running> {
  if (kind === "scripted") {
    const parts = { provider: "test", model: "claude-opus-5", prices: PRICES, contextWindow: null };
    return { model: scriptedModel({ ...parts, script, sleep }), server: null, close: async () => undefined };
  }
  const server = await (kind === "anthropic" ? startFakeAnthropic(script) : startFakeOpenai(script));
  const model = await modelAt(kind, server.url, settings);
  return { model: tellingPurpose(server, model), server, close: server.close };
}

/** A model that is asked there, without retries unless the settings say otherwise. */
export async function modelAt(
  kind: ProviderConfig["kind"],
  url: string,
  settings: Partial<ProviderConfig> = {},
  model = "claude-opus-5",
): Promise<Model> {
  const config = defaultConfig();
  config.providers.test = {
    ...EMPTY_PROVIDER,
    kind,
    base_url: url,
    api_key: KEY,
    max_retries: 0,
    input_price_per_mtok: PRICES.inputPerMtok,
    output_price_per_mtok: PRICES.outputPerMtok,
    ...settings,
  };
  return await buildModel({ config, provider: "test", model, fallbacks: false, env: {} });
}
