import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { shellTool } from "#lib/agent/tools/shell.io.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";
import { ATTEMPTS, type Attempt } from "./attempts.ts";
import { aHost, type Host } from "./host.ts";

const isolation = await probe();
const reason = isolation.available ? "" : ` (skipped: ${isolation.problem})`;
const all = ATTEMPTS.flatMap(({ attempts }) => attempts);

let host: Host;
beforeEach(async () => {
  host = await aHost();
});
afterEach(() => host.close());

/** What one attempt reached, through the very tool that a model calls. */
async function reachedBy(
  attempt: Attempt,
  kind: "bwrap" | "none",
): Promise<{ reached: string[]; content: string }> {
  const tool = shellTool({
    ...{ workspace: host.workspace, sandbox: { kind, network: false } },
    ...{ timeoutSecs: 10, env: process.env, withhold: [] },
  });
  const command = attempt.command(host);
  const { content } = await tool.execute({ command }, { signal: new AbortController().signal });
  const reached = await host.reached();
  if (content.includes("ESCAPED")) reached.push("the command says so");
  if (content.includes(host.secret)) reached.push("the secret was read");
  return { reached, content };
}

test("there are at least forty attempts, each with a name of its own", () => {
  expect(all.length).toBeGreaterThanOrEqual(40);
  for (const { attempts } of ATTEMPTS)
    expect(new Set(attempts.map(({ name }) => name)).size).toBe(attempts.length);
});

describe.skipIf(!isolation.available)(`a confined command cannot get out${reason}`, () => {
  describe.each(ATTEMPTS)("$kind", ({ attempts }) => {
    test.each(attempts)("$name", async (attempt) => {
      const { reached, content } = await reachedBy(attempt, "bwrap");
      expect(reached, content).toEqual([]);
    });
  });
});

describe("the same attempts without confinement do get out, so the look at the host can fail", () => {
  test.each(all.filter(({ control }) => control))("$name", async (attempt) => {
    const { reached, content } = await reachedBy(attempt, "none");
    rmSync(path.join("/tmp", host.mark), { force: true });
    rmSync(path.join("/var/tmp", host.mark), { force: true });
    rmSync(path.join("/dev/shm", host.mark), { force: true });
    expect(reached, content).not.toEqual([]);
  });
});

describe("where bubblewrap is missing, nothing runs", () => {
  let empty: string;
  const searchPath = process.env.PATH;
  beforeAll(() => {
    empty = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-no-bwrap-")));
    process.env.PATH = empty;
  });
  afterAll(() => {
    process.env.PATH = searchPath;
    rmSync(empty, { recursive: true });
  });

  test("the probe says what to do", async () => {
    expect(await probe()).toEqual({
      available: false,
      problem: expect.stringMatching(/install bubblewrap.*kind = "none"/),
    });
  });

  test.each(all)("$name", async (attempt) => {
    const { reached, content } = await reachedBy(attempt, "bwrap");
    expect(reached).toEqual([]);
    expect(content).toMatch(/^the command did not run: bubblewrap is not installed/);
  });
});
