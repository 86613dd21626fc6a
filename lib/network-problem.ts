import { hasCode } from "#lib/errors.ts";

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server is listening there",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "the host's address could not be looked up",
  ECONNRESET: "the connection broke off",
  EPIPE: "the connection broke off",
  ETIMEDOUT: "no connection: timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
};

/** Why no answer came, where the system says so with a code that people meet; null for every other error. */
export function networkProblem(error: unknown): string | null {
  return Object.entries(REASONS).find(([code]) => hasCode(error, code))?.[1] ?? null;
}

/** A certificate that is not trusted stays so: another try is of no use. */
export function isTrustProblem(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    /CERT|TLS|SSL|UNABLE_TO_VERIFY|SELF_SIGNED/.test(String(error.code))
  );
}
