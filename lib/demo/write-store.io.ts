import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";
import { STAMP } from "./stamp.io.ts";
import { type DemoFile, demoStore } from "./store.ts";

const FOLDERS = ["sessions", "triggers"] as const;

/**
 * Makes the demo store of `nowMs` in the folder `home`, readable by its owner only, and says whether it had to.
 * A reader sees the old folders or the new ones, never a part. Anything else in `home` stays as it is.
 * Throws UserError when `home` holds sessions or triggers that mecha did not make.
 */
export async function ensureDemoStore(home: string, nowMs: number): Promise<"made" | "kept"> {
  const files = demoStore(nowMs);
  const sha256 = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const stamp = await readOrNull(path.join(home, STAMP));
  if (stamp === null) await refuseForeign(home);
  else if (stamp === sha256 && (await complete(home, files))) return "kept";
  try {
    makeFolder(home, 0o700);
    await removeLeftovers(home, nowMs);
    await replace(home, files, sha256);
  } catch (error) {
    throw new UserError("bad_input", `cannot make the demo store in ${home}: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return "made";
}

async function refuseForeign(home: string): Promise<void> {
  for (const folder of FOLDERS) {
    const names = await listOrNull(path.join(home, folder));
    if (names === null || names.length === 0) continue;
    throw new UserError("bad_input", `${path.join(home, folder)} is not a demo store; it is left as it is`);
  }
}

async function complete(home: string, files: readonly DemoFile[]): Promise<boolean> {
  const found = new Set<string>();
  for (const folder of FOLDERS)
    for (const name of (await listOrNull(path.join(home, folder))) ?? []) found.add(`${folder}/${name}`);
  return files.every((file) => found.has(file.path)) && found.size === files.length;
}

const MAKING = ".making-";

async function replace(home: string, files: readonly DemoFile[], sha256: string): Promise<void> {
  const staging = path.join(home, `${MAKING}${randomBytes(6).toString("hex")}`);
  for (const folder of FOLDERS) makeFolder(path.join(staging, folder), 0o700);
  for (const file of files)
    await writeFile(path.join(staging, file.path), file.text, { mode: 0o600, flag: "wx" });
  // From here to the end the store is ours and unfinished: whoever finds it so makes it again.
  await writeFile(path.join(home, STAMP), "being made", { mode: 0o600 });
  for (const folder of FOLDERS)
    await swap(path.join(staging, folder), path.join(home, folder), path.join(staging, `old-${folder}`));
  await writeFile(path.join(staging, STAMP), sha256, { mode: 0o600 });
  await rename(path.join(staging, STAMP), path.join(home, STAMP));
  await rm(staging, { recursive: true, force: true });
}

/** Puts `made` in the place of `target`. Another process may be doing the same: then the later one wins. */
async function swap(made: string, target: string, old: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(old, { recursive: true, force: true });
    await rename(target, old).catch(unless("ENOENT"));
    const problem = await rename(made, target).then(() => null, unless("ENOTEMPTY", "EEXIST"));
    if (problem === null) return;
    if (attempt === 10) throw problem;
  }
}

/** What a process that was killed half-way left behind. */
async function removeLeftovers(home: string, nowMs: number): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith(MAKING)) continue;
    const made = await stat(path.join(home, name)).catch(unless("ENOENT"));
    if (made instanceof Error || nowMs - made.mtimeMs < 3_600_000) continue;
    await rm(path.join(home, name), { recursive: true, force: true });
  }
}

async function readOrNull(file: string): Promise<string | null> {
  const text = await readFile(file, "utf8").catch(unless("ENOENT"));
  return typeof text === "string" ? text : null;
}

async function listOrNull(folder: string): Promise<string[] | null> {
  const names = await readdir(folder).catch(unless("ENOENT"));
  return Array.isArray(names) ? names : null;
}

/** Takes the named failures as an answer and throws every other. */
function unless(...codes: string[]): (error: unknown) => Error {
  return (error) => {
    if (error instanceof Error && "code" in error && codes.includes(String(error.code))) return error;
    throw error;
  };
}
