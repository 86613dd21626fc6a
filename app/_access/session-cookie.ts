/** The browser keeps a cookie of this name only from a secure answer of exactly this host. */
const SECURE = "__Host-mecha_session";
const PLAIN = "mecha_session";

/** The cookies that may hold a sign-in, the one that is harder to plant first. */
export const SESSION_COOKIES = [SECURE, PLAIN] as const;

type CookieJar = { get(name: string): { value: string } | undefined };

/** The sign-in that a request carries; null for none. */
export function sessionIn(cookies: CookieJar): string | null {
  for (const name of SESSION_COOKIES) {
    const value = cookies.get(name)?.value;
    if (value) return value;
  }
  return null;
}

/**
 * Name and marks of the cookie for a browser at `origin`. Whether it came over TLS is what the browser itself says: a
 * proxy before this server may say anything.
 */
export function sessionCookie(origin: string | null) {
  const secure = origin?.toLowerCase().startsWith("https://") ?? false;
  return {
    name: secure ? SECURE : PLAIN,
    marks: { httpOnly: true, sameSite: "strict", path: "/", secure } as const,
  };
}
