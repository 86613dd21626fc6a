import type { RunRow, SourceKind } from "#lib/transcript/run-row.ts";

/** The sessions counted into a tally so far: ids are unique within a kind of transcript. */
export class Sessions {
  readonly #ids: Partial<Record<SourceKind, Set<string>>> = {};
  #last: RunRow | null = null;

  /** True when the session of this row was not there yet. */
  add(row: RunRow): boolean {
    // Rows of one session stand together, and comparing is cheaper than hashing.
    const last = this.#last;
    if (last !== null && last.session_id === row.session_id && last.source === row.source) return false;
    this.#last = row;
    const ids = this.#ids[row.source] ?? new Set();
    this.#ids[row.source] = ids;
    const before = ids.size;
    return ids.add(row.session_id).size > before;
  }
}

/** The number of sessions that hold these rows. */
export function countSessions(rows: Iterable<RunRow>): number {
  const sessions = new Sessions();
  let n = 0;
  for (const row of rows) if (sessions.add(row)) n += 1;
  return n;
}
