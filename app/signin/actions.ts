"use server";

import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { nextPath } from "#app/_access/paths.ts";
import { SESSION_COOKIES, sessionCookie, sessionIn } from "#app/_access/session-cookie.ts";
import { remoteOf } from "#app/_access/who.ts";
import { sayWrongToken } from "#app/_access/wrong-token.ts";
import { attempt } from "#app/attempt.ts";
import { fromDatabase } from "#app/database.ts";
import { countAttempt } from "#lib/access/limits.io.ts";
import { SIGN_IN_MAX_MS, signIn, signOut } from "#lib/access/sign-ins.io.ts";

/** Signs a browser in with the token of the field `token`, and leads it on to that of `next`. */
export async function signInAction(
  _before: { problem: string } | null,
  form: FormData,
): Promise<{ problem: string }> {
  const sent = await headers();
  const address = remoteOf(sent);
  const waitMs = countAttempt(address, Date.now());
  if (waitMs > 0) {
    return { problem: `Too many attempts. Try again in ${Math.ceil(waitMs / 1000)} seconds.` };
  }
  const token = textOf(form, "token").trim();
  const opened = await attempt(async () => fromDatabase((db) => signIn(db, token, Date.now())));
  if (!opened.ok) {
    console.error(`mecha: nobody can sign in: ${opened.problem}`);
    return { problem: "Sign-in does not work at the moment. The reason stands where mecha was started." };
  }
  if (opened.value === null) {
    sayWrongToken(address, Date.now());
    return { problem: "This token does not open this dashboard." };
  }
  const { name, marks } = sessionCookie(sent.get("origin"));
  (await cookies()).set(name, opened.value.cookie, { ...marks, maxAge: SIGN_IN_MAX_MS / 1000 });
  redirect(nextPath(textOf(form, "next")));
}

/** Ends the sign-in of this browser; one that is not signed in stays so. */
export async function signOutAction(): Promise<void> {
  const jar = await cookies();
  const cookie = sessionIn(jar);
  if (cookie !== null) fromDatabase((db) => signOut(db, cookie));
  for (const name of SESSION_COOKIES) {
    // A cookie goes only by the marks it came with.
    jar.set(name, "", {
      httpOnly: true,
      sameSite: "strict",
      path: "/",
      secure: name.startsWith("__"),
      maxAge: 0,
    });
  }
  redirect("/signin");
}

function textOf(form: FormData, key: string): string {
  const value = form instanceof FormData ? form.get(key) : null;
  return typeof value === "string" ? value : "";
}
