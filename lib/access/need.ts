import type { Parsed } from "#lib/errors.ts";

/** An address that only this machine reaches; a name that merely starts like one is none. */
export function isLoopback(bind: string): boolean {
  const host = bind.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  return host === "localhost" || host === "::1" || /^127(\.(25[0-5]|2[0-4]\d|1?\d?\d)){3}$/.test(host);
}

/**
 * Whether everybody has to sign in: where others can reach the address, and where `MECHA_REQUIRE_TOKEN=1` says so. That
 * variable can only add: no setting opens an address that others reach.
 */
export function signInNeeded(bind: string | undefined, required: string | undefined): Parsed<boolean> {
  const word = required?.trim() ?? "";
  if (word !== "" && word !== "0" && word !== "1") {
    return { ok: false, problem: `MECHA_REQUIRE_TOKEN: ${JSON.stringify(word)} is neither 1 nor 0` };
  }
  return { ok: true, value: word === "1" || !isLoopback(bind?.trim() || "127.0.0.1") };
}
