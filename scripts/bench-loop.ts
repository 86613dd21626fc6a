import { spawn } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { enqueueExperiment } from "#lib/queue/experiments.io.ts";
import { experimentView } from "#lib/queue/view.io.ts";
import { startDashboard, timeRequests } from "./bench/page.ts";
import { ensureStore } from "./bench/store.ts";
import { cleanEnv, ms } from "./bench/timing.ts";

// `npm run bench:loop [-- --sessions 1000 --delay 200 --concurrency 8]`
// How long the health page takes while a worker runs both arms of an experiment against a script that answers as slowly as
// a model. Needs a build of the dashboard.

const root = path.resolve(import.meta.dirname, "..");
const { values } = parseArgs({
  options: {
    sessions: { type: "string", default: "1000" },
    delay: { type: "string", default: "200" },
    concurrency: { type: "string", default: "8" },
  },
});
const sessions = Number(values.sessions);
const home = path.join(root, ".bench", `loop-${sessions}`);
const data = path.join(home, "dashboard");
/** Far more than can run while the page is timed. */
const CASES = 2000;

if (!existsSync(path.join(root, ".next", "BUILD_ID"))) {
  console.error("there is no build of the dashboard: npm run build");
  process.exit(1);
}
mkdirSync(home, { recursive: true });
ensureStore(home, { sessions, bytes: sessions * 20_000, runsPerSession: 2 });
const casesFile = writeSet();
rmSync(data, { recursive: true, force: true });
const { db, close } = openDb(path.join(data, DB_FILE));
const id = enqueueExperiment(db, request(), null, Date.now());
const env = { ...cleanEnv(), MECHA_HOME: home };
const worker = spawn(process.execPath, [path.join(root, "dist", "worker.mjs")], {
  cwd: root,
  env,
  stdio: ["ignore", "ignore", "inherit", "ipc"],
});
const { url, server } = await startDashboard(root, home);
try {
  await bothArmsRun();
  const before = doneRuns();
  const begun = performance.now();
  const page = await timeRequests(url, server);
  const perSecond = ((doneRuns() - before) / (performance.now() - begun)) * 1000;
  console.log(
    `health page over ${sessions} sessions while two arms run, ${values.concurrency} case runs in flight, ${values.delay} ms a turn`,
  );
  console.log(`  ${page.requests} requests: p50 ${ms(page.p50)}, p95 ${ms(page.p95)}, most ${ms(page.most)}`);
  console.log(`  meanwhile ${perSecond.toFixed(1)} case runs were finished each second`);
} finally {
  server.kill();
  worker.kill();
  close();
}

async function bothArmsRun(): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const { a, b } = experimentView(db, id)?.arms ?? { a: null, b: null };
    if ((a?.done ?? 0) > 0 && (b?.done ?? 0) > 0) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the worker does not get both arms under way");
}

function doneRuns(): number {
  const arms = experimentView(db, id)?.arms;
  return arms === undefined || arms === null ? 0 : arms.a.done + arms.b.done;
}

function request(): Parameters<typeof enqueueExperiment>[1] {
  return {
    overrides: ["max_turns=9"],
    changeClass: "config",
    metric: null,
    rationale: null,
    holdoutIn: 3,
    proposalId: null,
    provider: "slow",
    model: null,
    casesFile,
    tags: [],
    runsPerCase: 1,
    concurrency: Number(values.concurrency),
    judge: { provider: null, model: null },
    mcpFile: null,
  };
}

/** Cases of two turns each, and the script that plays them. Gives the path of the case file. */
function writeSet(): string {
  const folder = path.join(home, "set");
  mkdirSync(path.join(folder, "workspace"), { recursive: true });
  writeFileSync(path.join(folder, "workspace", "notes.txt"), "a line\n");
  const delay_ms = Number(values.delay);
  const script = {
    name: "slow",
    rules: [
      {
        when: { results: 0 },
        steps: [{ delay_ms, calls: [{ tool: "fs_read", input: { path: "notes.txt" } }] }],
      },
      { when: { results: 1 }, steps: [{ delay_ms, text: "done" }] },
    ],
  };
  writeFileSync(path.join(folder, "slow.json"), JSON.stringify(script));
  const config = `[providers.slow]\nkind = "scripted"\nscript = ${JSON.stringify(path.join(folder, "slow.json"))}\n`;
  writeFileSync(path.join(home, "config.toml"), config);
  const lines = Array.from({ length: CASES }, (_, n) =>
    JSON.stringify({ id: `case-${n}`, tags: ["t"], prompt: `case ${n}`, expect: { contains: ["done"] } }),
  );
  const file = path.join(folder, "cases.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}
