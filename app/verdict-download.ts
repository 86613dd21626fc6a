import "server-only";
import { loadDocument } from "#app/verdict-loaders.ts";
import { UserError } from "#lib/errors.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";

const TYPES = { json: "application/json; charset=utf-8", html: "text/html; charset=utf-8" } as const;

/** A stored verdict as a file to be saved, written by `write`. */
export function downloadOf(
  id: string,
  kind: keyof typeof TYPES,
  write: (document: VerdictDocument) => string,
): Response {
  try {
    const document = loadDocument(id);
    if (document === null) return plain("no verdict has this id\n", 404);
    return fileAnswer(write(document), document.id, kind);
  } catch (error) {
    if (error instanceof UserError) return plain(`${error.message}\n`, 500);
    throw error;
  }
}

/** A text as a file named after a verdict. */
export function fileAnswer(text: string, id: string, kind: keyof typeof TYPES): Response {
  return new Response(text, {
    headers: {
      "Content-Type": TYPES[kind],
      "Content-Disposition": `attachment; filename="verdict-${id.slice(0, 12)}.${kind}"`,
      "Cache-Control": "no-store",
      "X-Robots-Tag": "noindex, nofollow",
    },
  });
}

function plain(text: string, status: number): Response {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  return new Response(text, { status, headers });
}
