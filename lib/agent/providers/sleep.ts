/** Waits; ends early, without an error, when the signal is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;
