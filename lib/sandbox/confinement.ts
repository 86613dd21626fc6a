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
  /** More files and folders that it may read, absolute. Absent: only the system's programs and the toolchains found. */
  readOnlyPlaces?: readonly string[];
};

/** When a command is ended. */
export type CommandLimits = {
  timeoutMs: number;
  /** Bytes kept of each of the two streams; what comes after is counted, not kept. */
  outputBytesMax: number;
  /** Largest file the command may write. */
  fileBytesMax: number;
  /** Processes and threads at one time. */
  processesMax: number;
  /** Disk the command may use up in its workspace, in all. */
  growthBytesMax: number;
};

/** For a command of a model's or of a case's; callers set the time and what they keep of the output. */
export const USUAL_LIMITS = {
  fileBytesMax: 1_000_000_000,
  processesMax: 1024,
  growthBytesMax: 2_000_000_000,
} as const;

/** How a command ended. One shape for every end. */
export type CommandResult = {
  /** Null: ended by a signal, or never started. */
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  /** One line that names the limit on disk, memory, processes or output at which it was ended; null: none was reached. */
  overLimit: string | null;
  /** Why the command could not be started at all; null when it was. */
  problem: string | null;
  /** Both streams: whole, or the first and the last half of the bytes kept with a line between that says what is missing. */
  stdout: string;
  stderr: string;
  /** Bytes of output that were not kept. */
  bytesDropped: number;
  ms: number;
};

/** Whether commands can be confined here, and if not, one line that says why and what would help. */
export type Isolation = { available: true } | { available: false; problem: string };
