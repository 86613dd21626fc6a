import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import type { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempHome } from "#tests/support/cli.ts";
import { addSession, assistantText } from "#tests/support/store.ts";
import { failingHome, mechaHome } from "#tests/support/store-homes.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
const homes = { empty: tempHome(), mecha: tempHome(), failing: tempHome(), long: tempHome() };
const LONG = "20260805T000000-00000001";

beforeAll(() => {
  mechaHome(homes.mecha.home);
  failingHome(homes.failing.home);
  // More than any pipe holds.
  const lines = Array.from({ length: 2000 }, (_, n) => assistantText(`${n} ${"x".repeat(1000)}`));
  addSession(path.join(homes.long.home, ".mecha"), { id: LONG }, lines);
});
afterAll(() => {
  for (const one of Object.values(homes)) one.remove();
});

/** Nothing of the person who runs the tests but the path. */
function envOf(home: string): NodeJS.ProcessEnv {
  return { NODE_ENV: "test", PATH: process.env.PATH, HOME: home, TZ: "UTC" };
}

function start(argv: string[], home: string): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [bin, ...argv], { env: envOf(home), stdio: ["ignore", "pipe", "pipe"] });
}

async function run(argv: string[], home: string) {
  const child = start(argv, home);
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

describe("the built program", () => {
  test.each([
    [0, "empty", ["sessions", "health"]],
    [0, "mecha", ["doctor"]],
    [0, "mecha", ["--version"]],
    [0, "mecha", ["sessions", "stats", "--help"]],
    [1, "failing", ["doctor", "--json"]],
    [1, "mecha", ["sessions", "show", "nothing"]],
    [1, "mecha", ["sessions", "health", "--source", "mecha=/nonexistent"]],
    [2, "mecha", []],
    [2, "mecha", ["sessions", "list", "-n", "0"]],
    [2, "mecha", ["doctor", "--zone", "Nowhere"]],
  ] as const)("exit code %i for %s: %j", async (code, at, argv) => {
    expect((await run([...argv], homes[at].home)).code).toBe(code);
  });

  test("an unknown flag is refused with a suggestion, on standard error alone", async () => {
    const { code, out, err } = await run(["sessions", "health", "--dasy", "30"], homes.mecha.home);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("unknown option '--dasy'");
    expect(err).toContain("Did you mean --days?");
  });

  test("a long answer arrives whole through a pipe", async () => {
    const { code, out, err } = await run(["sessions", "show", LONG, "-n", "9000", "--json"], homes.long.home);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(JSON.parse(out).entries).toHaveLength(2001);
  });

  test("a reader that goes away after the first line ends it quietly", async () => {
    const child = start(["sessions", "show", LONG, "-n", "9000"], homes.long.home);
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const [code, signal] = await once(child, "close");
    expect({ code, signal, err }).toEqual({ code: 0, signal: null, err: "" });
  });

  test("Ctrl-C ends it at once, also while it waits for a slow reader", async () => {
    const child = start(["sessions", "show", LONG, "-n", "9000"], homes.long.home);
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    // The first piece has come, nothing more is taken, and the pipe is full.
    await once(child.stdout, "readable");
    child.kill("SIGINT");
    const [code, signal] = await once(child, "exit");
    expect({ code, signal, err }).toEqual({ code: null, signal: "SIGINT", err: "" });
  });

  test("output that cannot be written is said, with exit code 1", async () => {
    const child = spawn(
      "sh",
      ["-c", 'exec "$0" "$@" > /dev/full', process.execPath, bin, "sessions", "list"],
      {
        env: envOf(homes.mecha.home),
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(err).toMatch(/^mecha: cannot write the output: ENOSPC/);
  });
});
