import { count, counted, DASH, visible } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { oneLine } from "./run-text.ts";

/** A row of the ledger that has just been written, on one line. */
export function firedLine(row: NewRow): string {
  const slot = row.slot_ms === null ? "by hand" : `slot ${isoUtc(row.slot_ms)}`;
  return oneLine(`${row.trigger}  ${slot}  ${wordsOf(row).join(" · ")}`);
}

function wordsOf(row: NewRow): string[] {
  const { status, stop_cause, tool_calls, tool_errors, error, summary } = row;
  if (status === "skipped-overlap" || status === "skipped-stale") return [status, visible(error ?? "")];
  const ran = row.turns > 0 || status === "ok";
  return [
    status === "ok" && stop_cause !== null && stop_cause !== "completed" ? `ok, ${stop_cause}` : status,
    ...(ran
      ? [counted(row.turns, "turn"), `${counted(tool_calls, "call")}, ${count(tool_errors)} failed`]
      : []),
    ...(row.staged > 0 ? [`${count(row.staged)} staged`] : []),
    ...(row.blocked_sends > 0 ? [`${counted(row.blocked_sends, "send")} blocked`] : []),
    ...(row.session_id === null ? [] : [row.session_id]),
    visible(error ?? summary) || DASH,
  ];
}
