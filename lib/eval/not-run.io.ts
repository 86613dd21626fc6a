import { USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";
import type { Case } from "./case.ts";
import { interpretersIn } from "./interpreters.ts";
import type { EvalSetup } from "./setup.ts";
import { runForCase } from "./verify.io.ts";

export type NotScored = { id: string; reason: string };

const LIMITS = {
  ...USUAL_LIMITS,
  timeoutMs: 20_000,
  outputBytesMax: 4096,
  fileBytesMax: 1 << 20,
  processesMax: 64,
};

/**
 * The cases that cannot be run on this machine, and why: no way to confine what a model wrote, or a missing interpreter
 * of their `verify`. Asked before anything is spent; they count as not scored, never as failed.
 */
export async function notRunnable(
  cases: readonly Case[],
  { unconfined, fixture, env }: Pick<EvalSetup, "unconfined" | "fixture" | "env">,
): Promise<NotScored[]> {
  const sandboxed = cases.filter((one) => one.sandbox);
  if (sandboxed.length === 0) return [];
  const isolation = unconfined ? ({ available: true } as const) : await probe();
  if (!isolation.available)
    return sandboxed.map(({ id }) => ({
      id,
      reason: `it cannot be confined here: ${isolation.problem}; --unconfined runs it all the same`,
    }));
  const missing = new Map<string, boolean>();
  const isMissing = async (name: string): Promise<boolean> => {
    const known = missing.get(name) ?? !(await isThere(name, { unconfined, fixture, env }));
    missing.set(name, known);
    return known;
  };
  const left: NotScored[] = [];
  for (const { id, expect } of sandboxed) {
    for (const name of interpretersIn(expect.verify ?? "")) {
      if (!(await isMissing(name))) continue;
      left.push({ id, reason: `${name} is not installed` });
      break;
    }
  }
  return left;
}

/** Asked where the command will run: a toolchain of the person's may not be there. */
async function isThere(
  name: string,
  { unconfined, fixture, env }: Pick<EvalSetup, "unconfined" | "fixture" | "env">,
): Promise<boolean> {
  const place = { workspace: fixture, writable: false, unconfined, env };
  const result = await runForCase(`command -v ${name}`, place, LIMITS, new AbortController().signal);
  return result.exitCode === 0;
}
