import { spawn } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CommandLimits, type Confinement, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";

const isolation = await probe();
const reason = isolation.available ? "" : ` (skipped: ${isolation.problem})`;
const limits: CommandLimits = { ...USUAL_LIMITS, timeoutMs: 10_000, outputBytesMax: 10_000 };
const { signal } = new AbortController();

let base: string;
let workspace: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-run-")));
  workspace = path.join(base, "a folder with $(strange) 'letters' ü");
  mkdirSync(workspace);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const confined = (command: string, change: Partial<Confinement> = {}) =>
  runConfined(
    ["bash", "-lc", command],
    { workspace, cwd: workspace, writable: true, network: false, env: {}, ...change },
    limits,
    signal,
  );

describe.skipIf(!isolation.available)(`a confined command${reason}`, () => {
  test("output, exit code and error output come back apart", async () => {
    expect(await confined("echo out; echo err >&2; exit 7")).toMatchObject({
      ...{ exitCode: 7, signal: null, timedOut: false, aborted: false, overLimit: null, problem: null },
      ...{ stdout: "out\n", stderr: "err\n", bytesDropped: 0 },
    });
  });

  test("writes in its workspace belong to the person", async () => {
    expect((await confined("mkdir d && echo text > d/f && pwd")).stdout).toBe(`${workspace}\n`);
    expect(readFileSync(path.join(workspace, "d/f"), "utf8")).toBe("text\n");
    writeFileSync(path.join(workspace, "theirs"), "x");
    expect((await confined("echo y > theirs && stat -c %U theirs d")).stdout).toBe("mecha\nmecha\n");
  });

  test("a read-only workspace", async () => {
    writeFileSync(path.join(workspace, "f"), "kept");
    const result = await confined("cat f; echo x > f", { writable: false });
    expect(result).toMatchObject({
      exitCode: 1,
      stdout: "kept",
      stderr: expect.stringContaining("Read-only"),
    });
  });

  test("a home of its own, empty, and a name", async () => {
    const { stdout } = await confined(
      "whoami; ls -A ~ | wc -l; touch ~/x && ls ~; getent hosts localhost | wc -l",
    );
    expect(stdout).toBe("mecha\n0\nx\n1\n");
  });

  test("the variables: few, known, and those it was given", async () => {
    process.env.MECHA_TEST_ONLY = "secret";
    const { stdout } = await confined("env | cut -d= -f1 | sort", {
      env: { GIVEN: "1", LD_LIBRARY_PATH: "/x" },
    });
    delete process.env.MECHA_TEST_ONLY;
    const toolchains = ["PYENV_ROOT", "RUSTUP_HOME", "VOLTA_HOME"];
    expect(
      stdout
        .trim()
        .split("\n")
        .filter((name) => !toolchains.includes(name)),
    ).toEqual([
      "GIVEN",
      "HOME",
      "LANG",
      "LD_LIBRARY_PATH",
      "LOGNAME",
      "PATH",
      "PWD",
      "SHELL",
      "SHLVL",
      "TERM",
      "TMPDIR",
      "USER",
      "_",
    ]);
  });

  test("given variables arrive as they are, whatever is in them", async () => {
    const value = "a b\n'\"$(x)`ü\\";
    expect((await confined('printf %s "$GIVEN"', { env: { GIVEN: value } })).stdout).toBe(value);
  });

  test("the programs that tasks need: Node, and a shell script of the workspace", async () => {
    writeFileSync(path.join(workspace, "s.sh"), "#!/bin/sh\necho script $1\n");
    chmodSync(path.join(workspace, "s.sh"), 0o755);
    const code =
      "require('http').createServer((q, s) => s.end('served')).listen(0, function () { require('http').get({ port: this.address().port }, (r) => r.on('data', (d) => { console.log(String(d)); process.exit() })) })";
    expect((await confined(`./s.sh 1; node -e "${code}"`)).stdout).toBe("script 1\nserved\n");
  });

  test("the network, where it is allowed", async () => {
    const server = createServer((_, response) => response.end("from the host")).listen(0, "127.0.0.1");
    await new Promise((done) => server.once("listening", done));
    const { port } = server.address() as AddressInfo;
    const ask = `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log)'`;
    expect((await confined(ask, { network: true })).stdout).toBe("from the host\n");
    expect((await confined(ask)).stdout).toBe("");
    server.close();
  });

  test("a temporary folder that takes nothing is the reason why commands do not run", async () => {
    vi.stubEnv("TMPDIR", path.join(base, "gone"));
    // Another PATH, and it is looked for anew.
    vi.stubEnv("PATH", `${process.env.PATH}${path.delimiter}${base}`);
    const { exitCode, problem } = await confined("true");
    vi.unstubAllEnvs();
    expect(exitCode).toBeNull();
    expect(problem).toContain(`temporary folder ${path.join(base, "gone")} (ENOENT`);
  });

  test("more places to read", async () => {
    const more = path.join(base, "more");
    mkdirSync(more);
    writeFileSync(path.join(more, "f"), "readable");
    expect((await confined(`cat "${more}/f"`)).stdout).toBe("");
    expect(
      (await confined(`cat "${more}/f"; echo x > "${more}/f"`, { readOnlyPlaces: [more, "/missing"] }))
        .stdout,
    ).toBe("readable");
    expect(readFileSync(path.join(more, "f"), "utf8")).toBe("readable");
  });

  test("a workspace that is a link", async () => {
    const link = path.join(base, "link");
    symlinkSync(workspace, link);
    expect(await confined("touch made", { workspace: link, cwd: link })).toMatchObject({ exitCode: 0 });
    expect(existsSync(path.join(workspace, "made"))).toBe(true);
  });

  test("a program that is not there, a signal, a command that is too long", async () => {
    expect(
      await runConfined(
        ["no-such-program"],
        { workspace, cwd: workspace, writable: true, network: false, env: {} },
        limits,
        signal,
      ),
    ).toMatchObject({ exitCode: 127, problem: null });
    expect(await confined("kill -SEGV $$")).toMatchObject({ exitCode: 139 });
    expect(await confined(`true ${"x".repeat(200_000)}`)).toMatchObject({
      exitCode: null,
      problem: expect.stringContaining("too long"),
    });
    expect(await confined("true \0")).toMatchObject({
      exitCode: null,
      problem: expect.stringContaining("cannot start"),
    });
  });

  test.each([
    ["/", "/", /belongs to the system/],
    ["/missing", "/missing", /is no folder/],
    [null, "/tmp", /is outside/],
  ])("workspace %s with working folder %s does not run", async (place, cwd, problem) => {
    const result = await confined("true", { workspace: place ?? workspace, cwd });
    expect(result).toMatchObject({ exitCode: null, problem: expect.stringMatching(problem) });
  });

  test("many at once do not disturb each other", async () => {
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        confined(`sleep 0.1; echo ${i} > f${i}; touch /tmp/f${i}; ls /tmp | grep -c ^f; echo ${i}`),
      ),
    );
    expect(results.map(({ stdout }) => stdout)).toEqual(results.map((_, i) => `1\n${i}\n`));
  });
});

