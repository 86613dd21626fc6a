import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Db, openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { playedCases } from "#tests/support/queue-home.ts";
import { test, withStore } from "./dashboard.ts";
import { type FakeSession, writeStore } from "./store.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** A person's machine: a mecha home with a scripted provider, and a working folder with a small case set. */
export type Place = { home: string; work: string; env: Record<string, string> };

/** Gives the tests of a file such a machine; `fill` puts more into it before the dashboard starts. */
export function withPlace(set: { cases?: number; delayMs?: number }, fill?: (place: Place) => void): void {
  withStore((home) => {
    const place = placeIn(home);
    writePlace(place, set);
    fill?.(place);
    return place.env;
  });
}

/** The machine whose mecha home this is. */
export function placeIn(home: string): Place {
  mkdirSync(home, { recursive: true });
  const own = realpathSync(home);
  const top = path.dirname(own);
  const work = path.join(top, "work");
  mkdirSync(path.join(work, "eval", "workspace"), { recursive: true });
  return { home: own, work, env: { HOME: top, MECHA_HOME: own, MECHA_ZONE: "UTC", PWD: work } };
}

/**
 * As configured a run has two turns: so `max_turns=60` helps three cases of five.
 * `s` is what is measured; a diagnosis can ask the built-in `proposer`.
 */
export function writePlace({ home, work }: Place, { cases = 30, delayMs = 0 }): void {
  const { rules, text } = playedCases({ cases, delayMs, tagsOf: (n) => [n % 2 === 0 ? "even" : "odd"] });
  const script = { name: "s", rules, otherwise: { text: "?" } };
  writeFileSync(path.join(home, "script.json"), JSON.stringify(script));
  writeFileSync(
    path.join(home, "config.toml"),
    'default_provider = "s"\n[agent]\nmax_turns = 2\n[providers.s]\nkind = "scripted"\nscript = "script.json"\n',
  );
  writeFileSync(path.join(work, "eval", "workspace", "notes.txt"), "a line\n");
  writeFileSync(path.join(work, "eval", "cases.jsonl"), text);
}

/** Runs that were cut short, so that there is something to diagnose. */
export function writeRuns({ home }: Place, now = Date.now()): void {
  const session = (day: number): FakeSession => {
    const created_at = new Date(now - day * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z");
    return {
      id: `${created_at.replace(/[-:]/g, "").slice(0, 15)}-0000000${day}`,
      created_at,
      runs: Array.from({ length: 8 }, (_, n) => ({
        calls: [{}, {}],
        outcome: { stop_cause: n < 5 ? "max_turns" : "completed" },
      })),
    };
  };
  writeStore(home, [1, 2, 3].map(session));
}

/** Runs a worker of the built command beside the dashboard for as long as `work` takes. */
export async function withWorker<T>({ work, env }: Place, use: () => Promise<T>): Promise<T> {
  const worker = startWorker(work, env);
  try {
    return await use();
  } finally {
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    if (worker.exitCode === null && worker.kill("SIGTERM")) await ended;
  }
}

function startWorker(cwd: string, env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [path.join(root, "dist", "worker.mjs")], {
    cwd,
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", NODE_ENV: "production", ...env },
    stdio: "ignore",
  });
}

/** What a line of the dashboard does in a person's shell, in the working folder. */
export function pasteIntoBash(
  { work, env }: Place,
  line: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const bin = path.join(path.dirname(work), "bin");
  mkdirSync(bin, { recursive: true });
  const command = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist", "mecha.mjs")}" "$@"\n`;
  writeFileSync(path.join(bin, "mecha"), command, { mode: 0o755 });
  const shell = spawn("bash", [], {
    cwd: work,
    env: { TZ: "UTC", NODE_ENV: "production", ...env, PATH: `${bin}:${process.env.PATH ?? ""}` },
  });
  const said = { out: "", err: "" };
  shell.stdout.on("data", (chunk) => (said.out += chunk));
  shell.stderr.on("data", (chunk) => (said.err += chunk));
  shell.stdin.end(`${line}\n`);
  return new Promise((resolve) => shell.on("close", (code) => resolve({ code, ...said })));
}

/** The same machine with a copy of all that is stored, so that what is stored there stays there. */
export function copyOfData(place: Place): Place {
  const data = path.join(path.dirname(place.home), "copy");
  cpSync(path.join(place.home, "dashboard"), data, { recursive: true });
  return { ...place, env: { ...place.env, MECHA_DATA_DIR: data } };
}

export function withDbOf<T>({ home, env }: Place, use: (db: Db) => T): T {
  const { db, close } = openDb(path.join(env.MECHA_DATA_DIR ?? path.join(home, "dashboard"), DB_FILE));
  try {
    return use(db);
  } finally {
    close();
  }
}

/** A test of these files may run a worker and wait for what it measures. */
export const slow = () => test.setTimeout(120_000);
