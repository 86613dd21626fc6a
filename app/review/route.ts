import type { NextRequest } from "next/server";
import { queryOf } from "#app/api/answer.ts";
import { currentReview } from "#app/review-loaders.ts";

/** Leads to the week it is now. A route and no page: its answer is a redirect from the first byte on. */
export async function GET(request: NextRequest): Promise<Response> {
  const headers = { Location: await currentReview(queryOf(request)), "Cache-Control": "no-store" };
  return new Response(null, { status: 307, headers });
}
