import type { Job } from "#lib/eval/items.ts";
import type { JournalEntry } from "#lib/eval/journal.ts";
import type { EvalSetup } from "#lib/eval/setup.ts";
import { duration, visible } from "#lib/format.ts";
import type { CliIo } from "./io.ts";

const CLEAR_LINE = "\r\u001b[2K";

export type EvalProgress = {
  started(job: Job): void;
  done(entry: JournalEntry): void;
  said(line: string): void;
  end(): void;
};

/**
 * How far a pass is, on standard error: one line that is drawn anew on a terminal, with the time that is left; elsewhere
 * one line for each finished run, so that a log tells what happened.
 */
export function evalProgress(
  io: CliIo,
  { arms, runsPerCase }: EvalSetup,
  total: number,
  finished: readonly JournalEntry[],
): EvalProgress {
  const start = performance.now();
  const before = finished.length;
  let done = before;
  let failing = finished.filter((one) => !one.result.passed).length;
  let drawn = false;
  const clear = (): void => {
    if (drawn) io.err(CLEAR_LINE);
    drawn = false;
  };
  const draw = (): void => {
    if (!io.isTty.stderr) return;
    const perRun = (performance.now() - start) / Math.max(1, done - before);
    const left = done > before ? ` · about ${duration(perRun * (total - done))} left` : "";
    io.err(`${CLEAR_LINE}${`${done}/${total} runs · ${failing} failing${left}`.slice(0, io.columns - 1)}`);
    drawn = true;
  };
  return {
    started: draw,
    done({ arm, result }) {
      done += 1;
      if (!result.passed) failing += 1;
      if (io.isTty.stderr) return draw();
      const name = runsPerCase > 1 ? `${result.id} (run ${result.run})` : result.id;
      const label = arms.length > 1 ? `arm ${arm.toUpperCase()}  ` : "";
      const word = result.passed ? "passed" : result.error === null ? "FAILED" : "ERROR";
      io.err(`[${done}/${total}] ${word}  ${label}${visible(name)}${why(result)}\n`);
    },
    said(line) {
      clear();
      io.err(`mecha: ${line}\n`);
    },
    end: clear,
  };
}

function why({ passed, error, checks }: JournalEntry["result"]): string {
  if (passed) return "";
  const failed = checks.filter((check) => !check.passed).map((check) => check.name);
  return `: ${visible(error ?? failed.join(", ")).slice(0, 200)}`;
}
