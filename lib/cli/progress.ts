import type { CliIo } from "./io.ts";

const QUIET_MS = 1000;
const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001b[2K";

/** A line on standard error that says how far a long scan is. */
export type Progress = { show(text: string): void; end(): void };

/**
 * Shows nothing for the first second, and nothing at all unless standard error is a terminal: in a log, a line
 * per tenth of a second would bury the answer.
 */
export function startProgress(io: Pick<CliIo, "err" | "isTty" | "columns">, clock: () => number): Progress {
  let due = clock() + QUIET_MS;
  let drawn = false;
  return {
    show(text) {
      const now = clock();
      if (now < due || !io.isTty.stderr) return;
      due = now + REDRAW_MS;
      drawn = true;
      io.err(`${CLEAR_LINE}${text.slice(0, Math.max(1, io.columns - 1))}`);
    },
    end() {
      if (drawn) io.err(CLEAR_LINE);
      drawn = false;
    },
  };
}
