/** One attempted call of a tool. Exactly the flags that the counters and the checks of an evaluation read. */
export type TraceEntry = {
  name: string;
  /** As the model gave it; malformed arguments stand under `__malformed_arguments`. */
  input: unknown;
  /** The argument text as the model wrote it, where it is a JSON object and known: it tells `3` from `3.0`. */
  source?: string;
  is_error: boolean;
  /** Not made because the interlock, the permission mode, a hook or a person said no. Carries `is_error` too. */
  denied: boolean;
  /** No tool has that name. Carries `is_error` too. */
  unknown: boolean;
  /** Drafted into the outbox instead of executed. */
  staged: boolean;
};
