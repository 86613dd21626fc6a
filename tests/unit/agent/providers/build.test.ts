import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildModel, defaultModel } from "#lib/agent/providers/build.io.ts";
import type { Config, ProviderConfig } from "#lib/config/config.ts";
import { defaultConfig, EMPTY_PROVIDER } from "#lib/config/defaults.ts";
import { UserError } from "#lib/errors.ts";
import { aRequest, aWatch } from "#tests/support/a-request.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), "mecha-build-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

function configOf(providers: Record<string, Partial<ProviderConfig> & Pick<ProviderConfig, "kind">>): Config {
  const config = defaultConfig();
  for (const [name, entry] of Object.entries(providers))
    config.providers[name] = { ...EMPTY_PROVIDER, ...entry };
  return config;
}

function file(name: string, text: string): string {
  const place = path.join(dir, name);
  writeFileSync(place, text);
  return place;
}

async function build(config: Config, provider: string, env: Record<string, string> = {}) {
  return await buildModel({ config, provider, model: "m", fallbacks: true, env });
}

describe("what a model is built from", () => {
  test("a script that is built in needs no configuration", async () => {
    expect(await build(defaultConfig(), "scripted")).toMatchObject({
      provider: "scripted",
      model: "m",
      prices: null,
      contextWindow: null,
    });
    expect(await defaultModel(defaultConfig(), "scripted")).toBe("scripted");
  });

  test("an entry of that name comes first", async () => {
    const script = file(
      "own.json",
      JSON.stringify({ name: "own", model: "mine", otherwise: { text: "Mine." } }),
    );
    const config = configOf({ scripted: { kind: "scripted", script, context_window: 9000 } });
    const model = await build(config, "scripted");
    expect(model.contextWindow).toBe(9000);
    expect(await model.ask(aRequest(), aWatch())).toMatchObject({ content: [{ text: "Mine." }] });
    expect(await defaultModel(config, "scripted")).toBe("mine");
  });

  test("both prices make prices", async () => {
    const config = configOf({
      a: { kind: "local", base_url: "http://x", input_price_per_mtok: 1, output_price_per_mtok: 2 },
      b: { kind: "local", base_url: "http://x", input_price_per_mtok: 1 },
    });
    expect((await build(config, "a")).prices).toEqual({ inputPerMtok: 1, outputPerMtok: 2 });
    expect((await build(config, "b")).prices).toBeNull();
  });

  test("fallbacks answer with their own models, and only where they are wanted", async () => {
    const down = file(
      "down.json",
      JSON.stringify({ name: "down", otherwise: { fail: { problem: "down", transient: true } } }),
    );
    const up = file("up.json", JSON.stringify({ name: "up", otherwise: { text: "Here." } }));
    const config = configOf({
      down: { kind: "scripted", script: down, max_retries: 0, fallbacks: ["down", "up"] },
      up: { kind: "scripted", script: up },
    });
    expect(await (await build(config, "down")).ask(aRequest(), aWatch())).toMatchObject({
      answeredBy: { provider: "up", model: "up" },
    });
    const alone = await buildModel({ config, provider: "down", model: "m", fallbacks: false, env: {} });
    expect(await alone.ask(aRequest(), aWatch())).toMatchObject({ kind: "failure", problem: "down" });
  });
});

describe("what is missing is said by name", () => {
  const cases: [string, () => Promise<unknown>, string | RegExp][] = [
    [
      "a provider that is not there",
      () => build(configOf({ loacl: { kind: "local" } }), "local"),
      /^there is no provider "local"; did you mean "loacl"\? \(known are anthropic, loacl, scripted[a-z, ]*\)$/,
    ],
    ["one that is like no other", () => build(defaultConfig(), "x"), /^there is no provider "x" \(known are/],
    ["a name that every object has", () => build(defaultConfig(), "constructor"), /^there is no provider/],
    [
      "Anthropic's key",
      () => build(defaultConfig(), "anthropic"),
      'the provider "anthropic" needs a key: the variable ANTHROPIC_API_KEY is not set',
    ],
    ["a blank key", () => build(defaultConfig(), "anthropic", { ANTHROPIC_API_KEY: " " }), /is not set$/],
    [
      "OpenAI's key",
      () => build(configOf({ o: { kind: "openai" } }), "o"),
      'the provider "o" needs a key: the variable OPENAI_API_KEY is not set',
    ],
    [
      "a key under another name",
      () => build(configOf({ o: { kind: "openai", api_key_env: "MY_KEY" } }), "o", { OPENAI_API_KEY: "x" }),
      /the variable MY_KEY is not set$/,
    ],
    [
      "a key that is none",
      () => build(configOf({ o: { kind: "local", base_url: "http://x", api_key: "a\nb: c" } }), "o"),
      'the key of the provider "o" holds characters that no key has',
    ],
    [
      "an address",
      () => build(configOf({ o: { kind: "local" } }), "o"),
      'the provider "o" has no address: set providers.o.base_url',
    ],
    [
      "an address that is one",
      () => build(configOf({ o: { kind: "local", base_url: "localhost:80" } }), "o"),
      "providers.o.base_url is no http or https address",
    ],
    [
      "a model",
      () => defaultModel(configOf({ o: { kind: "local" } }), "o"),
      'the provider "o" has no model: set providers.o.model',
    ],
    [
      "a script",
      () => build(configOf({ o: { kind: "scripted", script: path.join(dir, "gone.json") } }), "o"),
      /^the script of the provider "o", .*gone\.json: there is no such file$/,
    ],
    [
      "a script that is one",
      () => build(configOf({ o: { kind: "scripted", script: file("bad.json", '{"nam": 1}') } }), "o"),
      /bad\.json: unknown key "nam"; did you mean "name"\?$/,
    ],
    [
      "a fallback",
      () => build(configOf({ o: { kind: "local", base_url: "http://x", fallbacks: ["p"] } }), "o"),
      /^providers.o.fallbacks: there is no provider "p"/,
    ],
  ];
  test.each(cases)("%s", async (_, act, message) => {
    const error = await act().then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(UserError);
    expect(error).toMatchObject({
      message: typeof message === "string" ? message : expect.stringMatching(message),
    });
  });
});
