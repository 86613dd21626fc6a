import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { isTriggerName } from "#lib/trigger/trigger.ts";
import type { Attempt } from "./row.ts";

/**
 * A run under way, as its process tells others beside the lock. While the lock is held it says what is running; found
 * with the lock free, it is what a killed process left behind.
 */
export type Running = Attempt & { pid: number; attempt: number };

export function locksDir(triggersDir: string): string {
  return path.join(triggersDir, "locks");
}

export function lockFile(triggersDir: string, trigger: string): string {
  return path.join(locksDir(triggersDir), `${trigger}.lock`);
}

/** Who holds the lock writes it, whole or not at all. Throws a UserError where it cannot be written. */
export function writeRunning(triggersDir: string, running: Running): void {
  const file = noteFile(triggersDir, running.trigger);
  try {
    writeFileSync(`${file}.partial`, JSON.stringify(running), { mode: 0o600 });
    renameSync(`${file}.partial`, file);
  } catch (error) {
    throw new UserError("bad_input", `${file} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

/** Nothing is noted any more; that nothing was is no mistake. */
export function clearRunning(triggersDir: string, trigger: string): void {
  rmSync(noteFile(triggersDir, trigger), { force: true });
}

/** Null: nothing is noted, or nothing that can be read. */
export function readRunning(triggersDir: string, trigger: string): Running | null {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(noteFile(triggersDir, trigger), "utf8"));
  } catch (error) {
    // Whatever else stands under that name: the next note cannot be written then, which is said there.
    if (error instanceof SyntaxError || (error instanceof Error && "syscall" in error)) return null;
    throw error;
  }
  return isRunning(value) && value.trigger === trigger ? value : null;
}

/** Triggers of which a run is noted, in whatever state. */
export function notedTriggers(triggersDir: string): string[] {
  try {
    return readdirSync(locksDir(triggersDir))
      .filter((name) => name.endsWith(".json"))
      .map((name) => path.basename(name, ".json"))
      .filter(isTriggerName);
  } catch (error) {
    // What is no folder holds no lock either, which is said where one is taken.
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return [];
    throw error;
  }
}

function noteFile(triggersDir: string, trigger: string): string {
  return path.join(locksDir(triggersDir), `${trigger}.json`);
}

function isRunning(value: unknown): value is Running {
  if (typeof value !== "object" || value === null) return false;
  const { trigger, slot_ms, started_at, session_id, pid, attempt } = value as Partial<
    Record<keyof Running, unknown>
  >;
  return (
    typeof trigger === "string" &&
    (slot_ms === null || Number.isSafeInteger(slot_ms)) &&
    typeof started_at === "string" &&
    !Number.isNaN(Date.parse(started_at)) &&
    (session_id === null || typeof session_id === "string") &&
    Number.isSafeInteger(pid) &&
    Number.isSafeInteger(attempt)
  );
}
