import { visible } from "#lib/format.ts";
import { findSession } from "./catalog.ts";
import type { CommonFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { openStore } from "./store.ts";

/** `mecha sessions path ID`: the path and nothing else, exact wherever a program reads it. */
export async function sessionsPath(io: CliIo, id: string, flags: CommonFlags): Promise<number> {
  const store = await openStore(io, flags);
  const { head } = await findSession(io, store, id);
  if (flags.json) io.out(jsonText({ id: head.id, source: head.source, path: head.path }));
  else io.out(`${io.isTty.stdout ? visible(head.path) : head.path}\n`);
  return store.code;
}
