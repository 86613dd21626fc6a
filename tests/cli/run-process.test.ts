import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AgentHome, agentHome, bothReaders, onlySession } from "#tests/support/agent-home.ts";
import { tempHome } from "#tests/support/cli.ts";
import { checkSession } from "#tests/support/format-check.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => temp.remove());

type Child = ChildProcessByStdio<Writable, Readable, Readable>;
type Said = { child: Child; out: string; err: string; closed: Promise<unknown[]> };

function start({ home, workspace }: AgentHome, argv: string[], wrap: string[] = []): Said {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: home, TZ: "UTC" };
  const [file = "", ...rest] = [...wrap, process.execPath, bin, ...argv];
  const child = spawn(file, rest, { cwd: workspace, env, stdio: ["pipe", "pipe", "pipe"] });
  const said: Said = { child, out: "", err: "", closed: once(child, "close") };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.err += text;
  });
  return said;
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries > 1000) throw new Error("it did not come to that");
    await wait(10);
  }
}

const read = { calls: [{ tool: "fs_read", input: { path: "notes.txt" } }] };
/** Reads a file, then says nothing for a long time. */
const SLOW = {
  rules: [
    { when: { seen_contains: "fast" }, steps: [{ text: "at once" }], repeat: true },
    { when: { prompt_contains: "slow", results: 0 }, steps: [read], repeat: true },
    { when: { prompt_contains: "slow" }, steps: [{ delay_ms: 60_000, text: "late" }], repeat: true },
  ],
  otherwise: { text: "at once" },
};

test("a folder that was removed under the run is none to work in, and no other takes its place", async () => {
  const place = agentHome(temp.home, SLOW);
  const removed = ["/bin/sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh"];
  const said = start(place, ["run", "-p", "scripted", "--yes", "hello"], removed);
  expect(await said.closed).toEqual([1, null]);
  expect(said.err).toMatch(/workspace .*\/gone: there is no such folder; name one with --workspace/);
});

describe("a run that is interrupted", () => {
  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "%s: what was done is kept, and the row is written",
    async (signal) => {
      const place = agentHome(temp.home, SLOW);
      const said = start(place, ["run", "-p", "s", "slow"]);
      await until(() => said.err.includes("✓ fs_read"));
      said.child.kill(signal);
      expect(await said.closed).toEqual([1, null]);
      expect(said.err).toContain("mecha: interrupted; what was done is kept\n");
      const { checked, scan } = await bothReaders(place.sessions, "run");
      expect(checked.problems).toEqual([]);
      expect(scan.runs).toMatchObject([{ stop_cause: "interrupted", tool_calls: 1, usage_complete: false }]);
    },
  );

  test("Ctrl-C in a chat ends the run and comes back to the prompt", async () => {
    const place = agentHome(temp.home, SLOW);
    const said = start(place, ["chat", "-p", "s"]);
    said.child.stdin.write("slow\n");
    await until(() => said.err.includes("✓ fs_read"));
    said.child.kill("SIGINT");
    await until(() => said.err.includes("interrupted"));
    said.child.stdin.write("fast\n");
    await until(() => said.out.includes("at once\n"));
    said.child.stdin.end();
    expect(await said.closed).toEqual([0, null]);
    const { checked } = await bothReaders(place.sessions, "chat");
    expect(checked.problems).toEqual([]);
    expect(checked.rows.map(({ counters }) => counters.stop_cause)).toEqual(["interrupted", "completed"]);
  });
});

test("a second Ctrl-C ends the process at once", async () => {
  const hook = '[[hook]]\nevent = "session_end"\ncommand = ["sleep", "60"]\ntimeout_secs = 90';
  const place = agentHome(temp.home, SLOW, hook);
  const said = start(place, ["run", "-p", "s", "slow"]);
  await until(() => said.err.includes("✓ fs_read"));
  said.child.kill("SIGINT");
  await until(() => readFileSync(onlySession(place.sessions).file, "utf8").includes('"record":"outcome"'));
  said.child.kill("SIGINT");
  expect(await said.closed).toEqual([null, "SIGINT"]);
});

test("lines typed ahead through a pipe are one prompt each, none lost", async () => {
  const place = agentHome(temp.home, SLOW);
  const said = start(place, ["chat", "-p", "s"]);
  said.child.stdin.end("one\ntwo\nthree");
  expect(await said.closed).toEqual([0, null]);
  expect(said.out).toBe("at once\n".repeat(3));
  const { checked } = await bothReaders(place.sessions, "chat");
  expect(checked.problems).toEqual([]);
  expect(checked.rows).toHaveLength(3);
});

