import { cp, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf, UserError } from "#lib/errors.ts";
import { type ArmKey, folderName } from "./items.ts";

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
 * original meanwhile. Links are followed: a copy has nothing that leads out of it. Throws a UserError.
 */
export async function prepareStaging(fixture: string): Promise<Staging> {
  const root = await mkdtemp(path.join(tmpdir(), `mecha-eval-${process.pid}-`));
  const pristine = path.join(root, "fixture");
  try {
    await copy(fixture, pristine);
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
      const around = await mkdtemp(path.join(root, `run${arm}-`));
      const workspace = path.join(around, folderName(itemId));
      await copy(pristine, workspace);
      return workspace;
    },
    drop: (workspace) => rm(path.dirname(workspace), { recursive: true, force: true }),
    clear: () => rm(root, { recursive: true, force: true }),
  };
}

async function copy(from: string, to: string): Promise<void> {
  if (!(await stat(from)).isDirectory()) throw new Error("it is no folder");
  await mkdir(to, { recursive: true, mode: 0o755 });
  await cp(from, to, { recursive: true, dereference: true, errorOnExist: true, force: false });
}
