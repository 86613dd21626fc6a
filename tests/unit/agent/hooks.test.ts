import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createHooks } from "#lib/agent/hooks.io.ts";
import type { HookConfig } from "#lib/config/config.ts";

let folder: string;
let notes: string[];
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-hooks-")));
  notes = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const { signal } = new AbortController();
const call = { id: "c1", name: "shell", input: { command: "ls" } };

function hook(event: HookConfig["event"], script: string, more: Partial<HookConfig> = {}): HookConfig {
  const file = path.join(folder, `hook-${event}-${script.length}-${Math.floor(performance.now() * 1000)}`);
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return { event, tools: [], command: [file], timeout_secs: 10, ...more };
}
const hooks = (...list: HookConfig[]) =>
  createHooks({
    ...{ hooks: list, cwd: folder, env: { PATH: process.env.PATH, MINE: "kept" } },
    ...{ session: { id: "s1", file: "/store/s1.jsonl" }, onNote: (note: string) => notes.push(note) },
  });
const file = (name: string) => readFileSync(path.join(folder, name), "utf8");

/** Empty for a process that has ended, also while nobody has asked how. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // No such process.
    return "";
  }
}

describe("before a call", () => {
  test("status 0 allows, and the program was told of the call", async () => {
    const seen = hook("pre_tool", "cat > seen; echo $MINE > env; pwd > cwd");
    expect(await hooks(seen).preTool(call, signal)).toEqual({ allow: true });
    expect(JSON.parse(file("seen"))).toEqual({
      ...{ event: "pre_tool", tool: "shell", call_id: "c1", input: { command: "ls" }, workspace: folder },
      session: { id: "s1", file: "/store/s1.jsonl" },
    });
    expect(file("env")).toBe("kept\n");
    expect(file("cwd")).toBe(`${folder}\n`);
  });

  test("no hook allows", async () => {
    expect(await hooks().preTool(call, signal)).toEqual({ allow: true });
  });

  test.each([
    ["another status", "exit 2", /^hook-.*: exit status 2$/],
    [
      "with a reason on its error output",
      "echo ' not on Fridays ' >&2; echo more >&2; exit 1",
      /: not on Fridays$/,
    ],
    ["its ordinary output is no reason", "echo out; exit 1", /: exit status 1$/],
    ["a signal", "kill -9 $$", /: ended by SIGKILL$/],
    ["a reason with control characters", "printf '\\033[31mred\\n' >&2; exit 1", /: \\u\{1b\}\[31mred$/],
    ["a very long reason", "head -c 5000 /dev/zero | tr '\\0' x >&2; exit 1", /: x{300}$/],
  ])("%s denies", async (_, script, why) => {
    expect(await hooks(hook("pre_tool", script)).preTool(call, signal)).toEqual({
      ...{ allow: false, by: "hook", why: expect.stringMatching(why) },
    });
  });

  test("a time-out denies, and the program and its children are gone", async () => {
    const slow = hook("pre_tool", "sleep 60 & echo $! > child; sleep 60", { timeout_secs: 2 });
    const decision = await hooks(slow).preTool(call, signal);
    expect(decision).toMatchObject({
      allow: false,
      why: expect.stringMatching(/took longer than 2 s$/),
    });
    const child = Number(file("child"));
    expect(child).toBeGreaterThan(0);
    await vi.waitUntil(() => commandOf(child) === "", { timeout: 10_000 });
  });

  test("an interruption denies", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 200);
    const decision = await hooks(hook("pre_tool", "sleep 60")).preTool(call, controller.signal);
    expect(decision).toMatchObject({ allow: false, why: expect.stringMatching(/interrupted$/) });
  });

  test("a program that is not there denies", async () => {
    const missing = {
      event: "pre_tool",
      tools: [],
      command: ["/no/such/guard", "x"],
      timeout_secs: 5,
    } as const;
    expect(
      await hooks({ ...missing, tools: [], command: [...missing.command] }).preTool(call, signal),
    ).toMatchObject({
      ...{ allow: false, by: "hook", why: expect.stringMatching(/^guard: cannot start \/no\/such\/guard/) },
    });
    expect(await hooks({ ...missing, tools: [], command: [] }).preTool(call, signal)).toMatchObject({
      allow: false,
    });
  });

  test("a program that does not read its input may still allow", async () => {
    const large = { ...call, input: { content: "x".repeat(3_000_000) } };
    expect(await hooks(hook("pre_tool", "exit 0")).preTool(large, signal)).toEqual({ allow: true });
  });

  test("arguments are an argv: no shell reads them", async () => {
    const echo = hook("pre_tool", 'printf "%s|" "$@" > args');
    const given = { ...echo, command: [...echo.command, "$(touch pwned)", "a b", "*"] };
    await hooks(given).preTool(call, signal);
    expect(file("args")).toBe("$(touch pwned)|a b|*|");
  });

  test("only hooks for that tool and event, in order, until one denies", async () => {
    const list = [
      hook("pre_tool", "echo a >> order", { tools: ["fs_read", "shell"] }),
      hook("pre_tool", "echo b >> order", { tools: ["fs_read"] }),
      hook("post_tool", "echo c >> order"),
      hook("pre_tool", "echo d >> order; echo no >&2; exit 1"),
      hook("pre_tool", "echo e >> order"),
    ];
    expect(await hooks(...list).preTool(call, signal)).toMatchObject({ allow: false });
    expect(file("order")).toBe("a\nd\n");
  });
});

describe("after the fact", () => {
  test("the program is told the result; a failure is a note and the next one still runs", async () => {
    const list = [
      hook("post_tool", "echo broken >&2; exit 1"),
      hook("post_tool", "cat > seen", { tools: ["shell"] }),
    ];
    await hooks(...list).postTool(call, { content: "text", is_error: true }, signal);
    expect(JSON.parse(file("seen"))).toMatchObject({
      ...{ event: "post_tool", tool: "shell", result: { content: "text", is_error: true } },
    });
    expect(notes).toEqual([expect.stringMatching(/^hook after shell: hook-.*: broken$/)]);
  });

  test("the end of a session: one line for each that failed", async () => {
    const list = [
      hook("session_end", "cat > seen"),
      hook("session_end", "exit 9"),
      hook("pre_tool", "exit 1"),
    ];
    expect(await hooks(...list).sessionEnd({ runs: 2 })).toEqual([
      expect.stringMatching(/^hook at the end of the session: hook-.*: exit status 9$/),
    ]);
    expect(JSON.parse(file("seen"))).toMatchObject({ event: "session_end", runs: 2, workspace: folder });
    expect(notes).toEqual([]);
  });
});
