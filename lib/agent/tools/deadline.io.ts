/**
 * Runs `use` with a signal that also goes off after `ms`, with a reason named `TimeoutError`. A timer of our own:
 * on Node 20 the signal of `AbortSignal.timeout` can be collected before it goes off when only `AbortSignal.any` holds it.
 */
export async function withDeadline<T>(
  signal: AbortSignal,
  ms: number,
  use: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new DOMException("too late", "TimeoutError")), ms);
  const stop = () => controller.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await use(controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}
