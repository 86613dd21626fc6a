/** What `untilAborted` gives when the abort came first. */
export const ABORTED: unique symbol = Symbol("aborted");

/** The value of `work`, or ABORTED as soon as the signal fires: nobody waits for work that does not listen to it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | typeof ABORTED> {
  let abort: () => void = () => undefined;
  const aborted = new Promise<typeof ABORTED>((resolve) => {
    abort = () => resolve(ABORTED);
    signal.addEventListener("abort", abort);
    if (signal.aborted) abort();
  });
  try {
    // Work that is done already wins: what was done is kept.
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
