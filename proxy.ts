import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { type Admission, admit } from "#app/_access/door.ts";
import { isDecodable, isSignIn, nextPath } from "#app/_access/paths.ts";
import { contentPolicy, SECURITY_HEADERS } from "#app/_access/policy.ts";
import { WHO_HEADER } from "#app/_access/who.ts";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";

// Every path, prefetches and static files included: an exception in this matcher is a hole in the guard.
export const config = { matcher: "/:path*" };

/** Refuses strangers, says who comes in, and gives each answer its content policy. */
export function proxy(request: NextRequest): NextResponse {
  const policy = { port: process.env.PORT?.trim() || "3000", allowed: allowedHosts() };
  const admission = admit(request, policy, Date.now());
  const nonce = randomBytes(18).toString("base64");
  const content = contentPolicy(nonce, process.env.NODE_ENV === "development");
  const response = answer(request, admission, { nonce, content });
  response.headers.set("Content-Security-Policy", content);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  // Without a referrer, a browser that runs no script would not name its origin with the form, and be refused.
  if (isSignIn(request.nextUrl.pathname)) response.headers.set("Referrer-Policy", "same-origin");
  return response;
}

type Marks = { nonce: string; content: string };

function answer(request: NextRequest, admission: Admission, marks: Marks): NextResponse {
  switch (admission.kind) {
    case "enter":
      return forward(request, admission.who, marks);
    case "sign_in": {
      const response = NextResponse.redirect(new URL(admission.href, request.nextUrl), 303);
      response.headers.set("Cache-Control", "no-store");
      return response;
    }
    case "again":
      return askAgain(admission.href);
    case "refused":
      return refuse(admission);
    default:
      return admission satisfies never;
  }
}

/** The framework finds the nonce for its own scripts in the request's policy; the layout reads `x-nonce`. */
function forward(request: NextRequest, who: string | null, { nonce, content }: Marks): NextResponse {
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", content);
  if (who === null) headers.delete(WHO_HEADER);
  else headers.set(WHO_HEADER, who);
  const { pathname } = request.nextUrl;
  if (isDecodable(pathname)) return NextResponse.next({ request: { headers } });
  // The router fails over an encoding that is none, such as that of a link cut short. To the letter, it names nothing.
  const url = request.nextUrl.clone();
  url.pathname = pathname.replaceAll("%", "%25");
  return NextResponse.rewrite(url, { request: { headers } });
}

/** A page that asks for itself: now it is this site that leads there, and the browser sends its cookie. */
function askAgain(href: string): NextResponse {
  const path = nextPath(href).replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  const html = `<!doctype html><html lang="en"><meta http-equiv="refresh" content="0;url=${path}"><link rel="icon" href="/icon.svg"><title>mecha</title><a href="${path}">Go on</a></html>\n`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };
  return new NextResponse(html, { headers });
}

function refuse({ status, why, retryAfterS }: Extract<Admission, { kind: "refused" }>): NextResponse {
  const headers = new Headers({ "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" });
  if (status === 401) headers.set("WWW-Authenticate", 'Bearer realm="mecha"');
  if (retryAfterS !== null) headers.set("Retry-After", String(retryAfterS));
  return new NextResponse(`${why}\n`, { status, headers });
}

let known: readonly string[] | undefined;

/** Read once. Settings that cannot be read allow nobody more; the page itself says what is wrong with them. */
function allowedHosts(): readonly string[] {
  if (known !== undefined) return known;
  try {
    known = readSettings().allowedHosts;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    known = [];
  }
  return known;
}
