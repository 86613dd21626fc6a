import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadRunFailedCall } from "#app/run-transcript-loader.ts";

/** Where the next failed call behind the cursor `after` stands. */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadRunFailedCall(queryOf(request)));
}
