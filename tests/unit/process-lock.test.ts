import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { UserError } from "#lib/errors.ts";
import { tryLock } from "#lib/process-lock.io.ts";

let home = "";
const children: ChildProcess[] = [];
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), "mecha-lock-"));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(home, { recursive: true, force: true });
});
const file = () => path.join(home, "locks", "morning.lock");

function child(body: string): ChildProcess {
  const source = path.join(home, `child-${children.length}.mts`);
  writeFileSync(
    source,
    `import { appendFileSync } from "node:fs";
import { tryLock } from ${JSON.stringify(path.resolve("lib/process-lock.io.ts"))};
const file = ${JSON.stringify(file())};
const log = (words) => appendFileSync(${JSON.stringify(path.join(home, "log"))}, words + "\\n");
${body}`,
  );
  const started = spawn(process.execPath, ["--import", "tsx", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(started);
  return started;
}

test("one holds it, and the next gets it once it is let go", async () => {
  const first = await tryLock(file());
  expect(first).not.toBeNull();
  expect(await tryLock(file())).toBeNull();
  first?.release();
  const second = await tryLock(file());
  expect(second).not.toBeNull();
  second?.release();
});

test("two locks do not touch each other", async () => {
  const one = await tryLock(file());
  const other = await tryLock(path.join(home, "locks", "evening.lock"));
  expect(other).not.toBeNull();
  one?.release();
  other?.release();
});

test("a holder that is killed holds nothing", async () => {
  const holder = child(`await tryLock(file); console.log("held"); setInterval(() => undefined, 1000);`);
  await once(holder.stdout ?? holder, "data");
  expect(await tryLock(file())).toBeNull();
  holder.kill("SIGKILL");
  await once(holder, "exit");
  const next = await tryLock(file());
  expect(next).not.toBeNull();
  next?.release();
});

test("processes that race for it are never two inside, also when some are killed", async () => {
  const racing = Array.from({ length: 6 }, () =>
    child(`for (let i = 0; i < 40; i += 1) {
  const lock = await tryLock(file, 2000);
  if (lock === null) continue;
  log("in " + process.pid);
  await new Promise((resolve) => setTimeout(resolve, 1));
  log("out " + process.pid);
  lock.release();
}`),
  );
  setTimeout(() => racing[0]?.kill("SIGKILL"), 1200);
  await Promise.all(racing.map((one) => once(one, "exit")));
  const lines = readFileSync(path.join(home, "log"), "utf8").trim().split("\n");
  expect(lines.length).toBeGreaterThan(200);
  let inside: string | null = null;
  let killed = 0;
  for (const line of lines) {
    const [what, pid = ""] = line.split(" ");
    if (what === "out") {
      expect(inside).toBe(pid);
      inside = null;
      continue;
    }
    if (inside !== null) killed += 1;
    if (inside !== null) expect(inside).toBe(String(racing[0]?.pid));
    inside = pid;
  }
  expect(killed).toBeLessThanOrEqual(1);
});

test("where there can be no lock, that is said, and nobody runs without one", async () => {
  writeFileSync(path.join(home, "locks"), "");
  await expect(tryLock(file())).rejects.toThrow(UserError);
  await expect(tryLock(file())).rejects.toThrow(/the lock .*morning\.lock cannot be used/);
});
