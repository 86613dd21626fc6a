import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseCases } from "#lib/eval/case-file.ts";
import { interpretersIn } from "#lib/eval/interpreters.ts";
import { notRunnable } from "#lib/eval/not-run.io.ts";
import { scratchDir } from "#tests/support/session-files.ts";

describe("the programs that a command needs", () => {
  it.each([
    ["python3 a.py", ["python3"]],
    ['test "$(sha256sum a | cut -c1-16)" = "ab" && python3 a.py', ["python3"]],
    ["cd kata; NODE_ENV=test node a.mjs | grep -q ok", ["node"]],
    ["if true; then make check; fi", ["make"]],
    ['test "$(node -p 1)" = 1', ["node"]],
    ["echo go make it", []],
    ['grep -q "perl" README.md', []],
    ["./python3", []],
    ["node a && node b", ["node"]],
  ])("%s", (command, programs) => {
    expect(interpretersIn(command)).toEqual(programs);
  });
});

const MISSING = ["deno", "bun", "cargo", "javac"].find(
  (name) => spawnSync("bash", ["-lc", `command -v ${name}`]).status !== 0,
);

describe.skipIf(MISSING === undefined)("a case whose interpreter is missing", () => {
  it("is not run, and says which; the others are", async () => {
    const lines = [`${MISSING} run a`, "true", `echo ${MISSING}`].map((verify, n) =>
      JSON.stringify({ id: `c${n}`, tags: ["t"], prompt: "p", sandbox: true, expect: { verify } }),
    );
    const cases = parseCases(lines.join("\n"), "f");
    if (!cases.ok) throw new Error(cases.problem);
    const env = { PATH: process.env.PATH };
    const left = await notRunnable(cases.value, { unconfined: false, fixture: import.meta.dirname, env });
    expect(left).toEqual([{ id: "c0", reason: `${MISSING} is not installed` }]);
  });
});

it("an interpreter that only a variable of the person's leads to is none: commands of a case do not get it", async () => {
  const home = scratchDir();
  mkdirSync(path.join(home, "tools"));
  writeFileSync(path.join(home, "tools", "bun"), "#!/bin/sh\n", { mode: 0o755 });
  writeFileSync(path.join(home, ".bash_profile"), 'PATH="$TOOLS"\n');
  const line = { id: "c", tags: ["t"], prompt: "p", sandbox: true, expect: { verify: "bun a" } };
  const cases = parseCases(JSON.stringify(line), "f");
  if (!cases.ok) throw new Error(cases.problem);
  const left = (env: Record<string, string | undefined>) =>
    notRunnable(cases.value, {
      unconfined: true,
      fixture: home,
      env: { PATH: process.env.PATH, HOME: home, ...env },
    });
  expect(await left({ TOOLS: path.join(home, "tools") })).toEqual([
    { id: "c", reason: "bun is not installed" },
  ]);
  writeFileSync(path.join(home, ".bash_profile"), `PATH="${home}/tools"\n`);
  expect(await left({})).toEqual([]);
});
