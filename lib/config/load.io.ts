import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, UserError } from "#lib/errors.ts";
import { readText } from "#lib/read-whole.io.ts";
import type { Settings } from "#lib/settings.ts";
import type { LoadedConfig } from "./config.ts";
import { type ConfigFlags, type Env, layered } from "./layers.ts";
import type { ConfigLayer } from "./parse.ts";

/** Whoever writes more by hand has something else in mind. */
const BYTES_MAX = 256_000;

export type ConfigPlaces = { home: string; project: string };

/** The files a configuration is read from, absolute, whether or not they are there. */
export function configPlaces({ mechaHome }: Pick<Settings, "mechaHome">, cwd: string): ConfigPlaces {
  return { home: path.join(mechaHome, "config.toml"), project: path.join(cwd, "mecha.toml") };
}

/**
 * The effective configuration. `project`: the working folder's `mecha.toml` has a say; unattended runs go without, so
 * that they do not depend on where they start. Throws UserError when a file or a variable cannot be used; a file that
 * is not there is none.
 */
export async function loadConfig({
  settings,
  env,
  cwd,
  project,
  flags = {},
}: {
  settings: Pick<Settings, "mechaHome" | "osHome">;
  env: Env;
  /** Absolute. */
  cwd: string;
  project: boolean;
  flags?: ConfigFlags;
}): Promise<LoadedConfig> {
  const places = configPlaces(settings, cwd);
  const home = await readLayer(places.home, settings.osHome);
  const own = project ? await readLayer(places.project, settings.osHome) : null;
  const loaded = layered({
    home,
    project: own && { layer: own, trusted: await isTrusted(cwd, home?.values.trusted_projects ?? []) },
    env,
    flags,
  });
  if (!loaded.ok) throw new UserError("bad_input", loaded.problem);
  return loaded.value;
}

/** A configuration file; null when there is none. Throws UserError with its path for one that cannot be used. */
async function readLayer(file: string, osHome: string): Promise<ConfigLayer | null> {
  if (!(await isThere(file))) return null;
  const text = await readText(file, BYTES_MAX);
  if (!text.ok) throw new UserError("bad_input", `${file}: ${text.problem}`);
  // Most machines have no such file, and a short command need not wait for the code that reads one.
  const { parseConfig } = await import("./parse.ts");
  const parsed = parseConfig(text.value, { file, dir: path.dirname(file), osHome });
  if (!parsed.ok) throw new UserError("bad_input", parsed.problem);
  return parsed.value;
}

/** Is there a file, of whatever kind? One that may not be asked about counts as there, and reading it says why not. */
export async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file);
    return true;
  } catch (error) {
    return !hasCode(error, "ENOENT");
  }
}

/** Exactly the folder, under whatever name: what stands further down came from somewhere else, such as a dependency. */
async function isTrusted(folder: string, trusted: readonly string[]): Promise<boolean> {
  const here = await realFolder(folder);
  for (const one of trusted) if (here !== null && (await realFolder(one)) === here) return true;
  return false;
}

/** Null for one that is gone or closed: it vouches for nothing. */
async function realFolder(folder: string): Promise<string | null> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error) return null;
    throw error;
  }
}
