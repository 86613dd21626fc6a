import path from "node:path";
import type { Ledger } from "./ledger.ts";
import type { Trigger } from "./trigger.ts";

/** A file or folder that could not be used: where, and one line that says why. */
export type StoreProblem = { place: string; problem: string };

/** What stands in a triggers folder. */
export type TriggerStore = {
  /** The folder. */
  place: string;
  /** In byte order of their names. */
  triggers: Trigger[];
  problems: StoreProblem[];
  ledger: Ledger;
};

/** The ledger of a triggers folder. */
export function ledgerFile(place: string): string {
  return path.join(place, "runs.jsonl");
}
