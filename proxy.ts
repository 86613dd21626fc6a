import { randomBytes } from "node:crypto";
import { type NextRequest, NextResponse } from "next/server";
import { refusal } from "#app/_access/guard.ts";
import { contentPolicy, SECURITY_HEADERS } from "#app/_access/policy.ts";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";

// Every path, prefetches and static files included: an exception in this matcher is a hole in the guard.
export const config = { matcher: "/:path*" };

/** Refuses strangers, and gives each answer its content policy. */
export function proxy(request: NextRequest): NextResponse {
  const why = refusal(
    {
      method: request.method,
      host: request.headers.get("host"),
      origin: request.headers.get("origin"),
      site: request.headers.get("sec-fetch-site"),
      mode: request.headers.get("sec-fetch-mode"),
      dest: request.headers.get("sec-fetch-dest"),
    },
    { port: process.env.PORT?.trim() || "3000", allowed: allowedHosts() },
  );
  const nonce = randomBytes(18).toString("base64");
  const policy = contentPolicy(nonce, process.env.NODE_ENV === "development");
  const response = why === null ? forward(request, nonce, policy) : refuse(why);
  response.headers.set("Content-Security-Policy", policy);
  for (const [name, value] of Object.entries(SECURITY_HEADERS)) response.headers.set(name, value);
  return response;
}

/** The framework finds the nonce for its own scripts in the request's policy; the layout reads `x-nonce`. */
function forward(request: NextRequest, nonce: string, policy: string): NextResponse {
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  return NextResponse.next({ request: { headers } });
}

function refuse(why: string): NextResponse {
  return new NextResponse(`${why}\n`, {
    status: 403,
    headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" },
  });
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
