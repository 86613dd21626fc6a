import { existsSync } from "node:fs";
import path from "node:path";
import { DB_FILE } from "#db/db-file.ts";
import { isLoopback, signInNeeded } from "#lib/access/need.ts";
import { isDemo } from "#lib/demo/stamp.io.ts";
import { ensureDemoStore } from "#lib/demo/write-store.io.ts";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { Settings } from "#lib/settings.ts";
import { discoverSources } from "#lib/sources/discover.io.ts";
import { listSessions } from "#lib/sources/scan.io.ts";
import type { Source } from "#lib/sources/source.ts";

/** What `npm start` needs to know before it serves; `scripts/start.mjs` reads it as JSON. */
type Plan = {
  host: string;
  port: number;
  loopback: boolean;
  /** Environment of the server: what to set, what to take away. */
  env: Record<string, string>;
  unset: string[];
  /** The end of the line that says it is ready. */
  showing: string;
};

try {
  process.stdout.write(JSON.stringify(await makePlan(readSettings())));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`mecha: ${error.message}\n`);
  process.exitCode = 1;
}

async function makePlan(settings: Settings): Promise<Plan> {
  const { bind: host, port } = settings;
  const loopback = isLoopback(host);
  const needed = signInNeeded(host, process.env.MECHA_REQUIRE_TOKEN);
  if (!needed.ok) throw new UserError("bad_input", needed.problem);
  if (needed.value) await refuseWithoutToken(settings, loopback);
  const found = await discoverSources(settings, null);
  for (const { source, problem } of found)
    if (problem !== null) process.stderr.write(`mecha: ${source.kind} ${source.place}: ${problem}\n`);
  const held: string[] = [];
  for (const { source, found: there, problem } of found) {
    const sessions = there && problem === null ? await countSessions(source) : 0;
    if (sessions > 0)
      held.push(
        `${isDemo(source.place) ? "a demo store, " : ""}${source.kind} ${source.place} (${sessions} session${sessions === 1 ? "" : "s"})`,
      );
  }
  if (held.length > 0) return { host, port, loopback, env: {}, unset: [], showing: held.join(", ") };
  const demo = await demoPlan(found.map(({ source }) => source));
  // The demo store has a home of its own; whoever may come in does not depend on what is shown.
  if (needed.value) demo.env.MECHA_DATA_DIR = settings.dataDir;
  return { host, port, loopback, ...demo };
}

/** Nobody could sign in, and on an address that others reach that must not mean that everybody may read. */
async function refuseWithoutToken({ bind, dataDir }: Settings, loopback: boolean): Promise<void> {
  const file = path.join(dataDir, DB_FILE);
  if (existsSync(file)) {
    // Loaded only here: the database's engine is a native addon, and most starts need none.
    const { openDb } = await import("#db/client.ts");
    const { countOpenTokens } = await import("#lib/access/tokens.io.ts");
    const { db, close } = openDb(file);
    try {
      if (countOpenTokens(db) > 0) return;
    } finally {
      close();
    }
  }
  const why = loopback ? "MECHA_REQUIRE_TOKEN=1 asks for a sign-in" : `others can reach MECHA_BIND=${bind}`;
  throw new UserError(
    "bad_input",
    `${why}, and there is no access token: make one with mecha token add NAME`,
  );
}

async function countSessions(source: Source): Promise<number> {
  return (await listSessions(source)).sessions.length;
}

/** An invented store takes the place of every source; the pages see what it is. */
async function demoPlan(looked: Source[]): Promise<Pick<Plan, "env" | "unset" | "showing">> {
  const home = path.resolve(import.meta.dirname, "..", ".demo");
  await ensureDemoStore(home, Date.now());
  return {
    env: { MECHA_HOME: home, MECHA_SOURCES: "mecha" },
    unset: ["MECHA_SESSION_DIR", "MECHA_TRIGGERS_DIR"],
    showing: `a demo store; no sessions in ${looked.map(({ place }) => place).join(", ")}`,
  };
}
