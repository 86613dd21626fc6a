import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { timePage } from "./bench/page.ts";
import { countOutcomes, parseEveryLine } from "./bench/parse.ts";
import { ensureStore } from "./bench/store.ts";
import { cleanEnv, median, ms, runOnce, runsOf } from "./bench/timing.ts";

// `npm run bench:scan [-- --gb 1 --slope-gb 4 --sessions 22000 --runs 7 --no-page]`
// How long `mecha sessions health` takes from start to end with a warm page cache, beside ripgrep counting the outcome
// lines on as many threads and beside parsing every line; and how long the health page takes over many sessions.

const root = path.resolve(import.meta.dirname, "..");
const bench = path.join(root, ".bench");
const mecha = path.join(root, "dist", "mecha.mjs");
const THREADS = 2;

if (process.argv[2] === "--parse-every-line") console.log(parseEveryLine(process.argv[3] ?? "."));
else await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      gb: { type: "string", default: "1" },
      "slope-gb": { type: "string", default: "4" },
      sessions: { type: "string", default: "22000" },
      runs: { type: "string", default: "7" },
      page: { type: "boolean", default: true },
    },
    allowNegative: true,
  });
  const [gb, slopeGb, sessions, runs] = [values.gb, values["slope-gb"], values.sessions, values.runs].map(
    Number,
  );
  const small = store(`store-${gb}gb`, { sessions: 1000, bytes: (gb ?? 1) * 1e9, runsPerSession: 10 });
  const large = store(`store-${slopeGb}gb`, {
    sessions: 1000,
    bytes: (slopeGb ?? 4) * 1e9,
    runsPerSession: 10,
  });
  const atSmall = measure(small, runs ?? 7, true);
  const atLarge = measure(large, Math.min(runs ?? 7, 5), false);
  report(`${gb} GB, 1000 sessions`, small, atSmall);
  const extra = (slopeGb ?? 4) - (gb ?? 1);
  const perGb = (name: "health" | "rg") => (atLarge[name] - atSmall[name]) / extra;
  console.log(`beyond start-up (${slopeGb} GB against ${gb} GB), per GB`);
  console.log(
    `  mecha ${ms(perGb("health"))}, rg ${ms(perGb("rg"))}, ratio ${(perGb("health") / perGb("rg")).toFixed(2)}`,
  );
  console.log(`peak memory: ${peakMb(small)} MB at ${gb} GB, ${peakMb(large)} MB at ${slopeGb} GB`);
  if (values.page) await reportPage(sessions ?? 22_000);
}

type Times = { health: number; rg: number; start: number; parse: number | null };

/** Medians in ms, of runs that take turns: whatever else the machine does falls on all of them. */
function measure(home: string, runs: number, withParse: boolean): Times {
  const transcripts = path.join(home, "sessions");
  const health = ["node", mecha, "sessions", "health", "--source", "mecha"];
  const rg = ["rg", `-j${THREADS}`, "-c", '^\\{"record":"outcome"', transcripts];
  const env = { ...cleanEnv(), MECHA_HOME: home };
  // Once for the page cache, and to see that both count the same.
  const counted = countOutcomes(runOnce(rg, env).stdout);
  const said = runOnce([...health, "--json"], env).stdout;
  if (!said.includes(`"runs": ${counted}`) && !said.includes(`"runs":${counted}`))
    throw new Error(`rg counts ${counted} outcomes; mecha says ${said.slice(0, 300)}`);
  const times = runsOf(runs, env, { health, rg, start: ["node", "-e", "0"] });
  const parse = ["node", path.join(root, "dist", "bench-scan.mjs"), "--parse-every-line", transcripts];
  return {
    health: median(times.health),
    rg: median(times.rg),
    start: median(times.start),
    parse: withParse ? median(runsOf(2, env, { parse }).parse) : null,
  };
}

function report(what: string, home: string, { health, rg, start, parse }: Times): void {
  console.log(`${what} (${home}), whole process, warm page cache, median`);
  console.log(`  mecha sessions health    ${ms(health)}  = ${(health / rg).toFixed(2)} x rg`);
  console.log(`  rg -j${THREADS} -c                ${ms(rg)}`);
  console.log(`  node -e 0                ${ms(start)}  (of which nothing can be saved)`);
  if (parse !== null)
    console.log(`  JSON.parse of each line  ${ms(parse)}  = ${(parse / health).toFixed(1)} x mecha`);
}

/** The most memory the whole process ever held, as the kernel counted it, from a run of its own. */
function peakMb(home: string): number {
  const note = path.join(bench, `peak-${process.pid}`);
  const hook = path.join(bench, "peak.cjs");
  writeFileSync(
    hook,
    `if (require("node:worker_threads").isMainThread) process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(note)}, String(process.resourceUsage().maxRSS)));`,
  );
  const env = { ...cleanEnv(), MECHA_HOME: home };
  runOnce(["node", "--require", hook, mecha, "sessions", "health", "--source", "mecha"], env);
  const kilobytes = Number(readFileSync(note, "utf8"));
  rmSync(note);
  return Math.round(kilobytes / 1024);
}

async function reportPage(sessions: number): Promise<void> {
  if (!existsSync(path.join(root, ".next", "BUILD_ID"))) {
    console.log("the health page was not timed: there is no build of the dashboard (npm run build)");
    return;
  }
  const home = store(`store-${sessions}`, { sessions, bytes: sessions * 20_000, runsPerSession: 2 });
  const page = await timePage(root, home);
  console.log(`health page over ${sessions} sessions, warm, ${page.requests} requests one after another`);
  console.log(
    `  first answer ${ms(page.first)}, then p50 ${ms(page.p50)}, p95 ${ms(page.p95)}, most ${ms(page.most)}`,
  );
  console.log(`  ${page.kilobytes} kB of HTML, server ${page.peakMb} MB`);
}

function store(name: string, spec: Parameters<typeof ensureStore>[1]): string {
  const dir = path.join(bench, name);
  mkdirSync(dir, { recursive: true });
  ensureStore(dir, spec);
  return dir;
}
