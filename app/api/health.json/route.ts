import type { NextRequest } from "next/server";
import { answerJson } from "#app/api/answer.ts";
import { loadHealthJson } from "#app/number-loaders.ts";

/** What `mecha sessions health --json` prints. Parameters: days, as_of, zone, source, model. */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadHealthJson(request.nextUrl.searchParams));
}
