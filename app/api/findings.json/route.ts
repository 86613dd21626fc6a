import type { NextRequest } from "next/server";
import { answerJson } from "#app/api/answer.ts";
import { loadFindingsJson } from "#app/number-loaders.ts";

/** What `mecha doctor --json` prints. Parameters: as_of, zone, source. */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadFindingsJson(request.nextUrl.searchParams));
}
