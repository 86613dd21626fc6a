/** How a command is locked in. */
export type Confinement = {
  /** Absolute path of the only folder of the person's that the command sees. */
  workspace: string;
  /** May the command write there? */
  writable: boolean;
  /** Working folder, inside the workspace; absolute. */
  cwd: string;
  network: boolean;
  /** Added to the few variables that a confined command has. */
  env: Readonly<Record<string, string>>;
};

/** When a command is ended. */
export type CommandLimits = {
  timeoutMs: number;
  /** Bytes kept of each of the two streams; what comes after is counted, not kept. */
  outputBytesMax: number;
  /** Largest file the command may write. */
  fileBytesMax: number;
  processesMax: number;
};

/** How a command ended. One shape for every end. */
export type CommandResult = {
  /** Null: ended by a signal, or never started. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  /** Why the command could not be started at all; null when it was. */
  problem: string | null;
  stdout: string;
  stderr: string;
  /** Bytes of output that were not kept. */
  bytesDropped: number;
  ms: number;
};

/** Whether commands can be confined here, and if not, one line that says why and what would help. */
export type Isolation = { available: true } | { available: false; problem: string };
