import { UserError } from "#lib/errors.ts";
import { bytes } from "#lib/format.ts";
import { readText } from "#lib/read-whole.io.ts";
import { resolvePlace } from "#lib/settings.ts";
import { utf8 } from "#lib/utf8.ts";
import type { CliIo } from "./io.ts";

const PROMPT_BYTES_MAX = 8 * 1024 * 1024;
const FILE_BYTES_MAX = 1024 * 1024;

/**
 * The prompt as it was given: one argument, or standard input for `-` and where there is no argument but a pipe. An
 * argument and then `-`: the argument, and standard input below it.
 */
export async function promptFrom(io: CliIo, words: readonly string[]): Promise<string> {
  const [said, more] = words;
  if (words.length > 2 || (more !== undefined && (more !== "-" || said === "-"))) {
    throw new UserError("usage", 'the prompt is one argument; put it in quotes: mecha run "PROMPT"');
  }
  if (said === undefined && io.isTty.stdin) {
    throw new UserError(
      "usage",
      'run needs a prompt: mecha run "PROMPT", or mecha run - with the prompt on standard input',
    );
  }
  const argument = said === undefined || said === "-" ? "" : said;
  const input = said === undefined || said === "-" || more === "-" ? await fromInput(io) : "";
  const prompt = [argument, input].filter((part) => part !== "").join("\n\n");
  if (prompt.trim() === "") throw new UserError("usage", "the prompt is empty");
  return prompt;
}

async function fromInput(io: CliIo): Promise<string> {
  const input = await io.readInput(PROMPT_BYTES_MAX);
  if (input === null) {
    throw new UserError(
      "usage",
      `standard input has more than the ${bytes(PROMPT_BYTES_MAX)} that a prompt may have`,
    );
  }
  const text = utf8(input);
  if (text === null) throw new UserError("usage", "the prompt on standard input is not UTF-8");
  return text.replace(/\r?\n$/, "");
}

/** What a flag says: its words, or with `@` before them those of the file that is named. */
export async function textOrFile(io: CliIo, given: string, flag: string): Promise<string> {
  if (!given.startsWith("@")) return given;
  const place = resolvePlace(given.slice(1), io);
  const text = await readText(place, FILE_BYTES_MAX);
  if (!text.ok) throw new UserError("bad_input", `${flag} ${place}: ${text.problem}`);
  return text.value;
}
