import type { RunResult } from "#lib/agent/parts.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { fireByHand } from "#lib/unattended/fire.io.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { showRun } from "./run-show.ts";
import { endLine, oneLine, terminalText } from "./run-text.ts";
import { settle } from "./store.ts";
import { firedLine } from "./trigger-fired.ts";
import { rowJson } from "./trigger-json.ts";
import { unattended } from "./trigger-launch.ts";
import { historyNamed } from "./trigger-show.ts";
import { openTriggers } from "./trigger-store.ts";

/** `mecha trigger run NAME`: the answer on standard output, what happened on standard error, a row in the ledger. */
export async function triggerRun(io: CliIo, name: string, flags: JsonFlag): Promise<number> {
  const { trigger } = historyNamed(name, await openTriggers(io, {}));
  const stream = io.isTty.stdout && !flags.json;
  const show = showRun(io, { stream, verbose: false });
  let result: RunResult | null = null;
  const { parts, release } = unattended(io, settle(io, {}, { zoneUnread: true }), () => ({
    onEvent: show.onEvent,
    onNotice: (line) => show.line(oneLine(`note: ${line}`)),
    onAnswer: (given) => {
      result = given;
    },
  }));
  try {
    const { rows, busy } = await fireByHand(trigger, parts);
    show.settle();
    const row = rows.at(-1);
    if (busy !== null || row === undefined) {
      io.err(`mecha: trigger ${name} is running already${busy?.since ? `, since ${busy.since}` : ""}\n`);
      return EXIT.problem;
    }
    for (const lost of rows.slice(0, -1)) show.line(firedLine(lost));
    if (flags.json) io.out(jsonText({ schema_version: 1, row: rowJson(row) }));
    tell(io, row, result, { answer: !stream && !flags.json, line: show.line });
    return row.status === "error" ? EXIT.problem : EXIT.fine;
  } finally {
    release();
  }
}

function tell(
  io: CliIo,
  row: NewRow,
  result: RunResult | null,
  how: { answer: boolean; line(text: string): void },
): void {
  if (how.answer && result !== null && result.text !== "") {
    const text = io.isTty.stdout ? terminalText(result.text) : result.text;
    io.out(text.endsWith("\n") ? text : `${text}\n`);
  }
  if (result === null || row.error !== null) how.line(firedLine(row));
  if (result !== null) how.line(oneLine(endLine(row.session_id, result)));
}
