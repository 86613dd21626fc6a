import "server-only";
import { headers } from "next/headers";
import { isSignInNeeded } from "./need.ts";

/** Set by the door for what lies behind it, and taken from whatever comes in. */
export const WHO_HEADER = "x-mecha-who";
/** The address of whoever asks, as the socket has it. */
export const REMOTE_HEADER = "x-mecha-remote";

/**
 * Who changes something, for the audit: the name of the access token; null where nobody has to sign in. Every action
 * that changes something calls it first: it throws for a request that came past the door.
 */
export async function currentWho(): Promise<string | null> {
  const who = await signedInName();
  if (who === null && isSignInNeeded()) throw new Error("a request came past the door without a sign-in");
  return who;
}

/** The name of the token that a page is shown to; null for a stranger, and where nobody has to sign in. */
export async function signedInName(): Promise<string | null> {
  return (await headers()).get(WHO_HEADER);
}

/** The address to count attempts by. Where the server was started in another way than ours, all are one. */
export function remoteOf(sent: { get(name: string): string | null }): string {
  return sent.get(REMOTE_HEADER) ?? "unknown";
}
