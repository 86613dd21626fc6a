import { STOP_CAUSES, type StopCause } from "#lib/transcript/record.ts";
import type { RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import type { FileRead } from "./scan-read.ts";

/** Rows as columns of numbers: crossing a thread this way costs a hundredth of cloning ten thousand objects. */
type PackedRows = { numbers: Float64Array<ArrayBuffer>; strings: string[]; configs: RunConfig[] };

/** What a thread read, ready to be posted. */
export type PackedReads = { reads: FileRead[]; counts: number[]; rows: PackedRows };

const NULL = -1;
const WIDTH = 25;

/** Packs the rows of reads. Where reading can go on is left out: it stays with the thread that read. */
export function packReads(reads: readonly FileRead[]): PackedReads {
  const all = reads.flatMap((read) => read.fold?.runs ?? []);
  return {
    reads: reads.map((read) => ({ ...read, resume: null, fold: read.fold && { ...read.fold, runs: [] } })),
    counts: reads.map((read) => read.fold?.runs.length ?? 0),
    rows: packRows(all),
  };
}

export function unpackReads({ reads, counts, rows }: PackedReads): FileRead[] {
  let at = 0;
  return reads.map((read, index) => {
    if (read.fold === null) return read;
    const from = at;
    at += counts[index] ?? 0;
    const runs: RunRow[] = [];
    for (let row = from; row < at; row++) runs.push(unpackRow(rows, row));
    return { ...read, fold: { ...read.fold, runs } };
  });
}

function packRows(rows: readonly RunRow[]): PackedRows {
  const numbers = new Float64Array(rows.length * WIDTH);
  const strings = table<string>();
  const configs = table<RunConfig>();
  let at = 0;
  for (const row of rows) {
    const { usage, taint } = row;
    const line = [
      strings.index(row.source),
      strings.index(row.provenance),
      strings.index(row.session_id),
      row.run,
      strings.index(row.started_at),
      strings.index(row.provider),
      strings.index(row.model),
      flags(row),
      row.turns,
      usage.input_tokens,
      usage.output_tokens,
      usage.cache_creation_input_tokens,
      usage.cache_read_input_tokens,
      row.cost_usd ?? Number.NaN,
      row.stop_cause === null ? NULL : STOP_CAUSES.indexOf(row.stop_cause),
      row.tool_calls,
      row.tool_errors,
      row.tool_denied,
      row.tool_cancelled ?? NULL,
      row.tool_staged ?? NULL,
      row.malformed_tool_args ?? NULL,
      row.blocked_sends ?? NULL,
      row.compactions,
      taint === null ? NULL : Number(taint.private) + 2 * Number(taint.untrusted),
      row.config === null ? NULL : configs.index(row.config),
    ];
    numbers.set(line, at);
    at += WIDTH;
  }
  return { numbers, strings: strings.values, configs: configs.values };
}

function flags(row: RunRow): number {
  return (
    Number(row.subagent) +
    2 * Number(row.usage_complete) +
    4 * Number(row.exhausted) +
    8 * Number(row.ended_on_failed_call)
  );
}

function unpackRow({ numbers, strings, configs }: PackedRows, row: number): RunRow {
  const at = row * WIDTH;
  const number = (column: number) => numbers[at + column] ?? 0;
  const orNull = (column: number) => (number(column) === NULL ? null : number(column));
  const text = (column: number) => strings[number(column)] ?? "";
  const cost = number(13);
  const taint = number(23);
  const flag = number(7);
  return {
    source: text(0) as RunRow["source"],
    provenance: text(1) as RunRow["provenance"],
    session_id: text(2),
    run: number(3),
    started_at: text(4),
    provider: text(5),
    model: text(6),
    subagent: (flag & 1) !== 0,
    turns: number(8),
    usage: {
      input_tokens: number(9),
      output_tokens: number(10),
      cache_creation_input_tokens: number(11),
      cache_read_input_tokens: number(12),
    },
    usage_complete: (flag & 2) !== 0,
    cost_usd: Number.isNaN(cost) ? null : cost,
    stop_cause: (STOP_CAUSES[number(14)] ?? null) as StopCause | null,
    exhausted: (flag & 4) !== 0,
    ended_on_failed_call: (flag & 8) !== 0,
    tool_calls: number(15),
    tool_errors: number(16),
    tool_denied: number(17),
    tool_cancelled: orNull(18),
    tool_staged: orNull(19),
    malformed_tool_args: orNull(20),
    blocked_sends: orNull(21),
    compactions: number(22),
    taint: taint === NULL ? null : { private: (taint & 1) !== 0, untrusted: (taint & 2) !== 0 },
    config: configs[number(24)] ?? null,
  };
}

function table<T>(): { values: T[]; index(value: T): number } {
  const values: T[] = [];
  const known = new Map<T, number>();
  return {
    values,
    index(value) {
      const seen = known.get(value);
      if (seen !== undefined) return seen;
      known.set(value, values.length);
      return values.push(value) - 1;
    },
  };
}
