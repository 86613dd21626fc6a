import { downloadOf } from "#app/verdict-download.ts";
import { documentText } from "#lib/verdict/verify.ts";

type Context = { params: Promise<{ id: string }> };

/** The verdict's document, as it was hashed. */
export async function GET(_request: Request, { params }: Context): Promise<Response> {
  return downloadOf((await params).id, "json", documentText);
}
