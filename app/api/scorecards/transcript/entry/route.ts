import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadRunEntry } from "#app/run-transcript-loader.ts";

/** One entry at the cursor `at`, with far more of its text than a page holds, but not without bound. */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadRunEntry(queryOf(request)));
}
