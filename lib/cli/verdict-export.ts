import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { verdictMarkdown } from "#lib/verdict/markdown.ts";
import { documentText } from "#lib/verdict/verify.ts";
import type { ExportFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { outFile, saidWritten, writeOut } from "./out-file.ts";
import { outDocument } from "./verdict-document.ts";
import { type NamedVerdict, verdictNamed } from "./verdict-named.ts";

/** `mecha verdict export`: a verdict as a page, a comment or its document, to files or one of them to standard output. */
export async function verdictExport(io: CliIo, named: string, flags: ExportFlags): Promise<number> {
  const { html, markdown, json } = flags;
  if (html === undefined && markdown === undefined && json === undefined) {
    throw new UserError(
      "usage",
      "verdict export: say as what: --html FILE, --markdown [FILE] or --json [FILE]",
    );
  }
  if (markdown === true && json === true) {
    throw new UserError(
      "usage",
      "verdict export: only one of --markdown and --json can be printed; name a file",
    );
  }
  const verdict = await verdictNamed(io, named);
  const { view, document, disagreements } = verdict;
  if (disagreements > 0) {
    throw new UserError(
      "bad_input",
      `${visible(named)} does not agree with its own measurements, and is not exported; see mecha verdict verify`,
    );
  }
  if (json !== undefined && document === null) {
    throw new UserError("bad_input", `${visible(named)} is an A/B result, and no verdict document`);
  }
  if (html !== undefined) await toFile(io, verdict, html, verdictHtml(view));
  if (typeof markdown === "string") await toFile(io, verdict, markdown, verdictMarkdown(view));
  if (typeof json === "string" && document !== null) await toFile(io, verdict, json, documentText(document));
  if (markdown === true) io.out(verdictMarkdown(view));
  if (json === true && document !== null) outDocument(io, document);
  return EXIT.fine;
}

async function toFile(io: CliIo, { place }: NamedVerdict, name: string, text: string): Promise<void> {
  const file = outFile(io, name);
  await writeOut(file, text, place === null ? [] : [place]);
  saidWritten(io, file);
}
