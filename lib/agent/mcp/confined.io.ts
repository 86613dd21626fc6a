import { existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import type { McpServerConfig } from "#lib/config/config.ts";
import type { Parsed } from "#lib/errors.ts";
import { USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { confine } from "#lib/sandbox/run.io.ts";
import type { Command } from "./server-process.io.ts";

/** Never read: the server lives as long as the run, and its streams are our own to bound. */
const LIMITS = { ...USUAL_LIMITS, timeoutMs: 0, outputBytesMax: 0 };

/**
 * The command that runs a server locked in: it sees the workspace, its own program and files, and no other of the
 * person's. Where nothing can be locked in, that is a problem; a server is never run open instead.
 */
export async function confinedCommand(
  server: Pick<McpServerConfig, "network">,
  { argv, env, cwd }: Command,
  writable: boolean,
): Promise<Parsed<Command>> {
  // The home and the path of this machine mean nothing inside, where both are made anew.
  const { PATH: _path, HOME: _home, TMPDIR: _tmp, USER: _user, LOGNAME: _logname, ...given } = env;
  const confinement = {
    ...{ workspace: cwd, cwd, writable, network: server.network, env: given },
    readOnlyPlaces: argv.flatMap((word) => programPlace(word, cwd) ?? []),
  };
  const confined = await confine(argv, confinement, LIMITS);
  if (confined.argv === null) return { ok: false, problem: confined.problem };
  return { ok: true, value: { argv: confined.argv, env: confined.env, cwd: "/" } };
}

const PROJECT_MARKS = ["package.json", "pyproject.toml", "node_modules", "go.mod", "Cargo.toml"];

/**
 * What a word of a command line names, if it is a file: its own folder, or the project it belongs to, for a program is
 * rarely one file. Never a home or the root, which are more than a program.
 */
function programPlace(word: string, cwd: string): string | null {
  const file = path.resolve(cwd, word);
  if (!word.includes("/") || !statSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  const folder = path.dirname(realpathSync(file));
  const outer = [path.parse(folder).root, homedir(), path.dirname(homedir())];
  for (let at = folder; !outer.includes(at); at = path.dirname(at))
    if (PROJECT_MARKS.some((mark) => existsSync(path.join(at, mark)))) return at;
  return outer.includes(folder) ? file : folder;
}