const small = (mount: string) => ["bwrap", "--dev-bind", "/", "/", "--size", "65536", "--tmpfs", mount];
const canMount = spawnSync("bwrap", ["--dev-bind", "/", "/", "--tmpfs", "/tmp", "true"]).status === 0;

describe.skipIf(!canMount)("a disk that is full (needs bubblewrap)", () => {
  /** What is left on the small disk is only to be seen from inside. */
  function startFull(place: AgentHome, argv: string[], before = "true"): Said {
    mkdirSync(place.sessions);
    const show = `${before}; "$@"; code=$?; cat "${place.sessions}"/*.jsonl; exit $code`;
    return start(place, argv, [...small(place.sessions), "sh", "-c", show, "sh"]);
  }

  test("ends the run with one line that names the file; what is there can be read", async () => {
    const large = {
      rules: [{ when: {}, steps: [{ text: "x".repeat(20_000), calls: read.calls }], repeat: true }],
    };
    const place = agentHome(temp.home, large);
    const said = startFull(place, ["run", "-p", "s", "--json", "fill it"]);
    expect(await said.closed).toEqual([1, null]);
    const [line = ""] = said.err.split("\n").filter((one) => one.startsWith("mecha: "));
    expect(line).toMatch(/^mecha: cannot write the transcript .*\.jsonl: the disk is full$/);
    const id = path.basename(/[^/]*(?=\.jsonl)/.exec(line)?.[0] ?? "");
    const { problems, rows } = checkSession(Buffer.from(said.out), { id, order: "run", killed: true });
    expect({ problems, rows }).toEqual({ problems: [], rows: [] });
  });

  test("leaves nothing where not even the header fits", async () => {
    const place = agentHome(temp.home, { otherwise: { text: "asked" } });
    const fill = `head -c 99999 /dev/zero 2>&1 > "${place.sessions}/fill"`;
    const said = startFull(place, ["run", "-p", "s", "x"], fill);
    expect(await said.closed).toEqual([1, null]);
    expect(said.out).not.toContain("asked");
    expect(said.err).toContain(`mecha: cannot start a session in ${place.sessions}: the disk is full\n`);
    expect(said.err).toMatch(/cat: .*: No such file/);
  });
});

describe.skipIf(process.getuid?.() === 0 && !canMount)(
  "a home that may not be written (needs bubblewrap)",
  () => {
    test("ends the run before the model is asked", async () => {
      const place = agentHome(temp.home, { otherwise: { text: "asked" } });
      const wrap = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", place.home, place.home];
      const said = start(place, ["run", "-p", "s", "x"], wrap);
      expect(await said.closed).toEqual([1, null]);
      expect(said.out).toBe("");
      expect(said.err).toBe(
        `mecha: cannot start a session in ${place.sessions}: the file system is read-only\n`,
      );
    });
  },
);

test("an answer that nobody reads ends the run quietly", async () => {
  const place = agentHome(temp.home, { otherwise: { text: "x".repeat(1_000_000) } });
  const said = start(place, ["run", "-p", "s", "x"]);
  said.child.stdout.destroy();
  expect(await said.closed).toEqual([0, null]);
  expect(readdirSync(place.sessions)).toHaveLength(1);
  expect(readFileSync(onlySession(place.sessions).file, "utf8")).toContain('"record":"outcome"');
});

test("a scripted run starts without loading what only others need", async () => {
  const place = agentHome(temp.home, null);
  const coverage = path.join(temp.home, "coverage");
  const env = {
    NODE_ENV: "test" as const,
    PATH: process.env.PATH,
    HOME: place.home,
    TZ: "UTC",
    NODE_V8_COVERAGE: coverage,
  };
  const argv = [bin, "run", "-p", "scripted", "x"];
  expect(spawnSync(process.execPath, argv, { cwd: place.workspace, env }).status).toBe(0);
  const loaded = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(path.join(coverage, name), "utf8")) as {
      result: { url: string }[];
    };
    return result
      .filter(({ url }) => url.startsWith("file:"))
      .map(({ url }) => readFileSync(new URL(url), "utf8"));
  });
  expect(loaded.length).toBeGreaterThan(2);
  // The SDK of the providers, the protocol of tool servers and the schema library are some 700 kB each.
  expect(loaded.reduce((sum, text) => sum + text.length, 0)).toBeLessThan(700_000);
});
