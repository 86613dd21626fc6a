import type { NextRequest } from "next/server";
import type { Params } from "#app/search.ts";

/** The search parameters of a request as a page gets them, `cards` with all its values. */
export function paramsOf(request: NextRequest): Params {
  const { searchParams } = request.nextUrl;
  const params: Record<string, string | string[]> = {};
  for (const [key, value] of searchParams) params[key] ??= value;
  params.cards = searchParams.getAll("cards");
  return params;
}
