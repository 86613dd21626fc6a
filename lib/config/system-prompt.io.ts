import { UserError } from "#lib/errors.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import { utf8 } from "#lib/utf8.ts";
import type { Config } from "./config.ts";

const BYTES_MAX = 1024 * 1024;

/** The configured system prompt, from its file where one is named; null: none. Throws UserError for an unusable file. */
export async function readSystemPrompt({ agent }: Pick<Config, "agent">): Promise<string | null> {
  const file = agent.system_prompt_file;
  if (file === null) return agent.system_prompt;
  const read = await readWhole(file, BYTES_MAX);
  if (!read.ok) throw new UserError("bad_input", `agent.system_prompt_file: ${file}: ${read.problem}`);
  const text = utf8(read.value);
  if (text === null) throw new UserError("bad_input", `agent.system_prompt_file: ${file}: it is not UTF-8`);
  return text;
}
