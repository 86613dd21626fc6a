import { stat } from "node:fs/promises";
import path from "node:path";
import type { McpServerConfig } from "#lib/config/config.ts";
import { defaultConfig } from "#lib/config/defaults.ts";
import { mergeLayer } from "#lib/config/merge.ts";
import { parseConfig } from "#lib/config/parse.ts";
import { hasCode, UserError } from "#lib/errors.ts";
import { readText } from "#lib/read-whole.io.ts";

const BYTES_MAX = 256 * 1024;

/**
 * The servers of an `--mcp-file`: a TOML file of `[[mcp]]` tables and nothing else. A command or an argument that is a
 * file beside it becomes that file's absolute path, so that the set can be run from anywhere. Throws a UserError.
 */
export async function readMcpFile(file: string, osHome: string): Promise<McpServerConfig[]> {
  const text = await readText(file, BYTES_MAX);
  if (!text.ok) throw new UserError("bad_input", `${file}: ${text.problem}`);
  const parsed = parseConfig(text.value, { file, dir: path.dirname(file), osHome });
  if (!parsed.ok) throw new UserError("bad_input", parsed.problem);
  const stray = Object.keys(parsed.value.values).find((key) => key !== "mcp");
  const unused = parsed.value.notices[0];
  if (stray !== undefined || unused !== undefined)
    throw new UserError(
      "bad_input",
      `${file}: only [[mcp]] tables may stand in it; ${unused ?? `"${stray}" does not`}`,
    );
  const { mcp } = mergeLayer({ config: defaultConfig(), origins: new Map() }, parsed.value).config;
  if (mcp.length === 0) throw new UserError("bad_input", `${file}: no [[mcp]] table in it`);
  const folder = path.dirname(file);
  return Promise.all(
    mcp.map(async (server) => ({
      ...server,
      command: await placed(server.command, folder),
      args: await Promise.all(server.args.map((arg) => placed(arg, folder))),
    })),
  );
}

async function placed(word: string, folder: string): Promise<string> {
  const file = path.resolve(folder, word);
  try {
    return (await stat(file)).isFile() ? file : word;
  } catch (error) {
    // Words that name no file: a program on the PATH, a flag, a text too long to be a path.
    if (["ENOENT", "ENOTDIR", "ENAMETOOLONG", "EACCES", "ELOOP"].some((code) => hasCode(error, code)))
      return word;
    throw error;
  }
}
