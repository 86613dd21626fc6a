/** What is answered to whoever asks: the way in, one shared verdict each, and files that hold nothing of anybody's. */
const OPEN = /^\/(signin|icon\.svg|favicon\.ico|v\/[^/]+(\/document)?)\/?$/;
const STATIC = /^\/_next\/static\/[^?]+$/;

export function isOpenPath(pathname: string): boolean {
  return OPEN.test(pathname) || isStatic(pathname);
}

/** Files of the build: the same for everybody, so nobody counts who asks for them. */
export function isStatic(pathname: string): boolean {
  return STATIC.test(pathname);
}

export function isSignIn(pathname: string): boolean {
  return pathname === "/signin" || pathname === "/signin/";
}

/** Addresses whose answers are for programs: they are told 401, not led to a page. */
export function isForPrograms(pathname: string): boolean {
  return /^\/(api(\/|$)|metrics\/?$)/.test(pathname);
}

/** Does each `%` of a path stand for a byte, and do these bytes give characters? */
export function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** A base that no address can name, so that whatever leads away from it is seen. */
const NOWHERE = "http://nowhere.invalid";
const NEXT_MAX = 2000;

/**
 * Where a sign-in leads on to: a path of this dashboard with its search part. Anything that a browser would take for
 * another site, and whatever cannot be used, is `/`.
 */
export function nextPath(text: string | null | undefined): string {
  if (!text || text.length > NEXT_MAX || !/^\/(?![/\\])[^\\\p{Cc}\p{Cf}]*$/u.test(text)) return "/";
  const url = URL.canParse(text, NOWHERE) ? new URL(text, NOWHERE) : null;
  // `/.//elsewhere` is a path of ours that a browser shortens to the address of another site.
  if (url === null || url.origin !== NOWHERE || url.pathname.startsWith("//")) return "/";
  if (isSignIn(url.pathname)) return "/";
  return url.pathname + url.search;
}

/** The sign-in page that leads back to `pathname` with `search`. */
export function signInHref(pathname: string, search: string): string {
  const query = new URLSearchParams(search);
  // The router's own mark on what it fetches; it is no part of an address.
  query.delete("_rsc");
  const next = nextPath(query.size === 0 ? pathname : `${pathname}?${query}`);
  return next === "/" ? "/signin" : `/signin?${new URLSearchParams({ next })}`;
}
