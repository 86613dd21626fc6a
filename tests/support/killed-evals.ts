import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import { tempHome } from "./cli.ts";
import { evalHome } from "./eval-home.ts";
import { Prng } from "./prng.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
export const REPORT = "r.json";
export const JOURNAL = `${REPORT}.journal.jsonl`;

/** The built program, in a home of its own. */
export function startEval(home: string, ...flags: string[]): ChildProcess {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const argv = [bin, "eval", "cases.jsonl", "-p", "s", "-o", REPORT, ...flags];
  return spawn(process.execPath, argv, { cwd: home, env, stdio: ["ignore", "pipe", "pipe"] });
}

const CASES = 9;
const RUNS = 2;
const FLAGS = ["-k", String(RUNS), "-c", "3"];

/** Runs of some length, every third with a workspace and a command that looks at it. */
const SET = Array.from({ length: CASES }, (_, n) => ({
  id: `case-${n}`,
  tags: ["t"],
  prompt: "work",
  ...(n % 3 === 0
    ? { sandbox: true, expect: { verify: "test -f out.txt" } }
    : { expect: { contains: ["done"] } }),
}));
const SCRIPT = {
  rules: [
    {
      when: { results: 0 },
      steps: [{ delay_ms: 15, calls: [{ tool: "fs_write", input: { path: "out.txt", content: "x" } }] }],
    },
  ],
  otherwise: { text: "done", delay_ms: 15 },
};

export type KilledEvals = { resumed: number; unstarted: number; finished: number; taken: number };

/** Kills evaluations at as many moments and goes on with each: in the end every run of every case counts once. */
export async function killEvals(times: number, seed: number): Promise<KilledEvals> {
  const random = new Prng(seed);
  const seen: KilledEvals = { resumed: 0, unstarted: 0, finished: 0, taken: 0 };
  for (let time = 0; time < times; time++) {
    // However busy the machine is: somewhere behind a run that is done, the first of them being none.
    const done = Math.floor(random.next() * CASES * RUNS);
    await killOnce(done, random.next() * (done === 0 ? 400 : 40), seen);
  }
  return seen;
}

async function killOnce(done: number, afterMs: number, seen: KilledEvals): Promise<void> {
  const temp = tempHome();
  try {
    evalHome(temp.home, { cases: SET, script: SCRIPT });
    const child = startEval(temp.home, ...FLAGS);
    const closed = once(child, "close");
    await Promise.race([moment(child, done, afterMs), closed]);
    child.kill("SIGKILL");
    await closed;
    await goOn(temp.home, seen);
    countedOnce(temp.home);
  } finally {
    temp.remove();
  }
}

async function moment({ stderr }: ChildProcess, done: number, afterMs: number): Promise<void> {
  let said = "";
  if (done > 0)
    await new Promise<void>((resolve) => {
      stderr?.on("data", (chunk) => {
        said += chunk;
        if (said.includes(`[${done}/`)) resolve();
      });
    });
  await wait(afterMs);
}

async function goOn(home: string, seen: KilledEvals): Promise<void> {
  const journal = path.join(home, JOURNAL);
  if (!existsSync(journal)) {
    if (existsSync(path.join(home, REPORT))) seen.finished += 1;
    else {
      seen.unstarted += 1;
      expect((await ended(startEval(home, ...FLAGS))).code).toBe(0);
    }
    return;
  }
  const lines = readFileSync(journal, "utf8").split("\n").length - 2;
  const { code, err } = await ended(startEval(home, ...FLAGS, "--resume", JOURNAL));
  // Killed before its first line was whole, there is nothing to go on with, and it says so.
  if (lines < 0) return expect(err).toContain("not the journal of an evaluation");
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining(`${lines} finished run(s) are taken over`),
  });
  seen.resumed += 1;
  seen.taken += lines;
}

function countedOnce(home: string): void {
  const report = parseReport(JSON.parse(readFileSync(path.join(home, REPORT), "utf8")));
  if (!report.ok) throw new Error(report.problem);
  const counted = report.value.runs.map(({ id, run }) => `${id} ${run}`);
  expect(counted).toEqual(SET.flatMap(({ id }) => Array.from({ length: RUNS }, (_, n) => `${id} ${n + 1}`)));
  expect(report.value.head).toMatchObject({ total: CASES, passed: CASES, runs_per_case: RUNS });
  expect(report.value.meta.partial).toBe(false);
  expect(existsSync(path.join(home, JOURNAL))).toBe(false);
}

/** Waits for the end, keeping what was said. */
export async function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const said = { out: "", err: "" };
  child.stdout?.on("data", (chunk) => {
    said.out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    said.err += chunk;
  });
  const [code] = await once(child, "close");
  return { code, ...said };
}
