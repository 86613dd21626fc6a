import type { LoopEvent } from "#lib/agent/parts.ts";
import type { CliIo } from "./io.ts";
import { callLine, indented, oneLine, resultLine, terminalText } from "./run-text.ts";
import { wholeCharacters } from "./whole-characters.ts";

/** Shows a run while it goes on: what the model says on standard output, what it does on standard error. */
export type Show = {
  onEvent(event: LoopEvent): void;
  /** One line of ours, on standard error. */
  line(text: string): void;
  /** Ends the line that the model has begun. */
  settle(): void;
};

/**
 * `stream`: everything the model says goes out as it comes. Else only its words between calls are told, on standard
 * error, and the answer is left to the caller: what a pipe gets is the answer and nothing around it. `verbose`: what
 * calls gave and what the model thought, too.
 */
export function showRun(
  io: CliIo,
  { stream, verbose = false }: { stream: boolean; verbose?: boolean },
): Show {
  const words = streamTo(io);
  const settle = (): void => words.endLine();
  const line = (text: string): void => {
    settle();
    io.err(`${text}\n`);
  };
  return {
    settle,
    line,
    onEvent(event) {
      switch (event.type) {
        case "text":
          if (stream) words.write(event.delta);
          return;
        case "message":
          if (!stream) for (const said of wordsBetween(event)) line(oneLine(`· ${said}`));
          if (verbose) for (const thought of thoughtsIn(event)) line(indented(thought));
          return;
        case "call_started":
          return line(callLine(event.call));
        case "call_finished":
          line(resultLine(event.entry, event.content));
          if (verbose && event.content.trim() !== "") line(indented(event.content));
          return;
        case "compacted":
          return line(
            `· the conversation was shortened: ${event.messagesBefore} messages are ${event.messagesAfter} now`,
          );
        case "answerer":
          return line(
            oneLine(`· ${event.answerer.provider} answers from here on, with ${event.answerer.model}`),
          );
        case "note":
          return line(oneLine(`· ${event.text}`));
        case "rewrite":
          return;
        default:
          event satisfies never;
      }
    },
  };
}

/** What a model says before it calls a tool is no answer. */
function wordsBetween({ message }: Extract<LoopEvent, { type: "message" }>): string[] {
  const calls = message.role === "assistant" && message.content.some((block) => block.type === "tool_use");
  if (!calls) return [];
  return message.content.flatMap((block) =>
    block.type === "text" && block.text.trim() !== "" ? [block.text.trim()] : [],
  );
}

function thoughtsIn({ message }: Extract<LoopEvent, { type: "message" }>): string[] {
  return message.content.flatMap((block) =>
    block.type === "thinking" && block.text !== "" ? [block.text] : [],
  );
}

/** Text in pieces to standard output: exact for a pipe, made visible for a terminal. */
function streamTo(io: CliIo): { write(delta: string): void; endLine(): void } {
  const whole = wholeCharacters();
  let open = false;
  const put = (text: string): void => {
    if (text === "") return;
    io.out(io.isTty.stdout ? terminalText(text) : text);
    open = !text.endsWith("\n");
  };
  return {
    write: (delta) => put(whole.take(delta)),
    endLine() {
      put(whole.rest());
      if (open) io.out("\n");
      open = false;
    },
  };
}
