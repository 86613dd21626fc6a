import type { AccessToken } from "#lib/access/tokens.io.ts";
import { DASH } from "#lib/format.ts";
import { isoUtc } from "#lib/time.ts";
import type { TokenListFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { settle } from "./store.ts";
import { type Column, tableLines } from "./table.ts";
import { fromDb } from "./verdict-db.ts";
import { clockIn } from "./when.ts";

/** `mecha token list`: every token there is or was, by name. */
export async function tokenList(io: CliIo, flags: TokenListFlags): Promise<number> {
  const { zone } = settle(io, flags);
  const { listTokens } = await import("#lib/access/tokens.io.ts");
  const tokens = (await fromDb(io, (db) => listTokens(db, io.now_ms))) ?? [];
  if (flags.json) {
    io.out(jsonText({ schema_version: 1, tokens: tokens.map(jsonOf) }));
    return EXIT.fine;
  }
  if (tokens.length === 0) {
    io.out("There is no token. To make one: mecha token add NAME\n");
    return EXIT.fine;
  }
  const clock = clockIn(zone);
  const cells = tokens.map((token) => cellsOf(token, (ms) => (ms === null ? DASH : clock(isoUtc(ms)))));
  const lines = tableLines(COLUMNS, cells, io.isTty.stdout ? io.columns : null);
  io.out(`${[...lines, "", `${tokens.length} token(s), times in ${zone}`].join("\n")}\n`);
  return EXIT.fine;
}

const COLUMNS: Column[] = [
  { header: "name", shrinkTo: 12 },
  { header: "made" },
  { header: "last used" },
  { header: "browsers", align: "right" },
  { header: "state" },
];

function cellsOf(token: AccessToken, when: (ms: number | null) => string): string[] {
  const state = token.revokedAt === null ? "✓ open" : `✕ revoked ${when(token.revokedAt)}`;
  return [token.name, when(token.createdAt), when(token.lastUsedAt), String(token.signIns), state];
}

function jsonOf(token: AccessToken): object {
  const at = (ms: number | null) => (ms === null ? null : isoUtc(ms));
  return {
    name: token.name,
    created_at: at(token.createdAt),
    last_used_at: at(token.lastUsedAt),
    revoked_at: at(token.revokedAt),
    sign_ins: token.signIns,
  };
}
