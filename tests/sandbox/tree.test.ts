import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandLimits, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";
import { processesNamed } from "./host.ts";

const isolation = await probe();
const reason = isolation.available ? "" : ` (skipped: ${isolation.problem})`;

let workspace: string;
let name: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-tree-")));
  name = `tree-${process.pid}-${Math.floor(performance.now() * 1000)}`;
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** Waits until the command has made a file: before that it is not known to have begun. */
async function appears(file: string): Promise<void> {
  while (!existsSync(path.join(workspace, file))) await pause(20);
}

const LIMITS: CommandLimits = { ...USUAL_LIMITS, timeoutMs: 10_000, outputBytesMax: 1000 };
const sleeper = () => `(trap '' TERM HUP; exec -a ${name} sleep 60)`;
const ends = () => ({
  confined: (command: string, limits: CommandLimits, signal: AbortSignal) =>
    runConfined(
      ["bash", "-c", command],
      { workspace, cwd: workspace, writable: true, network: false, env: {} },
      limits,
      signal,
    ),
  open: (command: string, limits: CommandLimits, signal: AbortSignal) =>
    runOpen(["bash", "-c", command], { cwd: workspace, env: process.env }, limits, signal),
});

describe.each(["confined", "open"] as const)("%s", (kind) => {
  describe.skipIf(kind === "confined" && !isolation.available)(`the whole tree ends${reason}`, () => {
    const start = (command: string, limits = LIMITS, signal = new AbortController().signal) =>
      ends()[kind](command, limits, signal);

    test("with the command", async () => {
      const result = await start(`${sleeper()} & ${sleeper()} > /dev/null 2>&1 & touch here; exit 4`);
      expect(result).toMatchObject({ exitCode: 4, timedOut: false });
      expect(result.ms).toBeLessThan(4000);
      expect(await processesNamed(name)).toEqual([]);
    });

    test("with the time", async () => {
      const result = await start(
        `${sleeper()} & setsid bash -c "${sleeper()}" & trap '' TERM; ${sleeper()}`,
        {
          ...LIMITS,
          timeoutMs: 400,
        },
      );
      expect(result).toMatchObject({ exitCode: null, timedOut: true, aborted: false });
      expect(result.ms).toBeLessThan(4000);
      expect(await processesNamed(name)).toEqual([]);
    });

    test("with the interruption", async () => {
      const controller = new AbortController();
      const command = `echo begun; touch begun; ${sleeper()} & ${sleeper()}`;
      const call = start(command, LIMITS, controller.signal);
      await appears("begun");
      controller.abort();
      const result = await call;
      expect(result).toMatchObject({ exitCode: null, aborted: true, timedOut: false, stdout: "begun\n" });
      expect(await processesNamed(name)).toEqual([]);
    });

    test("with a call that was interrupted before it began", async () => {
      const result = await start("touch never", LIMITS, AbortSignal.abort());
      expect(result).toMatchObject({ aborted: true, exitCode: null });
      expect(existsSync(path.join(workspace, "never"))).toBe(false);
    });

    test("with the process that started it, killed without a word", async () => {
      const command = `${sleeper()} & touch begun; ${sleeper()}`;
      const parent = spawn(
        process.execPath,
        ["--import", "tsx", path.join(import.meta.dirname, "killed-parent.ts"), kind, workspace, command],
        { stdio: ["ignore", "pipe", "inherit"] },
      );
      // The command may be at work before the call has done all that belongs to its start.
      await once(parent.stdout, "data");
      await appears("begun");
      parent.kill("SIGKILL");
      // A busy machine takes its time to end what it was told to.
      for (let tries = 0; tries < 50 && (await processesNamed(name)).length > 0; tries += 1) await pause(100);
      expect(await processesNamed(name)).toEqual([]);
    });
  });
});

test("an open command that asks to tidy up may", async () => {
  const controller = new AbortController();
  const command = "trap 'echo tidied > tidy; exit 0' TERM; touch ready; sleep 30 & wait";
  const call = ends().open(command, LIMITS, controller.signal);
  await appears("ready");
  controller.abort();
  expect((await call).aborted).toBe(true);
  expect(existsSync(path.join(workspace, "tidy"))).toBe(true);
});
