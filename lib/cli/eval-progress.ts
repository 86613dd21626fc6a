import type { JournalEntry } from "#lib/eval/journal.ts";
import type { EvalSetup } from "#lib/eval/setup.ts";
import { duration, visible } from "#lib/format.ts";
import type { CliIo } from "./io.ts";

const CLEAR_LINE = "\r\u001b[2K";

export type EvalProgress = {
  begin(
    setup: Pick<EvalSetup, "arms" | "runsPerCase">,
    total: number,
    finished: readonly JournalEntry[],
  ): void;
  started(): void;
  done(entry: JournalEntry): void;
  said(line: string): void;
  end(): void;
};

/**
 * How far a pass is, on standard error: one line that is drawn anew on a terminal, with the time that is left; elsewhere
 * one line for each finished run, so that a log tells what happened.
 */
export function evalProgress(io: CliIo): EvalProgress {
  let state = { total: 0, done: 0, failing: 0, perCase: false, arms: false };
  let timing = { start: 0, before: 0 };
  let drawn = false;
  // Finding out asks the system.
  const terminal = io.isTty.stderr;
  const clear = (): void => {
    if (drawn) io.err(CLEAR_LINE);
    drawn = false;
  };
  const draw = (): void => {
    if (!terminal) return;
    const { total, done, failing } = state;
    const left = timeLeft(performance.now() - timing.start, done - timing.before, total - done);
    io.err(`${CLEAR_LINE}${`${done}/${total} runs · ${failing} failing${left}`.slice(0, io.columns - 1)}`);
    drawn = true;
  };
  return {
    begin({ arms, runsPerCase }, total, finished) {
      const failing = finished.filter((one) => !one.result.passed).length;
      state = { total, done: finished.length, failing, perCase: runsPerCase > 1, arms: arms.length > 1 };
      timing = { start: performance.now(), before: finished.length };
      draw();
    },
    started: draw,
    done(entry) {
      state.done += 1;
      if (!entry.result.passed) state.failing += 1;
      if (terminal) draw();
      else io.err(doneLine(entry, state));
    },
    said(line) {
      clear();
      io.err(`mecha: ${line}\n`);
    },
    end: clear,
  };
}

/** By what the runs of this process took. */
function timeLeft(elapsedMs: number, done: number, open: number): string {
  return done === 0 ? "" : ` · about ${duration((elapsedMs / done) * open)} left`;
}

function doneLine(
  { arm, result }: JournalEntry,
  { done, total, perCase, arms }: { done: number; total: number; perCase: boolean; arms: boolean },
): string {
  const name = perCase ? `${result.id} (run ${result.run})` : result.id;
  const label = arms ? `arm ${arm.toUpperCase()}  ` : "";
  const word = result.passed ? "passed" : result.error === null ? "FAILED" : "ERROR";
  return `[${done}/${total}] ${word}  ${label}${visible(name)}${why(result)}\n`;
}

function why({ passed, error, checks }: JournalEntry["result"]): string {
  if (passed) return "";
  const failed = checks.filter((check) => !check.passed).map((check) => check.name);
  return `: ${visible(error ?? failed.join(", ")).slice(0, 200)}`;
}
