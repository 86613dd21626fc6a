import { randomBytes } from "node:crypto";
import { lstat, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { makeFolder } from "#lib/make-folder.io.ts";
import { type CliIo, EXIT } from "./io.ts";

/** A file to be written: where, and the name the person gave it. */
export type OutFile = { place: string; name: string };

/** A relative name stands in the working folder. */
export function outFile(io: CliIo, name: string): OutFile {
  return { place: path.resolve(io.cwd, name), name };
}

/**
 * Writes a file whole or not at all, as its readers see it; what stood there before is replaced, and folders that are
 * not there are made. Never over one of `inputs`, which would be lost. Throws a UserError that names the file.
 */
export async function writeOut(out: OutFile, text: string, inputs: readonly string[]): Promise<void> {
  await named(out, async () => {
    const { target, mode } = await targetOf(out, inputs);
    // A device or a pipe has no whole to replace.
    if (mode === null) await writeFile(target, text);
    else await replace(target, text, mode);
  });
}

/**
 * Says beforehand what `writeOut` would say of the place itself, so that an hour is not spent on what has nowhere to go.
 * Gives the file that would be written, links followed; null for a device or a pipe. Throws a UserError.
 */
export async function checkOut(out: OutFile, inputs: readonly string[]): Promise<string | null> {
  return named(out, async () => {
    const { target, mode } = await targetOf(out, inputs);
    return mode === null ? null : target;
  });
}

/** Whether more can be kept beside it: not beside a device, a pipe, or what is only lent under a number. */
export async function hasPlaceBeside(out: OutFile): Promise<boolean> {
  const isLent = /^\/(proc|dev\/fd)\/|^\/dev\/std(in|out|err)$/.test(out.place);
  return !isLent && (await checkOut(out, [])) !== null;
}

async function named<T>({ name }: OutFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("bad_input", `${visible(name)} cannot be written: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What is written, and with which mode; null: it is no file. */
async function targetOf(
  { place, name }: OutFile,
  inputs: readonly string[],
): Promise<{ target: string; mode: number | null }> {
  const before = await statOrNull(place);
  if (before?.isDirectory()) throw new Error("it is a folder");
  if (before === null && (await isLink(place))) throw new Error("it is a link that leads nowhere");
  if (before !== null && !before.isFile()) return { target: place, mode: null };
  // A link stays one: what it points to is replaced.
  const target = before === null ? place : await realpath(place);
  for (const input of inputs) {
    if ((await realpathOrNull(input)) === target)
      throw new UserError("usage", `${visible(name)} is what is read: write to another file`);
  }
  return { target, mode: before === null ? 0o666 : before.mode & 0o777 };
}

async function replace(target: string, text: string, mode: number): Promise<void> {
  const folder = path.dirname(target);
  makeFolder(folder);
  const partial = path.join(folder, `.mecha-${randomBytes(6).toString("hex")}.part`);
  try {
    await writeFile(partial, text, { flag: "wx", mode });
    await rename(partial, target);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function statOrNull(place: string) {
  try {
    return await stat(place);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

async function isLink(place: string): Promise<boolean> {
  try {
    return (await lstat(place)).isSymbolicLink();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return false;
    throw error;
  }
}

async function realpathOrNull(place: string): Promise<string | null> {
  try {
    return await realpath(place);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

/** Said when a file is there. */
export function saidWritten(io: CliIo, { name }: OutFile): number {
  io.err(`mecha: wrote ${visible(name)}\n`);
  return EXIT.fine;
}
