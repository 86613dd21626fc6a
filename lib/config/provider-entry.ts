import { PROVIDER_KINDS, type ProviderConfig } from "./config.ts";
import type { KeyPath } from "./locate.ts";
import { isTable, quoted, type Reading, type Rules, readTable } from "./read-table.ts";
import { amount, flag, httpUrl, oneOf, place, secret, text, texts, variable, whole } from "./rules.ts";

/** `[providers.NAME]`: the fields that are written. */
export function readProvider(table: unknown, path: KeyPath, reading: Reading): Partial<ProviderConfig> {
  const fields = readTable<ProviderConfig>(table, path, providerRules(reading), reading);
  const say = (key: string, what: string) => reading.problems.push({ path: [...path, key], what });
  const name = String(path.at(-1));
  const has = (key: string) => isTable(table) && Object.hasOwn(table, key);
  if (!PROVIDER_NAME.test(name))
    reading.problems.push({
      path,
      what: `${quoted(path)}: a provider's name has letters, digits, ".", "_" and "-", at most 64 of them`,
    });
  if (isTable(table) && !has("kind")) say("kind", `${quoted([...path, "kind"])} is missing`);
  const [input, output] = ["input_price_per_mtok", "output_price_per_mtok"] as const;
  if (has(input) !== has(output)) {
    const [given, missing] = has(input) ? [input, output] : [output, input];
    say(given, `${quoted([...path, missing])} is missing: a cost needs both prices`);
  }
  if (fields.kind === "anthropic")
    for (const key of ["temperature", "seed"])
      if (has(key)) say(key, `${quoted([...path, key])} is nothing that the kind "anthropic" takes`);
  if (fields.kind === "scripted" && !has("script"))
    say("script", `${quoted([...path, "script"])} is missing: the kind "scripted" plays one`);
  if (fields.kind !== undefined && fields.kind !== "scripted" && has("script"))
    say("script", `${quoted([...path, "script"])} belongs to the kind "scripted" only`);
  if (fields.fallbacks?.includes(name))
    say("fallbacks", `${quoted([...path, "fallbacks"])} names the provider itself`);
  return fields;
}

// It stands in transcripts, reports and headers, so nothing that any of them would have to escape.
const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

function providerRules(reading: Reading): Rules<ProviderConfig> {
  return {
    kind: oneOf(PROVIDER_KINDS),
    model: text,
    api_key_env: variable,
    api_key: secret,
    base_url: httpUrl,
    input_price_per_mtok: amount("from 0 up"),
    output_price_per_mtok: amount("from 0 up"),
    temperature: amount("from 0 up"),
    seed: whole(0, Number.MAX_SAFE_INTEGER),
    context_window: whole(1, Number.MAX_SAFE_INTEGER),
    vision: flag,
    max_retries: whole(0, 100),
    retry_after_cap_secs: whole(0, 86_400),
    fallbacks: texts,
    script: place(reading),
  };
}
