import { nonceOf, sharedAnswer } from "#app/shared-answer.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { viewOf } from "#lib/verdict/view.ts";

type Context = { params: Promise<{ token: string }> };

/** One verdict, read-only: a page of its own, without script, and without anything else of the dashboard. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  return sharedAnswer(request, token, (document) =>
    verdictHtml(viewOf(document), {
      nonce: nonceOf(request),
      document: `/v/${encodeURIComponent(token)}/document`,
    }),
  );
}
