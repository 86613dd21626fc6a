import type { ConfigValue, Marker } from "#lib/health/markers.ts";
import { bucketKey } from "#lib/time.ts";
import { modelWord, short, type Word } from "./words.ts";

/** Changes of one key on one day, the models that share it together. */
export type MarkerGroup = {
  day: string;
  at: string;
  key: Marker["key"];
  kind: Marker["kind"];
  words: Word[];
};

/** The changes of settings as sentences, oldest first. The same change of several models on a day is one. */
export function markerGroups(markers: readonly Marker[], zone: string): MarkerGroup[] {
  const groups = new Map<string, { first: Marker; day: string; models: Word[][] }>();
  for (const marker of markers) {
    const day = bucketKey(Date.parse(marker.at), zone, "day");
    const { provenance, key, from, to, kind } = marker;
    const group = JSON.stringify([day, provenance, key, from, to, kind]);
    const known = groups.get(group) ?? { first: marker, day, models: [] };
    if (marker.model !== null) known.models.push(modelWord(marker.model, provenance));
    groups.set(group, known);
  }
  return [...groups.values()].map(({ first, day, models }) => ({
    day,
    at: first.at,
    key: first.key,
    kind: first.kind,
    words: [...whose(models, first), ...changeWords(first), ` on ${day}`],
  }));
}

const MODELS_NAMED = 4;

function whose(models: readonly Word[][], { provenance }: Marker): Word[] {
  if (models.length === 0) return provenance === "derived" ? ["derived runs: "] : [];
  const named = models
    .slice(0, MODELS_NAMED)
    .flatMap((words, at): Word[] => (at === 0 ? words : [", ", ...words]));
  const more = models.length - MODELS_NAMED;
  return [...named, more > 0 ? ` and ${more} more: ` : ": "];
}

const KEY_WORDS: Partial<Record<Marker["key"], string>> = {
  harness_version: "harness",
  system_prompt_sha: "system prompt",
  tools_sha: "tools",
};

function changeWords({ key, from, to, kind }: Marker): Word[] {
  const name = key === "model" ? "model" : (KEY_WORDS[key] ?? key);
  if (kind === "appeared") return [`${name} `, valueWord(to), " first used beside ", valueWord(from)];
  return [`${name} `, valueWord(from), " → ", valueWord(to)];
}

function valueWord(value: ConfigValue): Word {
  if (value === null || value === "") return "unset";
  return typeof value === "string" ? { named: short(value, 80) } : String(value);
}
