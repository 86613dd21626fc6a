import { type Failure, failure } from "./failure.ts";

/**
 * Bytes of one answer, with its calls and as a transcript holds them; a stream that goes on beyond it is given up.
 * Readers of a transcript take no line of more than 64 MiB.
 */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/** Bytes that a text takes in a transcript, where one of a control character is six. */
export function writtenBytes(text: string): number {
  return text === "" ? 0 : Buffer.byteLength(JSON.stringify(text)) - 2;
}

/** Bytes of the arguments of one call. */
export const ARGUMENT_BYTES_MAX = 10 * 1024 * 1024;

/** Calls in one answer. */
export const CALLS_MAX = 1000;

export function endlessAnswer(): Failure {
  return failure("the answer does not end: given up after 32 MB");
}

export function hugeArguments(): Failure {
  return failure("the arguments of one call are larger than 10 MB");
}

export function tooManyCalls(): Failure {
  return failure(`the answer holds more than ${CALLS_MAX} calls`);
}
