import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Db } from "#db/client.ts";
import { openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { agentHome } from "#tests/support/agent-home.ts";
import { freePort, ready, startServer, stop } from "./dashboard.ts";
import { type FakeSession, writeStore } from "./store.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** A person's machine: an empty mecha home with a scripted provider, and a working folder with a small case set. */
export type Place = { top: string; work: string; home: string; env: Record<string, string> };

/**
 * Case `n` takes `1 + n % 5` turns of `delayMs`, and as configured a run has two: so `max_turns=60` helps three of five.
 * `s` is what is measured; a diagnosis can ask the built-in `proposer`.
 */
export function makePlace({ cases = 30, delayMs = 0 } = {}): Place {
  const top = realpathSync(mkdtempSync(path.join(os.tmpdir(), "mecha-loop-")));
  const numbers = Array.from({ length: cases }, (_, n) => n);
  const rules = numbers.map((n) => ({
    when: { prompt_is: `case ${n}` },
    steps: [
      ...Array.from({ length: n % 5 }, () => ({
        delay_ms: delayMs,
        calls: [{ tool: "fs_read", input: { path: "notes.txt" } }],
      })),
      { delay_ms: delayMs, text: `answer ${n}` },
    ],
  }));
  agentHome(top, { rules, otherwise: { text: "?" } }, 'default_provider = "s"\n[agent]\nmax_turns = 2\n');
  const work = path.join(top, "work");
  mkdirSync(path.join(work, "eval", "workspace"), { recursive: true });
  writeFileSync(path.join(work, "eval", "workspace", "notes.txt"), "a line\n");
  const lines = numbers.map((n) =>
    JSON.stringify({
      id: `case-${n}`,
      tags: [n % 2 === 0 ? "even" : "odd"],
      prompt: `case ${n}`,
      expect: { contains: [`answer ${n}`] },
    }),
  );
  writeFileSync(path.join(work, "eval", "cases.jsonl"), `${lines.join("\n")}\n`);
  const home = path.join(top, ".mecha");
  return { top, work, home, env: { HOME: top, MECHA_HOME: home, MECHA_ZONE: "UTC" } };
}

/** Runs that were cut short, so that there is something to diagnose. */
export function writeRuns(place: Place, now = Date.now()): void {
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
  writeStore(place.home, [1, 2, 3].map(session));
}

export type Running = { url: string; port: number; stop(): Promise<void> };

/** The dashboard and, unless it is told not to, a worker beside it, both started in the working folder. */
export async function serve({ work, env }: Place, { worker = true } = {}): Promise<Running> {
  const port = await freePort();
  const server = startServer(port, env, work);
  await ready(server, port);
  const beside = worker ? startWorker({ work, env }) : null;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async stop() {
      await stop(server);
      if (beside !== null) await stop(beside);
    },
  };
}

export function startWorker({ work, env }: Pick<Place, "work" | "env">): ChildProcess {
  return spawn(process.execPath, [path.join(root, "dist", "worker.mjs")], {
    cwd: work,
    env: { PATH: process.env.PATH ?? "", TZ: "UTC", NODE_ENV: "production", ...env },
    stdio: "ignore",
  });
}

/** What a line of the dashboard does in a person's shell, in the working folder. */
export function pasteIntoBash(
  { work, env }: Place,
  line: string,
): Promise<{ code: number | null; out: string; err: string }> {
  const bin = path.join(work, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(
    path.join(bin, "mecha"),
    `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "dist", "mecha.mjs")}" "$@"\n`,
    { mode: 0o755 },
  );
  const shell = spawn("bash", [], {
    cwd: work,
    env: { PATH: `${bin}:${process.env.PATH ?? ""}`, TZ: "UTC", NODE_ENV: "production", ...env },
  });
  const said = { out: "", err: "" };
  shell.stdout.on("data", (chunk) => (said.out += chunk));
  shell.stderr.on("data", (chunk) => (said.err += chunk));
  shell.stdin.end(`${line}\n`);
  return new Promise((resolve) => shell.on("close", (code) => resolve({ code, ...said })));
}

/** A second place with a copy of all that is stored in the first. */
export function copyOfData(place: Place): Place {
  const data = path.join(place.top, "copy");
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

export function removePlace({ top }: Place): void {
  rmSync(top, { recursive: true, force: true });
}
