import { UserError } from "#lib/errors.ts";
import { readText } from "#lib/read-whole.io.ts";
import type { Config } from "./config.ts";

const BYTES_MAX = 1024 * 1024;

/** The configured system prompt, from its file where one is named; null: none. Throws UserError for an unusable file. */
export async function readSystemPrompt({ agent }: Pick<Config, "agent">): Promise<string | null> {
  const file = agent.system_prompt_file;
  if (file === null) return agent.system_prompt;
  const text = await readText(file, BYTES_MAX);
  if (!text.ok) throw new UserError("bad_input", `agent.system_prompt_file: ${file}: ${text.problem}`);
  return text.value;
}
