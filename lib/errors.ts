/** The closed set of failures a user can act on. Edges map a code to an exit code or a page; nobody else does. */
export type UserErrorCode =
  /** The command line or form was wrong: exit code 2. */
  | "usage"
  /** A store, file, config or report could not be used: exit code 1. */
  | "bad_input"
  /** What was asked for does not exist: exit code 1. */
  | "not_found";

/** A failure whose message is written for the person who reads it: one line, naming file, line and field. */
export class UserError extends Error {
  readonly code: UserErrorCode;
  constructor(code: UserErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "UserError";
    this.code = code;
  }
}

/** The result of a pure parser: a value, or one line that says what is wrong and where. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Is this the failure of a system call with that code, such as `ENOENT`? */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** A message for any thrown value; the last resort at an edge. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
