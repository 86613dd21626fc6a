import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "vitest";
import { type AgentHome, agentHome, bothReaders, onlySession } from "./agent-home.ts";
import { runCli, tempHome } from "./cli.ts";
import { checkSession } from "./format-check.ts";
import { Prng } from "./prng.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
const TURNS = 8;

/** Reads, writes and fails its way through some turns with large results, pausing now and then. */
const WORK = {
  rules: Array.from({ length: TURNS }, (_, turn) => ({
    when: { prompt_contains: "work", results: turn * 2 },
    steps: [
      {
        text: "on with it",
        delay_ms: turn % 2 === 0 ? 20 : 0,
        calls: [
          { tool: "fs_read", input: { path: turn % 4 === 3 ? "gone" : "large.txt" } },
          { tool: "fs_write", input: { path: `out-${turn}.txt`, content: "y".repeat(50_000) } },
        ],
      },
    ],
  })),
  otherwise: { text: "done" },
};

export type Killed = { sessions: number; rows: number; torn: number; finished: number };

/** Kills `mecha run` at as many moments, each in a home of its own, and looks at what it has left behind. */
export async function killRuns(times: number, seed: number): Promise<Killed> {
  const random = new Prng(seed);
  const seen: Killed = { sessions: 0, rows: 0, torn: 0, finished: 0 };
  for (let time = 0; time < times; time++) {
    // However busy the machine is: somewhere behind a result that stands there, the first of them being none.
    const results = random.below(2 * TURNS + 1);
    await killOnce(results, random.next() * (results === 0 ? 400 : 40), seen);
  }
  return seen;
}

function place(home: string): AgentHome {
  const made = agentHome(home, WORK);
  writeFileSync(path.join(made.workspace, "large.txt"), "a line of the large file\n".repeat(4000));
  return made;
}

function start({ home, workspace }: AgentHome) {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const argv = [bin, "run", "-p", "s", "--yes", "work"];
  return spawn(process.execPath, argv, { cwd: workspace, env, stdio: "ignore" });
}

async function killOnce(results: number, afterMs: number, seen: Killed): Promise<void> {
  const temp = tempHome();
  try {
    const made = place(temp.home);
    const child = start(made);
    const closed = once(child, "close");
    await Promise.race([moment(made, results, afterMs), closed]);
    child.kill("SIGKILL");
    const [code] = await closed;
    if (code === 0) seen.finished += 1;
    if (existsSync(made.sessions) && readdirSync(made.sessions).length > 0) await look(made, seen);
  } finally {
    temp.remove();
  }
}

/** So long after so many results of calls. Whoever waits for it longer than the run lasts waits no more. */
async function moment({ sessions }: AgentHome, results: number, afterMs: number): Promise<void> {
  while (written(sessions) < results) {
    if (!existsSync(path.dirname(sessions))) return;
    await wait(2);
  }
  await wait(afterMs);
}

function written(sessions: string): number {
  const [name] = existsSync(sessions) ? readdirSync(sessions) : [];
  if (name === undefined) return 0;
  return readFileSync(path.join(sessions, name), "latin1").split('"tool_result"').length - 1;
}

async function look(made: AgentHome, seen: Killed): Promise<void> {
  const { checked, scan } = await bothReaders(made.sessions, "run", true);
  const { id, file, content } = onlySession(made.sessions);
  expect(checked.problems).toEqual([]);
  expect(checked.rows.length).toBeLessThanOrEqual(1);
  expect(scan.runs).toHaveLength(checked.rows.length);
  expect(scan.coverage).toMatchObject({ sessions_unreadable: 0, lines_unknown: 0, lines_not_utf8: 0 });
  seen.sessions += 1;
  seen.rows += checked.rows.length;
  seen.torn += checked.torn ? 1 : 0;
  // Killed before its header was whole, it is no session yet.
  if (!content.includes("\n")) return;
  const ran = await runCli(["chat", "--resume", file], { home: made.home, answers: ["are you there"] });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.out).toContain("done\n");
  const after = checkSession(readFileSync(file), { id, order: "either", killed: true });
  expect(after.problems).toEqual([]);
  expect(after.rows).toHaveLength(checked.rows.length + 1);
}
