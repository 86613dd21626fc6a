import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadEntry } from "#app/session-loaders.ts";

type Context = { params: Promise<{ id: string }> };

/** One entry at the cursor `at`, with far more of its text than a page holds, but not without bound. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { source, at } = queryOf(request);
  return answerJson(async () => loadEntry((await params).id, source ?? null, at ?? null));
}
