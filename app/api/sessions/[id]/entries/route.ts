import type { NextRequest } from "next/server";
import { answerJson, queryOf } from "#app/api/answer.ts";
import { loadEntries } from "#app/session-loaders.ts";

type Context = { params: Promise<{ id: string }> };

/** A page of a transcript, from the cursor `from` on (the beginning without one); see `TranscriptPage`. */
export async function GET(request: NextRequest, { params }: Context): Promise<Response> {
  const { source, from } = queryOf(request);
  return answerJson(async () => loadEntries((await params).id, source ?? null, from ?? null));
}
