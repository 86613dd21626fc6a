import type { NextRequest } from "next/server";
import { loadMetrics } from "#app/number-loaders.ts";
import { UserError } from "#lib/errors.ts";

/** The numbers of `mecha sessions health` and `mecha doctor` for Prometheus. Parameters: days, as_of, zone, source, model. */
export async function GET(request: NextRequest): Promise<Response> {
  try {
    return answer(await loadMetrics(request.nextUrl.searchParams), 200, "text/plain; version=0.0.4");
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return answer(`${error.message}\n`, error.code === "usage" ? 400 : 500, "text/plain");
  }
}

function answer(text: string, status: number, type: string): Response {
  const headers = { "Content-Type": `${type}; charset=utf-8`, "Cache-Control": "no-store" };
  return new Response(text, { status, headers });
}
