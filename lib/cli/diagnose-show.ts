import type { LoopEvent } from "#lib/agent/parts.ts";
import type { Gathered } from "#lib/diagnose/gather.io.ts";
import { modelName } from "#lib/format.ts";
import type { CliIo } from "./io.ts";
import { callLine, madeUp, oneLine, resultLine, terminalText } from "./run-text.ts";
import { wholeCharacters } from "./whole-characters.ts";

type Asked = { provider: string; model: string; scripted: boolean };

export type DiagnosisShow = {
  before(gathered: Gathered, asked: Asked): void;
  onNotice(text: string): void;
  onEvent(event: LoopEvent): void;
  settle(): void;
};

/**
 * A diagnosis while it goes on: the brief and the reply on standard output (none of it for JSON), what the model does on
 * standard error. Each line of the reply has a mark in front: it may look like a proposal or a command of ours, and the
 * one that was checked comes after it.
 */
export function showDiagnosis(io: CliIo, quiet: boolean): DiagnosisShow {
  const reply = quoted(io);
  const line = (text: string): void => {
    reply.endLine();
    io.err(`${oneLine(text)}\n`);
  };
  return {
    before({ brief, subject }, asked) {
      if (!quiet) io.out(`${brief}\n\n`);
      line(`looking at the runs of ${modelName(subject)}; asking ${asked.provider} (${asked.model})`);
      if (asked.scripted) line(`note: ${madeUp(asked.provider)}`);
    },
    onNotice(text) {
      line(`note: ${text}`);
    },
    onEvent(event) {
      if (event.type === "text" && !quiet) reply.write(event.delta);
      else if (event.type === "call_started") line(callLine(event.call));
      else if (event.type === "call_finished") line(resultLine(event.entry, event.content));
      else if (event.type === "note") line(`· ${event.text}`);
    },
    settle() {
      if (reply.endLine()) io.out("\n");
    },
  };
}

/** Text in pieces, every line behind `> `. `endLine` ends an unfinished one, and says whether anything was written. */
function quoted(io: CliIo): { write(delta: string): void; endLine(): boolean } {
  let open = false;
  let any = false;
  const whole = wholeCharacters();
  const put = (text: string): void => {
    for (const piece of text.split(/(?<=\n)/)) {
      if (piece === "") continue;
      io.out(`${open ? "" : "> "}${terminalText(piece)}`);
      open = !piece.endsWith("\n");
      any = true;
    }
  };
  return {
    write: (delta) => put(whole.take(delta)),
    endLine() {
      put(whole.rest());
      if (open) io.out("\n");
      open = false;
      return any;
    },
  };
}
