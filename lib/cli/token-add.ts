import { parseTokenName } from "#lib/access/token.ts";
import { UserError } from "#lib/errors.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { verdictDb, withDb } from "./verdict-db.ts";

/** `mecha token add`: the token alone on standard output, so that it can be handed on without being shown. */
export async function tokenAdd(io: CliIo, name: string, flags: JsonFlag): Promise<number> {
  const parsed = parseTokenName(name);
  if (!parsed.ok) throw new UserError("usage", parsed.problem);
  const { addToken } = await import("#lib/access/tokens.io.ts");
  const token = await withDb(verdictDb(io), (db) => addToken(db, name, io.now_ms));
  if (flags.json) {
    io.out(jsonText({ schema_version: 1, name, token }));
    return EXIT.fine;
  }
  io.out(`${token}\n`);
  io.err(
    `mecha: this is the token of ${name}; it is not shown again. To end it: mecha token revoke ${name}\n`,
  );
  return EXIT.fine;
}
