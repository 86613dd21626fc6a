/** All that a command may touch outside its arguments, so that a test can run it in process. */
export type CliIo = {
  /** Standard output. A no-op once the reader has gone; `signal` then aborts. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  /** The home directory as the operating system knows it. */
  osHome: string;
  /** IANA zone of the machine. */
  systemZone: string;
  now_ms: number;
  isTty: { readonly stdin: boolean; readonly stdout: boolean; readonly stderr: boolean };
  /** Width of the terminal; of no meaning where standard output is none. */
  readonly columns: number;
  /** Aborts when nobody wants the answer any more. */
  signal: AbortSignal;
  /**
   * One line from the person, without its end; null at the end of input, or once `signal` aborts. `pasted`: where it is
   * typed on a terminal, the lines that come at once are one answer. The question goes to standard output. `show`: shows
   * it instead, after what was typed on a terminal before was dropped, for a yes from before the question is none to it.
   */
  ask(
    question: string,
    how?: { signal?: AbortSignal; pasted?: boolean; show?: () => void },
  ): Promise<string | null>;
  /** All of standard input; null when it has more than `bytesMax` bytes. */
  readInput(bytesMax: number): Promise<Buffer | null>;
  /**
   * Hands the next Ctrl-C, termination or hang-up to `handler` instead of ending the process; the one after it ends the
   * process. The returned function takes this back.
   */
  onInterrupt(handler: () => void): () => void;
  /** Runs another program in the foreground, without a shell; resolves to its exit code. */
  run(argv: readonly string[]): Promise<number>;
};

/** Exit codes of every command. */
export const EXIT = {
  fine: 0,
  /** A finding stands, or a store, file or session could not be used or found. */
  problem: 1,
  usage: 2,
  bug: 70,
} as const;
