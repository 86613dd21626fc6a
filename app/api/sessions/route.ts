import type { NextRequest } from "next/server";
import { answerJson, queryOf, wholeNumber } from "#app/api/answer.ts";
import { loadSessions } from "#app/loaders.ts";

/** A page of the session list: `{from, rows, total, of, as_of}`, at most 100 rows whatever is asked for. */
export async function GET(request: NextRequest): Promise<Response> {
  const query = queryOf(request);
  return answerJson(async () => (await loadSessions(query, wholeNumber(query.from) ?? 0)).view.page);
}
