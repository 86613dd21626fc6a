import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { JsonFlag } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { fromDb, verdictDb } from "./verdict-db.ts";

/** `mecha token revoke`: works at once, also on a server that runs. */
export async function tokenRevoke(io: CliIo, name: string, flags: JsonFlag): Promise<number> {
  const { revokeToken } = await import("#lib/access/tokens.io.ts");
  const revoked = await fromDb(io, (db) => revokeToken(db, name, io.now_ms));
  if (revoked === null) {
    throw new UserError(
      "not_found",
      `there is no token ${visible(name)}: none was made yet in ${visible(verdictDb(io))}`,
    );
  }
  if (flags.json) io.out(jsonText({ schema_version: 1, name, revoked }));
  else if (revoked) io.out(`revoked ${name}; whoever was signed in with it is signed out\n`);
  else io.out(`${name} was revoked before\n`);
  return EXIT.fine;
}
