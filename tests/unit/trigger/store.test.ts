import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTriggers } from "#lib/trigger/store.io.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "mecha-triggers-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const GOOD = 'schedule = "@daily"\nprompt = "p"\n';
const put = (name: string, text: string | Uint8Array) => writeFileSync(path.join(dir, name), text);

describe("the triggers folder", () => {
  it("is empty when it is not there", async () => {
    const store = await readTriggers(path.join(dir, "nowhere"));
    expect(store).toMatchObject({ triggers: [], problems: [], ledger: { rows: [] } });
  });

  it("is a problem when it is a file", async () => {
    put("file", "");
    const store = await readTriggers(path.join(dir, "file"));
    expect(store.problems).toHaveLength(1);
    expect(store.problems[0]?.problem).toContain("ENOTDIR");
  });

  it("gives triggers in byte order, and its ledger", async () => {
    for (const name of ["b", "a", "a_1", "a-1"]) put(`${name}.toml`, GOOD);
    put("runs.jsonl", '{"trigger":"a","started_at":"2026-08-14T07:00:01Z","status":"ok"}\n');
    put("notes.txt", "not a trigger");
    put("._a.toml", "\0\x05\x16\x07, as macOS leaves it beside a.toml");
    const store = await readTriggers(dir);
    expect(store.triggers.map(({ name }) => name)).toEqual(["a-1", "a", "a_1", "b"]);
    expect(store.ledger.rows).toHaveLength(1);
    expect(store.problems).toEqual([]);
  });

  it("names each file it cannot use and reads the others", async () => {
    put("good.toml", GOOD);
    put("Bad Name.toml", GOOD);
    put("broken.toml", "schedule = ");
    put("latin.toml", Buffer.concat([Buffer.from(`${GOOD}# `), Buffer.from([0xe9])]));
    put("huge.toml", "");
    truncateSync(path.join(dir, "huge.toml"), 300_000);
    mkdirSync(path.join(dir, "folder.toml"));
    symlinkSync(path.join(dir, "gone"), path.join(dir, "dangling.toml"));
    symlinkSync(path.join(dir, "loop.toml"), path.join(dir, "loop.toml"));
    execFileSync("mkfifo", [path.join(dir, "pipe.toml")]);
    const store = await readTriggers(dir);
    expect(store.triggers.map(({ name }) => name)).toEqual(["good"]);
    const said = Object.fromEntries(
      store.problems.map(({ place, problem }) => [path.basename(place), problem]),
    );
    expect(Object.keys(said)).toHaveLength(8);
    expect(said).toMatchObject({
      "Bad Name.toml": expect.stringContaining("a trigger's name"),
      "broken.toml": expect.stringContaining("broken.toml:1: "),
      "latin.toml": expect.stringContaining("encoded data was not valid"),
      "huge.toml": expect.stringContaining("larger than"),
      "dangling.toml": expect.stringContaining("ENOENT"),
      "loop.toml": expect.stringContaining("ELOOP"),
      "pipe.toml": "not a regular file",
    });
  });

  it("follows a link to a trigger kept elsewhere", async () => {
    mkdirSync(path.join(dir, "dotfiles"));
    put("dotfiles/real", GOOD);
    symlinkSync(path.join(dir, "dotfiles/real"), path.join(dir, "linked.toml"));
    expect((await readTriggers(dir)).triggers.map(({ name }) => name)).toEqual(["linked"]);
  });

  it("reads the last 64 MB of a longer ledger, in whole lines, and says what it left out", async () => {
    const row = `${JSON.stringify({ trigger: "a", started_at: "2026-08-14T07:00:01Z", status: "ok", summary: "x".repeat(2_000_000) })}\n`;
    put("runs.jsonl", row.repeat(40));
    const { coverage, rows } = (await readTriggers(dir)).ledger;
    expect(rows).toHaveLength(33);
    expect(coverage.bytes_left_out).toBe(row.length * 7);
  });

  it("says that a ledger cannot be read", async () => {
    mkdirSync(path.join(dir, "runs.jsonl"));
    put("good.toml", GOOD);
    const store = await readTriggers(dir);
    expect(store.triggers).toHaveLength(1);
    expect(store.problems).toEqual([{ place: path.join(dir, "runs.jsonl"), problem: "not a regular file" }]);
  });
});
