import { type Failure, failure } from "./failure.ts";

/**
 * Bytes of one answer, with its calls and as a transcript holds them; a stream that goes on beyond it is given up.
 * Readers of a transcript take no line of more than 64 MiB.
 */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of the arguments of one call. */
const ARGUMENT_BYTES_MAX = 10 * 1024 * 1024;
const CALLS_MAX = 1000;
/** Also of those that add nothing: a stream of such has no end either. */
const EVENTS_MAX = 1_000_000;

/** How large an answer has become. Each method counts what came, and gives the failure where that is too much. */
export class AnswerSize {
  #events = 0;
  #calls = 0;
  #bytes = 0;

  addEvent(): Failure | null {
    this.#events += 1;
    if (this.#events <= EVENTS_MAX) return null;
    return failure(`the answer does not end: given up after ${EVENTS_MAX} events`);
  }

  addCall(): Failure | null {
    this.#calls += 1;
    return this.#calls <= CALLS_MAX ? null : failure(`the answer holds more than ${CALLS_MAX} calls`);
  }

  add(...texts: string[]): Failure | null {
    for (const text of texts) this.#bytes += writtenBytes(text);
    return this.#bytes <= ANSWER_BYTES_MAX ? null : endlessAnswer();
  }

  /** A piece of a call's arguments, which have a limit of their own. */
  addArguments(call: { bytes: number }, text: string): Failure | null {
    call.bytes += Buffer.byteLength(text);
    if (call.bytes <= ARGUMENT_BYTES_MAX) return this.add(text);
    return failure("the arguments of one call are larger than 10 MB");
  }
}

/** Bytes that a text takes in a transcript, where one of a control character is six. */
function writtenBytes(text: string): number {
  return text === "" ? 0 : Buffer.byteLength(JSON.stringify(text)) - 2;
}

export function endlessAnswer(): Failure {
  return failure("the answer does not end: given up after 32 MB");
}
