import type { TriggerStatus } from "#lib/doctor/finding.ts";
import { TRIGGER_MARKS } from "#lib/doctor/trigger-marks.ts";
import { triggerFindings, triggerStatus } from "#lib/doctor/triggers.ts";
import { count, DASH, visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import type { TriggerFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { type Column, tableLines } from "./table.ts";
import { ledgerLines, openTriggers, problemLine, type Triggers } from "./trigger-store.ts";
import { clockIn } from "./when.ts";

const MARKS = 5;

/** `mecha trigger list`: every trigger in one line. A file that cannot be used is named and makes the exit code 1. */
export async function triggerList(io: CliIo, flags: TriggerFlags): Promise<number> {
  const triggers = await openTriggers(io, flags);
  const { store, histories, as_of_ms } = triggers;
  const marks = flags.limit ?? MARKS;
  const rows = histories.map((history) =>
    triggerStatus(history, as_of_ms, triggerFindings(history, as_of_ms), marks),
  );
  for (const problem of store.problems) io.err(`mecha: ${problemLine(problem)}; left out\n`);
  io.out(flags.json ? jsonText(jsonOf(triggers, rows)) : `${textOf(io, triggers, rows, marks).join("\n")}\n`);
  return store.problems.length > 0 ? EXIT.problem : EXIT.fine;
}

function jsonOf({ store, as_of_ms, zone }: Triggers, rows: TriggerStatus[]): object {
  return {
    schema_version: 1,
    as_of: isoUtc(as_of_ms),
    zone,
    place: store.place,
    triggers: rows,
    problems: store.problems,
    ledger: store.ledger.coverage,
  };
}

const COLUMNS: Column[] = [
  { header: "name" },
  { header: "state" },
  { header: "schedule", shrinkTo: 11 },
  { header: "next" },
  { header: "last run" },
  { header: "went", align: "right" },
  { header: "calls", align: "right" },
  { header: "errors", align: "right" },
  { header: "findings", align: "right" },
  { header: "description", shrinkTo: 12 },
];

function textOf(io: CliIo, { store, zone }: Triggers, rows: TriggerStatus[], marks: number): string[] {
  const ledger = ledgerLines(store.ledger.coverage);
  const place = visible(store.place);
  if (rows.length === 0)
    return [
      `No triggers in ${place}. A trigger is a file NAME.toml there; mecha trigger add writes one.`,
      ...ledger,
    ];
  const clock = clockIn(zone);
  const cells = rows.map((row) => cellsOf(row, clock));
  const names = new Set(rows.map(({ name }) => name));
  const others = store.ledger.rows.filter(({ trigger }) => !names.has(trigger)).length;
  const legend = Object.values(TRIGGER_MARKS).map(({ glyph, word }) => `${glyph} ${word}`);
  return [
    ...tableLines(COLUMNS, cells, io.isTty.stdout ? io.columns : null),
    "",
    `${rows.length} trigger(s) in ${place}, times in ${zone}; went, calls and errors over each one's last ${marks} row(s) of the ledger, newest last: ${legend.join(", ")}`,
    ...(others > 0 ? [`${others} row(s) of the ledger belong to none of them`] : []),
    ...ledger,
  ];
}

function cellsOf(row: TriggerStatus, clock: (time: string) => string): string[] {
  const { marks } = row;
  const last = marks.at(-1);
  const total = (key: "tool_calls" | "tool_errors") =>
    marks.length === 0 ? DASH : count(marks.reduce((sum, mark) => sum + mark[key], 0));
  return [
    row.name,
    row.enabled ? "enabled" : "disabled",
    visible(row.schedule) + (row.timezone === null ? "" : ` ${row.timezone}`),
    row.next_at === null ? DASH : clock(row.next_at),
    last === undefined ? "never" : clock(last.started_at),
    marks.map(({ outcome }) => TRIGGER_MARKS[outcome].glyph).join("") || DASH,
    total("tool_calls"),
    total("tool_errors"),
    row.finding_ids.length === 0 ? DASH : count(row.finding_ids.length),
    visible(row.description ?? ""),
  ];
}
