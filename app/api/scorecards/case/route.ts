import type { NextRequest } from "next/server";
import { answerJson } from "#app/api/answer.ts";
import { loadCase } from "#app/card-loaders.ts";
import { paramsOf } from "../params.ts";

/** One case in the cards of the address: `{id, cards: [{name, detail, problem}]}`, bounded whatever is asked for. */
export async function GET(request: NextRequest): Promise<Response> {
  return answerJson(() => loadCase(paramsOf(request)));
}
