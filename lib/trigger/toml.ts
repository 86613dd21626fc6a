import { mended } from "#lib/utf8.ts";
import type { CatchUp } from "./trigger.ts";
import { durationText } from "./trigger.ts";

/** What a new trigger file sets; absent keys are left to their defaults. */
export type TriggerDraft = {
  schedule: string;
  prompt: string;
  description?: string;
  timezone?: string;
  enabled?: false;
  /** RFC 3339. */
  created_at: string;
  provider?: string;
  model?: string;
  workspace?: string;
  permission_mode?: string;
  tools?: readonly string[];
  no_mcp?: true;
  max_turns?: number;
  max_output_tokens?: number;
  max_cost_usd?: number;
  timeout_ms?: number;
  catch_up?: CatchUp;
};

/** The text of a trigger file, keys in the order in which a person reads them. */
export function triggerToml(draft: TriggerDraft): string {
  const { timeout_ms, catch_up, prompt } = draft;
  const lines: (string | null)[] = [
    setting("schedule", draft.schedule),
    setting("timezone", draft.timezone),
    setting("description", draft.description),
    `prompt = ${textValue(prompt)}`,
    setting("enabled", draft.enabled),
    setting("created_at", draft.created_at),
    setting("provider", draft.provider),
    setting("model", draft.model),
    setting("workspace", draft.workspace),
    setting("permission_mode", draft.permission_mode),
    draft.tools === undefined ? null : `tools = [${draft.tools.map(quoted).join(", ")}]`,
    setting("no_mcp", draft.no_mcp),
    setting("max_turns", draft.max_turns),
    setting("max_output_tokens", draft.max_output_tokens),
    setting("max_cost_usd", draft.max_cost_usd),
    setting("timeout", timeout_ms === undefined ? undefined : durationText(timeout_ms)),
    setting("catch_up", typeof catch_up === "number" ? durationText(catch_up) : catch_up),
  ];
  return `${lines.filter((line) => line !== null).join("\n")}\n`;
}

function setting(key: string, value: string | number | boolean | undefined): string | null {
  if (value === undefined) return null;
  return `${key} = ${typeof value === "string" ? quoted(value) : value}`;
}

/** A text of several lines stays readable as such. */
function textValue(text: string): string {
  if (!text.includes("\n")) return quoted(text);
  const lines = text.split("\n").map(escaped);
  return `"""\n${lines.join("\n")}"""`;
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

/** TOML's escapes are those of JSON, but for the delete character and the halves of surrogate pairs, which it has none for. */
function escaped(text: string): string {
  return JSON.stringify(mended(text)).slice(1, -1).replaceAll("\u007f", "\\u007F");
}
