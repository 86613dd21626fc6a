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