describe("where bubblewrap does not work", () => {
  const searchPath = process.env.PATH;
  afterEach(() => {
    process.env.PATH = searchPath;
  });
  function fakeBwrap(script: string): void {
    const file = path.join(base, "bwrap");
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
    process.env.PATH = base;
  }

  test.each([
    [
      "echo 'bwrap: No permissions to create new namespace' >&2; exit 1",
      /user namespaces are refused; allow them/,
    ],
    [
      'echo "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2; exit 1',
      /systempaths=unconfined/,
    ],
    ["echo 'bwrap: something new' >&2; exit 1", /something new/],
    ["exit 3", /exit status 3/],
  ])("%s", async (script, problem) => {
    fakeBwrap(script);
    const found = await probe();
    expect(found).toEqual({ available: false, problem: expect.stringMatching(problem) });
    expect(found.available ? "" : found.problem).not.toContain("\n");
    expect(await confined("touch ran")).toMatchObject({
      exitCode: null,
      problem: expect.stringMatching(problem),
    });
    expect(existsSync(path.join(workspace, "ran"))).toBe(false);
  });

  test.skipIf(!isolation.available)("one that cannot turn user namespaces off is used without", async () => {
    const real = (searchPath ?? "")
      .split(":")
      .map((dir) => path.join(dir, "bwrap"))
      .find((file) => existsSync(file));
    fakeBwrap(
      `case "$*" in *--disable-userns*) echo 'bwrap: no' >&2; exit 1;; esac\nif [ "$1" = --help ]; then echo '--disable-userns --size BYTES'; exit; fi\nexec ${real} "$@"`,
    );
    expect(await probe()).toEqual({ available: true });
    expect(await confined("echo ran")).toMatchObject({ exitCode: 0, stdout: "ran\n" });
  });
});

describe("an open command", () => {
  const open = (
    argv: string[],
    program: { env?: Record<string, string>; stdin?: string; cwd?: string } = {},
  ) => runOpen(argv, { cwd: workspace, env: process.env, ...program }, limits, signal);

  test("has the environment and the input it is given, and no other", async () => {
    expect(await open(["/bin/sh", "-c", "echo $A; cat"], { env: { A: "b" }, stdin: "typed" })).toMatchObject({
      exitCode: 0,
      stdout: "b\ntyped",
    });
    expect(await open(["cat"])).toMatchObject({ exitCode: 0, stdout: "" });
  });

  test("keeps what it said though this process stood still while it ended, and longer than it waits for more", async () => {
    const standStill = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    const other = spawn("/bin/sh", ["-c", "echo"], { stdio: ["ignore", "pipe", "ignore"] });
    const call = new Promise((resolve) => {
      other.stdout.once("data", () => {
        resolve(open(["echo", "said"]));
        // The end of the other one is noticed next, with it that of this one, and only later what this one said.
        standStill();
        setImmediate(standStill);
      });
    });
    standStill();
    expect(await call).toMatchObject({ exitCode: 0, stdout: "said\n" });
  });

  test("need not read its input", async () => {
    expect(await open(["true"], { stdin: "x".repeat(1_000_000) })).toMatchObject({
      exitCode: 0,
      problem: null,
    });
  });

  test("that cannot be started is a result", async () => {
    expect(await open(["no-such-program"], { env: { PATH: "/usr/bin" } })).toMatchObject({
      exitCode: null,
      problem: expect.stringContaining("no such program"),
    });
    expect(await open([])).toMatchObject({ problem: expect.stringContaining("cannot start") });
    expect(await open(["true"], { cwd: "/missing" })).toMatchObject({
      problem: expect.stringContaining("/missing is no folder"),
    });
    expect(await open(["echo", "\0"])).toMatchObject({ problem: expect.stringContaining("cannot start") });
    expect(await open([workspace])).toMatchObject({ problem: expect.stringContaining("cannot start") });
  });
});
