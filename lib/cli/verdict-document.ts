import type { VerdictDocument } from "#lib/verdict/document.ts";
import { documentText } from "#lib/verdict/verify.ts";
import type { CliIo } from "./io.ts";
import { escapedForTerminal } from "./json.ts";

/** A document to standard output: byte for byte as it was hashed, except on a terminal, which must not be acted on. */
export function outDocument(io: CliIo, document: VerdictDocument): void {
  const text = documentText(document);
  io.out(io.isTty.stdout ? escapedForTerminal(text) : text);
}
