import { createHash } from "node:crypto";
import { sortKeys } from "#lib/sort-keys.ts";

/** Watches for a model that, after a summary, does again what it has just done. `recent`: its last calls since then. */
export type LoopGuard = { armed: boolean; recent: readonly string[] };

export const UNARMED: LoopGuard = { armed: false, recent: [] };

const WINDOW_CALLS = 3;

/** A summary was installed. A second one does not forget what the guard has seen since the first. */
export function armGuard(guard: LoopGuard): LoopGuard {
  return guard.armed ? guard : { armed: true, recent: [] };
}

/** Judges the calls of one turn against the last few calls of earlier turns. Doubles inside the turn are no loop. */
export function watchTurn(
  guard: LoopGuard,
  digests: readonly string[],
): { guard: LoopGuard; fires: boolean } {
  if (!guard.armed) return { guard, fires: false };
  return {
    guard: { armed: true, recent: [...guard.recent, ...digests].slice(-WINDOW_CALLS) },
    fires: digests.some((digest) => guard.recent.includes(digest)),
  };
}

/** Equal for calls of one tool with equal arguments, in whatever order of keys, that gave the same text. */
export function callDigest(name: string, input: unknown, result: string): string {
  return createHash("sha256")
    .update(JSON.stringify([name, sortKeys(input), result]))
    .digest("hex");
}
