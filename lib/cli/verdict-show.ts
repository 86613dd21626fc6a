import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { verdictText } from "#lib/verdict/text.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { outDocument } from "./verdict-document.ts";
import { verdictNamed } from "./verdict-named.ts";

/** `mecha verdict show`: a verdict as text or as its document. Exit code 1 for a file that contradicts itself. */
export async function verdictShow(io: CliIo, named: string, flags: JsonFlag): Promise<number> {
  const { view, document, disagreements } = await verdictNamed(io, named);
  if (!flags.json) io.out(verdictText(view));
  else if (document !== null) outDocument(io, document);
  else throw new UserError("bad_input", `${visible(named)} is an A/B result: its JSON is the file itself`);
  if (disagreements === 0) return EXIT.fine;
  io.err(
    `mecha: do not trust ${visible(named)}: ${disagreements} thing(s) in it do not agree; see mecha verdict verify\n`,
  );
  return EXIT.problem;
}
