import { rowOutcomes } from "#lib/doctor/triggers.ts";
import { isoUtc } from "#lib/time.ts";
import type { TriggerFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { rowJson, withoutMs } from "./trigger-json.ts";
import { historyNamed } from "./trigger-show.ts";
import { ledgerLines, openTriggers } from "./trigger-store.ts";
import { rowLines } from "./trigger-text.ts";
import { clockIn } from "./when.ts";

const ROWS = 20;

/** `mecha trigger runs NAME`: its rows in the ledger, the newest last; of one whose file is gone too. */
export async function triggerRuns(io: CliIo, name: string, flags: TriggerFlags): Promise<number> {
  const triggers = await openTriggers(io, flags);
  const { store, as_of_ms, zone } = triggers;
  const own = store.ledger.rows.filter((row) => row.trigger === name && row.started_ms <= as_of_ms);
  // Neither a file nor a row: the name is wrong.
  if (own.length === 0) historyNamed(name, triggers);
  const rows_older = Math.max(0, own.length - (flags.limit ?? ROWS));
  const rows = rowOutcomes(own).slice(rows_older);
  if (flags.json) {
    io.out(
      jsonText({
        ...{ schema_version: 1, as_of: isoUtc(as_of_ms), zone, trigger: name },
        rows: rows.map(({ row, outcome }) => ({ ...rowJson(withoutMs(row)), outcome })),
        rows_older,
        ledger: store.ledger.coverage,
      }),
    );
    return EXIT.fine;
  }
  const room = io.isTty.stdout ? io.columns : null;
  const lines = rowLines({ rows, rows_older }, zone, clockIn(zone), room);
  io.out(`${[...lines, ...ledgerLines(store.ledger.coverage)].join("\n")}\n`);
  return EXIT.fine;
}
