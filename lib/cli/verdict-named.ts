import { existsSync } from "node:fs";
import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { viewOfAbFile } from "#lib/verdict/ab-view.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { readVerdictFile, verifyFile } from "#lib/verdict/verdict-file.io.ts";
import { type VerdictView, viewOf } from "#lib/verdict/view.ts";
import type { CliIo } from "./io.ts";
import { fromDb, verdictDb } from "./verdict-db.ts";

/** A verdict that was asked for. `document` is null for an A/B result, which is none. */
export type NamedVerdict = {
  view: VerdictView;
  document: VerdictDocument | null;
  /** Where it was read from; null: the database. */
  place: string | null;
  /** How many things in its file do not follow from its own measurements. */
  disagreements: number;
};

const ID = /^[0-9a-f]{4,64}$/i;

/** The verdict of an id, of the start of one, or of a file. Throws a UserError when there is none, or several. */
export async function verdictNamed(io: CliIo, given: string): Promise<NamedVerdict> {
  const place = path.resolve(io.cwd, given);
  if (existsSync(place)) return fromFile(place, given);
  if (ID.test(given)) return stored(io, given.toLowerCase());
  throw new UserError(
    "not_found",
    `${visible(given)}: there is no such file, and a verdict's id is 4 to 64 hexadecimal digits`,
  );
}

async function stored(io: CliIo, prefix: string): Promise<NamedVerdict> {
  const { findVerdict } = await import("#lib/verdict/store.io.ts");
  const document = await fromDb(io, (db) => findVerdict(db, prefix));
  if (document === null) {
    throw new UserError(
      "not_found",
      `there is no verdict ${prefix}: none is stored yet in ${visible(verdictDb(io))}`,
    );
  }
  return { view: viewOf(document), document, place: null, disagreements: 0 };
}

async function fromFile(place: string, name: string): Promise<NamedVerdict> {
  const read = await readVerdictFile(place, name);
  if (!read.ok) throw new UserError("bad_input", read.problem);
  if (read.value.kind === "ab") {
    // What does not agree in it stands among the remarks.
    return { view: viewOfAbFile(read.value.file, name), document: null, place, disagreements: 0 };
  }
  const { document } = read.value;
  const { disagreements, more } = await verifyFile(place);
  return { view: viewOf(document), document, place, disagreements: disagreements.length + more };
}
