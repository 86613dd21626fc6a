import path from "node:path";
import { fitTo } from "#lib/display-width.ts";
import { triggerHistories } from "#lib/doctor/report.ts";
import type { TriggerHistory } from "#lib/doctor/trigger-checks.ts";
import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { LedgerCoverage } from "#lib/trigger/ledger.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";
import type { StoreProblem, TriggerStore } from "#lib/trigger/store.ts";
import type { TriggerFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { asOf, scheduleZone, settle } from "./store.ts";

/** The triggers as a command reads them. */
export type Triggers = {
  store: TriggerStore;
  /** Each trigger with its own ledger rows. */
  histories: TriggerHistory[];
  as_of_ms: number;
  /** Zone that times are written in. */
  zone: string;
};

/** Reads the triggers folder. Throws UserError when it stands there and cannot be read. */
export async function openTriggers(io: CliIo, flags: TriggerFlags): Promise<Triggers> {
  const { triggersDir, zone } = settle(io, flags);
  const as_of_ms = asOf(io, flags, zone);
  const store = await readTriggers(triggersDir);
  const whole = store.problems.find(({ place }) => place === store.place);
  if (whole !== undefined && store.triggers.length === 0)
    throw new UserError("bad_input", problemLine(whole));
  return { store, histories: triggerHistories(store, scheduleZone(io)), as_of_ms, zone };
}

/** One line that says what cannot be used and why: folder, file, line and key, as far as they are known. */
export function problemLine({ place, problem }: StoreProblem): string {
  const named = problem.startsWith(`${path.basename(place)}:`);
  return bounded(named ? `${path.dirname(place)}/${problem}` : `${place}: ${problem}`, 400);
}

/** Somebody else's text as one line of at most so many columns. */
export function bounded(text: string, width = 200): string {
  return fitTo(visible(text), width);
}

/** What of the ledger could not be used, one line each; empty when all of it could. */
export function ledgerLines({
  lines_bad,
  lines_not_utf8,
  lines_torn,
  bytes_left_out,
}: LedgerCoverage): string[] {
  const bad = lines_bad + lines_not_utf8;
  return [
    ...(bad > 0 ? [`${bad} line(s) of the ledger are no row`] : []),
    ...(lines_torn > 0 ? [`${lines_torn} line(s) of the ledger torn`] : []),
    ...(bytes_left_out > 0 ? [`the first ${bytes_left_out} bytes of the ledger were not read`] : []),
  ];
}
