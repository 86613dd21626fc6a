import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadFailedCall } from "#app/session-loaders.ts";

type Context = { params: Promise<{ id: string }> };

/** Where the next failed call behind the cursor `after` stands: see `FailedCall`. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { source, after } = queryOf(request);
  return answerJson(async () => loadFailedCall((await params).id, source ?? null, after ?? null));
}
