import { DASH, visible } from "#lib/format.ts";
import type { VerdictRow } from "#lib/verdict/store.io.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import type { VerdictListFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { settle } from "./store.ts";
import { type Column, tableLines } from "./table.ts";
import { fromDb, verdictDb } from "./verdict-db.ts";
import { clockIn } from "./when.ts";

const LIMIT = 20;

/** `mecha verdict list`: the stored verdicts, newest first. */
export async function verdictList(io: CliIo, flags: VerdictListFlags): Promise<number> {
  const limit = flags.limit ?? LIMIT;
  const { zone } = settle(io, flags);
  const { listVerdicts } = await import("#lib/verdict/store.io.ts");
  // One more than asked for tells whether there are more.
  const found = (await fromDb(io, (db) => listVerdicts(db, { limit: limit + 1 }))) ?? [];
  const rows = found.slice(0, limit);
  if (flags.json) {
    io.out(jsonText({ schema_version: 1, verdicts: rows.map(jsonOf), more: found.length > limit }));
    return EXIT.fine;
  }
  if (rows.length === 0) {
    io.out(`No verdict is stored in ${visible(verdictDb(io))}. To make one: mecha gate BASELINE CANDIDATE\n`);
    return EXIT.fine;
  }
  const clock = clockIn(zone);
  const cells = rows.map((row) => cellsOf(row, clock));
  const more = found.length > limit ? "; there are older ones, see -n" : "";
  const lines = tableLines(COLUMNS, cells, io.isTty.stdout ? io.columns : null);
  io.out(
    `${[...lines, "", `${rows.length} verdict(s), newest first, times in ${zone}${more}`].join("\n")}\n`,
  );
  return EXIT.fine;
}

const COLUMNS: Column[] = [
  { header: "id" },
  { header: "judged" },
  { header: "verdict" },
  { header: "class" },
  { header: "predicted" },
  { header: "what", shrinkTo: 16 },
  { header: "why", shrinkTo: 16 },
];

function cellsOf(row: VerdictRow, clock: (time: string) => string): string[] {
  const { glyph, word } = OUTCOMES[row.outcome];
  const predicted = row.predictedMetric === null ? DASH : `${row.predictedMetric}: ${row.prediction}`;
  return [
    row.id.slice(0, 12),
    clock(row.createdAt),
    `${glyph} ${word}`,
    row.changeClass,
    predicted,
    visible(row.change ?? `${row.candidate} against ${row.baseline}`),
    visible(row.reason),
  ];
}

function jsonOf(row: VerdictRow): object {
  return {
    id: row.id,
    created_at: row.createdAt,
    outcome: row.outcome,
    reason: row.reason,
    currency: row.currency,
    change_class: row.changeClass,
    change: row.change,
    predicted_metric: row.predictedMetric,
    prediction: row.prediction,
    baseline: row.baseline,
    candidate: row.candidate,
  };
}
