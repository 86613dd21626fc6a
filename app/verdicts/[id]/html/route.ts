import { downloadOf } from "#app/verdict-download.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { viewOf } from "#lib/verdict/view.ts";

type Context = { params: Promise<{ id: string }> };

/** The verdict as one file that needs nothing else. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return downloadOf((await params).id, "html", (document) => verdictHtml(viewOf(document)));
}
