import type { AskWatch, Model, ModelAnswer, ModelRequest } from "#lib/agent/model.ts";
import type { Failure } from "./failure.ts";
import type { Sleep } from "./sleep.ts";

export type RetryOptions = {
  /** Requests after the first; 0: none. */
  maxRetries: number;
  /** The longest wait that a server may ask for; asked for longer, the failure stands. */
  retryAfterCapMs: number;
  sleep: Sleep;
};

const FIRST_WAIT_MS = 2_500;
const WAIT_MS_MAX = 30_000;

/**
 * Asks again where a failure may pass: after 2.5 s, and each time twice as long up to 30 s, or as long as the server
 * asks for. An answer that broke off starts over, and a note stands between what had been told of it and its new start.
 * Only the answer that came in the end counts; what an attempt that failed had used is known to nobody.
 */
export function withRetries(model: Model, options: RetryOptions): Model {
  return { ...model, ask: (request, watch) => askAgain(model, options, request, watch) };
}

async function askAgain(
  model: Model,
  { maxRetries, retryAfterCapMs, sleep }: RetryOptions,
  request: ModelRequest,
  watch: AskWatch,
): Promise<ModelAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const begun = { words: false };
    const answer = await model.ask(request, {
      ...watch,
      onText: (delta) => {
        begun.words = true;
        watch.onText(delta);
      },
    });
    if (answer.kind !== "failure" || !answer.transient) return answer;
    if ((answer.retryAfterMs ?? 0) > retryAfterCapMs) return tooLong(answer, retryAfterCapMs);
    if (attempt > maxRetries) return attempt === 1 ? answer : givenUp(answer, attempt);
    const waitMs = answer.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), WAIT_MS_MAX);
    watch.onNote(
      `${answer.problem}; ${begun.words ? "the answer starts over" : "asking again"} in ${seconds(waitMs)} (retry ${attempt} of ${maxRetries})`,
    );
    await sleep(waitMs, watch.signal);
    if (watch.signal.aborted) return { kind: "aborted", content: [], usage: null };
  }
}

function tooLong(answer: Failure, capMs: number): Failure {
  const wanted = seconds(answer.retryAfterMs ?? 0);
  return {
    ...answer,
    problem: `${answer.problem} (the server asks for a wait of ${wanted}; retry_after_cap_secs allows ${seconds(capMs)})`,
  };
}

function givenUp(answer: Failure, attempts: number): Failure {
  return { ...answer, problem: `${answer.problem} (given up after ${attempts} attempts)` };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
