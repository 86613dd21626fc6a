import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CommandLimits, type CommandResult, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined } from "#lib/sandbox/run.io.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";
import { processesNamed } from "./host.ts";

const isolation = await probe();
const reason = isolation.available ? "" : ` (skipped: ${isolation.problem})`;

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-limits-")));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function run(command: string, limits: Partial<CommandLimits> = {}): Promise<CommandResult> {
  return runConfined(
    ["bash", "-lc", command],
    { workspace, cwd: workspace, writable: true, network: false, env: {} },
    { ...USUAL_LIMITS, timeoutMs: 8000, outputBytesMax: 10_000, ...limits },
    new AbortController().signal,
  );
}

describe.skipIf(!isolation.available)(`a confined command cannot take the machine${reason}`, () => {
  const bombs = {
    bash: ":(){ :|:& };: ; sleep 30",
    "bash that never waits": "f(){ f & f & }; f; sleep 30",
    python: "python3 -c 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass'",
    threads:
      "python3 -c 'import threading, time\nwhile True:\n  try: threading.Thread(target=time.sleep, args=(60,)).start()\n  except RuntimeError: time.sleep(1)'",
  };
  test.each(Object.entries(bombs))(
    "a fork bomb of %s ends with the call, and the host answers meanwhile",
    async (_, bomb) => {
      const loop = monitorEventLoopDelay({ resolution: 10 });
      loop.enable();
      const name = `bomb-${process.pid}-${Math.floor(performance.now())}`;
      const call = run(`exec -a ${name} bash -c ${quoted(bomb)} ${name}`, { processesMax: 300 });
      await new Promise((done) => setTimeout(done, 150));
      const startedAt = performance.now();
      expect(spawnSync("/bin/true").status).toBe(0);
      const spawnMs = performance.now() - startedAt;
      const result = await call;
      loop.disable();
      expect(result.overLimit ?? (result.timedOut ? "time" : null)).not.toBeNull();
      expect(result.ms).toBeLessThan(14_000);
      expect(spawnMs).toBeLessThan(3000);
      expect(loop.max / 1e6).toBeLessThan(3000);
      expect(await processesNamed(name)).toEqual([]);
    },
  );

  test("honest work beside the limit is left alone", async () => {
    const result = await run("for i in $(seq 100); do sleep 0.6 & done; wait; echo done", {
      processesMax: 300,
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n", overLimit: null });
  });

  test("many files: ended by what they take together", async () => {
    const result = await run("i=0; while :; do head -c 20000000 /dev/zero > f$i; i=$((i+1)); done", {
      growthBytesMax: 300_000_000,
      timeoutMs: 25_000,
    });
    expect(result.overLimit).toBe("more than 300 MB written to the workspace");
    expect(result.exitCode).toBeNull();
  });

  test("files deleted while open", async () => {
    const code =
      "import os\nkeep = []\nwhile True:\n  f = open('f', 'wb'); os.unlink('f'); f.write(bytes(20000000)); f.flush(); keep.append(f)";
    const result = await run(`python3 -c "${code}"`, {
      growthBytesMax: 100_000_000,
      timeoutMs: 25_000,
    });
    expect(result.overLimit).toBe("more than 100 MB written to the workspace");
  });

  test("one file", async () => {
    const result = await run("head -c 5000000 /dev/zero > big", { fileBytesMax: 1_000_000 });
    expect(result.exitCode).toBe(153);
    expect(statSync(path.join(workspace, "big")).size).toBeLessThan(1_010_000);
  });

  test.each(["/tmp", "/dev/shm", "$HOME"])("scratch space in memory: %s", async (folder) => {
    const result = await run(
      `for i in 1 2 3; do head -c 300000000 /dev/zero > ${folder}/f$i || exit 9; done`,
    );
    expect(result).toMatchObject({ exitCode: 9, stderr: expect.stringContaining("No space left") });
  });

  test("output without end costs no memory and ends the call", async () => {
    const before = process.memoryUsage().rss;
    const result = await run("yes; yes 1>&2", { timeoutMs: 20_000 });
    expect(result.overLimit ?? (result.timedOut ? "time" : null)).not.toBeNull();
    expect(result.stdout.length).toBeLessThan(10_200);
    expect(result.bytesDropped).toBeGreaterThan(1_000_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  test("memory: what is confined is the first the kernel ends", async () => {
    expect((await run("cat /proc/self/oom_score_adj")).stdout).toBe("1000\n");
    expect((await run("echo 0 > /proc/self/oom_score_adj; cat /proc/self/oom_score_adj")).stdout).toBe(
      "1000\n",
    );
    const hog = await run(
      "python3 -c 'import time\nx = []\nwhile True: x.append(bytes(10**7)); time.sleep(0.1)'",
      {
        timeoutMs: 1000,
      },
    );
    expect(hog.timedOut).toBe(true);
  });

  test("processor time without end", async () => {
    const name = `spin-${process.pid}-${Math.floor(performance.now())}`;
    const result = await run(
      `for i in 1 2 3 4; do (exec -a ${name} bash -c 'while :; do :; done') & done; wait`,
      {
        timeoutMs: 500,
      },
    );
    expect(result).toMatchObject({ timedOut: true, exitCode: null });
    expect(result.ms).toBeLessThan(3000);
    expect(await processesNamed(name)).toEqual([]);
  });
});

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
