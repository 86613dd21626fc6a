import { signInNeeded } from "#lib/access/need.ts";

/** Whether this server asks everybody to sign in. A setting that is not understood asks for more, not for less. */
export function isSignInNeeded(): boolean {
  const needed = signInNeeded(process.env.MECHA_BIND, process.env.MECHA_REQUIRE_TOKEN);
  return !needed.ok || needed.value;
}
