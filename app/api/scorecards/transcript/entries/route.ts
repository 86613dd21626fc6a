import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadRunEntries } from "#app/run-transcript-loader.ts";

/** A page of a run's transcript, from the cursor `from` on (the beginning without one). */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadRunEntries(queryOf(request)));
}
