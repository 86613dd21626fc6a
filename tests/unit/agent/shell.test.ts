import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ShellOptions, shellTool } from "#lib/agent/tools/shell.io.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";

const isolation = await probe();
const reason = isolation.available ? "" : ` (skipped: ${isolation.problem})`;

let workspace: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-shell-")));
  mkdirSync(path.join(workspace, "deep"));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function shell(change: Partial<ShellOptions> = {}) {
  return shellTool({
    ...{ workspace, sandbox: { kind: "none", network: false }, timeoutSecs: 10 },
    // Without the person's profile, which may print and may be slow.
    ...{ env: { PATH: process.env.PATH, HOME: workspace }, withhold: [] },
    ...change,
  });
}
const call = (
  input: Record<string, unknown>,
  change: Partial<ShellOptions> = {},
  signal = new AbortController().signal,
) => shell(change).execute(input, { signal });

const kinds = [
  { kind: "none", skipped: false },
  { kind: "bwrap", skipped: !isolation.available },
] as const;

describe.each(kinds)("shell, sandbox $kind", ({ kind, skipped }) => {
  describe.skipIf(skipped)(`results${reason}`, () => {
    const run = (command: string, more: Record<string, unknown> = {}, timeoutSecs = 10) =>
      call({ command, ...more }, { sandbox: { kind, network: false }, timeoutSecs });

    test("standard output, then standard error", async () => {
      expect(await run("echo err >&2; echo out")).toEqual({
        ...{ content: "out\nerr\n", isError: false, fromOutside: false, keepsEnd: true },
      });
    });
    test("no output says so", async () => {
      expect((await run("true")).content).toBe("(no output)");
    });
    test("another exit status is an error that begins with it", async () => {
      expect(await run("echo out; echo err >&2; exit 3")).toMatchObject({
        ...{ isError: true, content: "exit status 3\nout\nerr\n" },
      });
      expect(await run("false")).toMatchObject({ isError: true, content: "exit status 1" });
    });
    test("a time-out names the limit and keeps what was said", async () => {
      // Time enough to begin on any machine.
      const result = await run("echo begun; sleep 60", {}, 3);
      expect(result).toMatchObject({
        ...{ isError: true, content: "the command was ended: it took longer than 3 s\nbegun\n" },
      });
    });
    test("an interruption", async () => {
      const controller = new AbortController();
      const input = { command: "echo begun; touch begun; sleep 60" };
      const running = call(input, { sandbox: { kind, network: false } }, controller.signal);
      await vi.waitUntil(() => existsSync(path.join(workspace, "begun")), { timeout: 10_000 });
      controller.abort();
      expect(await running).toMatchObject({ isError: true, content: "the command was interrupted\nbegun\n" });
    });
    test("it begins in the workspace, or in a folder of it", async () => {
      expect((await run("pwd")).content).toBe(`${workspace}\n`);
      expect((await run("pwd", { cwd: "deep" })).content).toBe(`${workspace}/deep\n`);
      expect((await run("pwd", { cwd: path.join(workspace, "deep") })).content).toBe(`${workspace}/deep\n`);
      expect((await run("pwd", { cwd: null })).content).toBe(`${workspace}\n`);
    });
    test("nothing is typed into it", async () => {
      expect((await run("cat; read x; echo end")).content).toBe("end\n");
    });
    test("a long output keeps its beginning and its end, below the cap of a result", async () => {
      const { content } = await run("seq 100000; seq 100000 >&2; echo last >&2");
      expect(content).toMatch(/^1\n2\n.*bytes left out.*\n100000\nlast\n$/s);
      expect(Buffer.byteLength(content)).toBeLessThan(200_000);
    });
    test("what it writes stays", async () => {
      await run("echo text > made");
      expect(readFileSync(path.join(workspace, "made"), "utf8")).toBe("text\n");
    });
  });
});

describe("shell, input", () => {
  test.each([
    [{}, /`command` is missing/],
    [{ command: 7 }, /must be text, not 7/],
    [{ command: "  \n" }, /the command is empty/],
    [{ command: "a\0b" }, /NUL/],
    [{ command: "x".repeat(130_000) }, /longer than 120000 bytes/],
    [{ command: "true", timeout: 5 }, /no argument "timeout"/],
    [{ command: "true", cwd: ["deep"] }, /`cwd` must be text/],
    [{ command: "true", cwd: "missing" }, /there is no folder missing/],
    [{ command: "true", cwd: ".." }, /\.\. is outside the workspace/],
    [{ command: "true", cwd: "/root/there-is-nothing-here" }, /is outside the workspace/],
    [{ command: "true", cwd: "../\u001b[2J" }, /\\u\{1b\}\[2J is outside/],
  ])("%j is refused with words", async (input, words) => {
    const result = await call(input);
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(words);
  });
});

describe("shell, what it may", () => {
  test.each([
    [{ kind: "none", network: false }, true],
    [{ kind: "none", network: true }, true],
    [{ kind: "bwrap", network: true }, true],
    [{ kind: "bwrap", network: false }, false],
  ] as const)("%j can send: %s", (sandbox, sends) => {
    const tool = shell({ sandbox });
    expect(tool.readOnly).toBe(false);
    expect(tool.capabilities).toEqual({
      ...{ private_data: true, untrusted_input: false, destructive: true, external_send: sends },
    });
  });

  test("unconfined, it gets the environment without the keys of providers", async () => {
    const env = {
      ...{
        PATH: process.env.PATH,
        HOME: workspace,
        MY_KEY: "key-one",
        OTHER_API_KEY: "key-two",
        KEPT: "three",
      },
    };
    const { content } = await call({ command: "env" }, { env, withhold: ["MY_KEY"] });
    expect(content).toContain("KEPT=three");
    expect(content).not.toMatch(/key-one|key-two/);
  });

  test("it is a login shell", async () => {
    writeFileSync(path.join(workspace, ".bash_profile"), "export FROM_PROFILE=yes\n");
    expect((await call({ command: "echo $FROM_PROFILE" })).content).toBe("yes\n");
  });

  test.skipIf(!isolation.available)(
    `confined, the profile of the workspace is not read${reason}`,
    async () => {
      writeFileSync(path.join(workspace, ".bash_profile"), "export FROM_PROFILE=yes\n");
      const sandbox = { kind: "bwrap", network: false } as const;
      expect((await call({ command: "echo [$FROM_PROFILE]" }, { sandbox })).content).toBe("[]\n");
    },
  );
});
