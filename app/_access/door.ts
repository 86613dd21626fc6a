import "server-only";
import type { NextRequest } from "next/server";
import { fromDatabase } from "#app/database.ts";
import { countAgainst, countAttempt } from "#lib/access/limits.io.ts";
import { signedIn } from "#lib/access/sign-ins.io.ts";
import { bearerIn } from "#lib/access/token.ts";
import { tokenByBearer } from "#lib/access/tokens.io.ts";
import { UserError } from "#lib/errors.ts";
import { type AccessPolicy, hostRefusal, isChange, type RequestFacts, refusal } from "./guard.ts";
import { isSignInNeeded } from "./need.ts";
import { isForPrograms, isOpenPath, isStatic, signInHref } from "./paths.ts";
import { sessionIn } from "./session-cookie.ts";
import { remoteOf } from "./who.ts";
import { sayWrongToken } from "./wrong-token.ts";

export type Admission =
  | { kind: "enter"; who: string | null }
  | { kind: "sign_in"; href: string }
  /** Asked for by a link elsewhere, without the cookie that may be there: to be asked for once more from here. */
  | { kind: "again"; href: string }
  | { kind: "refused"; status: 401 | 403 | 429 | 503; why: string; retryAfterS: number | null };

/** Who asks. `bearer`: known by a token in the request itself. */
type Identity = { who: string | null; bearer: boolean };

/** Whether a request may come in, and as whom. `now` in ms. */
export function admit(request: NextRequest, policy: AccessPolicy, now: number): Admission {
  const facts = factsOf(request);
  const strange = hostRefusal(facts.host, policy);
  if (strange !== null) return refused(403, strange);
  const identity = identify(request, now);
  if ("kind" in identity) return identity;
  const why = refusal({ ...facts, bearer: identity.bearer }, policy);
  if (why !== null) return refused(403, why);
  const { pathname } = request.nextUrl;
  if (identity.who === null && isSignInNeeded()) return admitStranger(request, now);
  const limit = isChange(facts.method) ? "change" : isForPrograms(pathname) ? "read" : null;
  // Where nobody signs in, there are no strangers to hold back.
  const waitMs = limit === null || identity.who === null ? 0 : countAgainst(limit, identity.who, now);
  return waitMs > 0 ? tooMany(waitMs) : { kind: "enter", who: identity.who };
}

function factsOf(request: NextRequest): RequestFacts {
  return {
    method: request.method,
    host: request.headers.get("host"),
    origin: request.headers.get("origin"),
    site: request.headers.get("sec-fetch-site"),
    mode: request.headers.get("sec-fetch-mode"),
    dest: request.headers.get("sec-fetch-dest"),
  };
}

/** A wrong token is refused also where none is asked for: whoever sends one believes to be somebody. */
function identify(request: NextRequest, now: number): Identity | Admission {
  const bearer = bearerIn(request.headers.get("authorization") ?? "");
  const cookie = sessionIn(request.cookies);
  if (bearer === null && cookie === null) return { who: null, bearer: false };
  try {
    if (bearer === null) {
      return { who: fromDatabase((db) => signedIn(db, cookie ?? "", now))?.name ?? null, bearer: false };
    }
    return byToken(request, bearer, now);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    // Without a database nobody is known. Where nobody has to be, the page itself says what is wrong with it.
    if (bearer === null && !isSignInNeeded()) return { who: null, bearer: false };
    console.error(`mecha: nobody can sign in: ${error.message}`);
    return refused(
      503,
      "Sign-in does not work here at the moment; the reason stands where mecha was started.",
    );
  }
}

/** A right token is never held up by what others try: 256 random bits are not guessed in any number of attempts. */
function byToken(request: NextRequest, bearer: string, now: number): Identity | Admission {
  const holder = fromDatabase((db) => tokenByBearer(db, bearer, now));
  if (holder !== null) return { who: holder.name, bearer: true };
  const address = remoteOf(request.headers);
  const waitMs = countAttempt(address, now);
  if (waitMs > 0) return tooMany(waitMs);
  sayWrongToken(address, now);
  return refused(401, "This token does not open this dashboard.");
}

function admitStranger(request: NextRequest, now: number): Admission {
  const { pathname, search } = request.nextUrl;
  if (isStatic(pathname)) return { kind: "enter", who: null };
  if (isOpenPath(pathname)) {
    const waitMs = countAgainst("stranger", remoteOf(request.headers), now);
    return waitMs > 0 ? tooMany(waitMs) : { kind: "enter", who: null };
  }
  if (isPerson(request)) {
    // A browser keeps a strict cookie back when a link of another site leads here.
    const site = request.headers.get("sec-fetch-site");
    if (site === "cross-site" || site === "same-site") return { kind: "again", href: pathname + search };
    return { kind: "sign_in", href: signInHref(pathname, search) };
  }
  return refused(401, "Sign in first, or send a token: Authorization: Bearer TOKEN");
}

/** Whether a browser wants to show a page. The router, which fetches parts of pages, asks again like this when it is told 401. */
function isPerson({ method, headers, nextUrl }: NextRequest): boolean {
  if ((method !== "GET" && method !== "HEAD") || isForPrograms(nextUrl.pathname)) return false;
  return (headers.get("accept") ?? "").includes("text/html");
}

function refused(status: 401 | 403 | 429 | 503, why: string): Admission {
  return { kind: "refused", status, why, retryAfterS: null };
}

function tooMany(waitMs: number): Admission {
  const retryAfterS = Math.ceil(waitMs / 1000);
  return { kind: "refused", status: 429, why: "Too many requests; try again later.", retryAfterS };
}
