/** Bytes of one answer's text and thinking; a stream that goes on beyond it is given up. */
export const ANSWER_BYTES_MAX = 32 * 1024 * 1024;

/** Bytes of the arguments of one call. */
export const ARGUMENT_BYTES_MAX = 10 * 1024 * 1024;

/** Calls in one answer. */
export const CALLS_MAX = 1000;
