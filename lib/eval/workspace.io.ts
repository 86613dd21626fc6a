import { chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf, UserError } from "#lib/errors.ts";
import { type FixtureFiles, fixtureFiles } from "./fixture-files.io.ts";
import { type ArmKey, folderName } from "./items.ts";
import { removeLeftovers, STAGING_PREFIX } from "./leftovers.io.ts";

/** A file system takes 255 bytes in a name, and an id may be as long as it likes. */
const NAME_MAX = 100;

/** Where sandboxed cases get their workspaces. */
export type Staging = {
  root: string;
  /** A fresh copy of the fixture for one run, which nothing else writes to. Absolute path. */
  stage(arm: ArmKey, itemId: string): Promise<string>;
  /** Removes one copy. */
  drop(workspace: string): Promise<void>;
  /** Removes everything. */
  clear(): Promise<void>;
};

/**
 * Prepares staging below the temporary folder: the fixture is copied once, now, so that a fixture that cannot be copied
 * is known before anything is spent on a model, and so that all runs start from the same files whatever happens to the
 * original meanwhile. `keep`: under a name that no later pass takes for something left behind. Throws a UserError.
 */
export async function prepareStaging(fixture: string, keep = false): Promise<Staging> {
  const temp = tmpdir();
  await removeLeftovers(temp);
  const listed = await fixtureFiles(fixture);
  const prefix = `${STAGING_PREFIX}${keep ? "kept-" : ""}${process.pid}-`;
  const root = await mkdtemp(path.join(temp, prefix)).catch((error: unknown) => {
    throw noWorkspace(temp, error);
  });
  const pristine = path.join(root, "fixture");
  try {
    await copy(fixture, pristine, listed);
  } catch (error) {
    await rm(root, { recursive: true, force: true });
    throw new UserError("bad_input", `the fixture ${fixture} cannot be copied: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return {
    root,
    async stage(arm, itemId) {
      // Two ids may give one name: each copy has a folder of its own around it.
      try {
        const around = await mkdtemp(path.join(root, `run${arm}-`));
        const workspace = path.join(around, folderName(itemId).slice(0, NAME_MAX));
        await copy(pristine, workspace, listed);
        return workspace;
      } catch (error) {
        throw noWorkspace(root, error);
      }
    },
    drop: (workspace) => removeAll(path.dirname(workspace)),
    clear: () => removeAll(root),
  };
}

function noWorkspace(folder: string, error: unknown): UserError {
  return new UserError("bad_input", `no workspace can be made in ${folder}: ${messageOf(error)}`, {
    cause: error,
  });
}

/**
 * Removes a folder with all that is in it, also what a run has locked itself out of. What cannot be removed all the same
 * stays for the next pass that clears up: it tells nothing about the model, and ends no pass.
 */
async function removeAll(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch {
    await openUp(folder).catch(() => undefined);
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Links are not followed. */
async function openUp(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isDirectory()) await openUp(path.join(folder, entry.name));
}

/** Owner may write everywhere in it: a fixture that is kept read-only is still a workspace to its copies. */
async function copy(from: string, to: string, { folders, files }: FixtureFiles): Promise<void> {
  await mkdir(to, { mode: 0o755 });
  for (const name of folders) await mkdir(path.join(to, name), { mode: 0o755 });
  await Promise.all(
    files.map(async (name) => {
      const target = path.join(to, name);
      await copyFile(path.join(from, name), target);
      const { mode } = await stat(target);
      if ((mode & 0o600) !== 0o600) await chmod(target, mode | 0o600);
    }),
  );
}
