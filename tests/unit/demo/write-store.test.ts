import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isDemo } from "#lib/demo/stamp.io.ts";
import { ensureDemoStore } from "#lib/demo/write-store.io.ts";

const NOW = Date.parse("2026-11-30T09:41:00Z");
const DAY = 86_400_000;
let top: string;
let home: string;

beforeEach(async () => {
  top = await mkdtemp(path.join(tmpdir(), "mecha-demo-"));
  home = path.join(top, "home");
});
afterEach(() => rm(top, { recursive: true, force: true }));

const sessions = () => readdir(path.join(home, "sessions"));

test("is made once a day, for its owner only", async () => {
  expect(await ensureDemoStore(home, NOW)).toBe("made");
  const names = await sessions();
  expect(names.length).toBeGreaterThan(188);
  expect(await ensureDemoStore(home, NOW + 3_600_000)).toBe("kept");
  expect((await stat(path.join(home, "sessions"))).mode & 0o777).toBe(0o700);
  expect((await stat(path.join(home, "sessions", names[0] ?? ""))).mode & 0o777).toBe(0o600);
  expect((await readdir(home)).sort()).toEqual(["demo-stamp", "sessions", "triggers"]);
});

test("it and the folders in it are told from any other place, by whatever name", async () => {
  await ensureDemoStore(home, NOW);
  await symlink(home, path.join(top, "link"));
  for (const place of [home, path.join(home, "sessions"), path.join(top, "link", "triggers")])
    expect([place, isDemo(place)]).toEqual([place, true]);
  for (const place of [top, path.join(top, "sessions"), path.join(home, "sessions", "deeper")])
    expect([place, isDemo(place)]).toEqual([place, false]);
});

test("a store of another day is replaced whole; what else stands there stays", async () => {
  await ensureDemoStore(home, NOW - 9 * DAY);
  const before = await sessions();
  await mkdir(path.join(home, "dashboard"));
  await writeFile(path.join(home, "dashboard", "mecha.db"), "kept");
  expect(await ensureDemoStore(home, NOW)).toBe("made");
  const after = await sessions();
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(await readFile(path.join(home, "dashboard", "mecha.db"), "utf8")).toBe("kept");
});

test("a store that lost a file, and one whose making was cut off, are made again", async () => {
  await ensureDemoStore(home, NOW);
  const [first = ""] = await sessions();
  await rm(path.join(home, "sessions", first));
  expect(await ensureDemoStore(home, NOW)).toBe("made");
  expect(await sessions()).toContain(first);
  await rm(path.join(home, "triggers"), { recursive: true });
  await writeFile(path.join(home, "demo-stamp"), "being made");
  const leftover = path.join(home, ".making-0123");
  await mkdir(path.join(leftover, "sessions"), { recursive: true });
  await utimes(leftover, NOW / 1000 - 7200, NOW / 1000 - 7200);
  expect(await ensureDemoStore(home, NOW)).toBe("made");
  expect((await readdir(home)).sort()).toEqual(["demo-stamp", "sessions", "triggers"]);
});

test("a real store is never replaced", async () => {
  await mkdir(path.join(home, "sessions"), { recursive: true });
  await writeFile(path.join(home, "sessions", "20261101T080000-0a1b2c3d.jsonl"), "{}\n");
  await expect(ensureDemoStore(home, NOW)).rejects.toThrow(
    /sessions is not a demo store; it is left as it is/,
  );
  expect(await sessions()).toEqual(["20261101T080000-0a1b2c3d.jsonl"]);
});

test("a place that cannot be written is said in one line", async () => {
  await writeFile(home, "a file, not a folder");
  await expect(ensureDemoStore(home, NOW)).rejects.toThrow(/ENOTDIR/);
});

test("several processes at once leave one whole store", async () => {
  await Promise.all([1, 2, 3, 4].map((n) => ensureDemoStore(home, NOW + n)));
  expect(await ensureDemoStore(home, NOW)).toBe("kept");
  expect((await readdir(home)).filter((name) => name.startsWith(".making"))).toEqual([]);
});
