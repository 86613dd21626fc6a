import type { Parsed } from "#lib/errors.ts";

const LEASE_MS = 60_000;
const LEASE_LEAST_MS = 100;
export const LEASE_MOST_MS = 3_600_000;

/** How long a job stays with a worker that is not heard of: `MECHA_LEASE_MS`, a minute where it is not set. */
export function leaseMsFrom(env: Readonly<Record<string, string | undefined>>): Parsed<number> {
  const text = env.MECHA_LEASE_MS?.trim() ?? "";
  if (text === "") return { ok: true, value: LEASE_MS };
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= LEASE_LEAST_MS && value <= LEASE_MOST_MS) return { ok: true, value };
  return {
    ok: false,
    problem: `MECHA_LEASE_MS: ${JSON.stringify(text)} is not a number of milliseconds from ${LEASE_LEAST_MS} to ${LEASE_MOST_MS}`,
  };
}
