import "server-only";
import { loadShared } from "#app/verdict-loaders.ts";
import { UserError } from "#lib/errors.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { pageHtml } from "#lib/verdict/html.ts";

const HEADERS = {
  "Content-Type": "text/html; charset=utf-8",
  "Cache-Control": "private, no-store",
  "X-Robots-Tag": "noindex, nofollow, noarchive",
};

/** What a share link opens, drawn by `draw`. A wrong, an expired and a revoked token all get one and the same answer. */
export function sharedAnswer(
  request: Request,
  token: string,
  draw: (document: VerdictDocument) => Response | string,
): Response {
  const document = documentOf(token);
  if (document === null) return closed(request);
  const drawn = draw(document);
  return typeof drawn === "string" ? new Response(drawn, { headers: HEADERS }) : drawn;
}

/** The nonce that the door gave this request: without it the page's own style is not applied. */
export function nonceOf(request: Request): string {
  return request.headers.get("x-nonce") ?? "";
}

function documentOf(token: string): VerdictDocument | null {
  try {
    return loadShared(token);
  } catch (error) {
    // Said where mecha was started; a stranger learns no more of a database that cannot be used than of a wrong token.
    if (!(error instanceof UserError)) throw error;
    console.error(error.message);
    return null;
  }
}

function closed(request: Request): Response {
  const content =
    "<h1>This link opens nothing</h1>\n<p>It may have been mistyped, have reached its end, or have been revoked. Ask for a new one.</p>";
  const text = pageHtml({ title: "This link opens nothing", content, nonce: nonceOf(request) });
  return new Response(text, { status: 404, headers: HEADERS });
}
