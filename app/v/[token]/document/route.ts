import { sharedAnswer } from "#app/shared-answer.ts";
import { fileAnswer } from "#app/verdict-download.ts";
import { documentText } from "#lib/verdict/verify.ts";

type Context = { params: Promise<{ token: string }> };

/** The document of a shared verdict, so that whoever has the link can check it. */
export async function GET(request: Request, { params }: Context): Promise<Response> {
  const { token } = await params;
  return sharedAnswer(request, token, (document) => fileAnswer(documentText(document), document.id, "json"));
}
