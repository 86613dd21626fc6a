import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fsList } from "#lib/agent/tools/fs-list.io.ts";
import { fsRead } from "#lib/agent/tools/fs-read.io.ts";
import { fsWrite } from "#lib/agent/tools/fs-write.io.ts";
import { call, scratch } from "./call-tool.ts";

/**
 * Swaps `ws/place` between a folder and a link out of the workspace, and `ws/file` between a file and such a link. A
 * step can fail because a call has made something in between; then the next round goes on from there.
 */
const SWAPPER = `
const fs = require("node:fs");
process.chdir(process.argv[1]);
const step = (work) => { try { work(); } catch {} };
process.stdout.write("ready");
for (;;) {
  fs.rmSync("real", { recursive: true, force: true });
  step(() => fs.renameSync("place", "real"));
  step(() => fs.symlinkSync("../out", "place"));
  step(() => fs.symlinkSync("../out/secret", "lure"));
  step(() => fs.renameSync("lure", "file"));
  step(() => fs.unlinkSync("place"));
  step(() => fs.renameSync("real", "place"));
  step(() => fs.writeFileSync("plain", "inside"));
  step(() => fs.renameSync("plain", "file"));
}`;

async function startSwapping(ws: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["-e", SWAPPER, ws], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await new Promise<void>((done) => child.stdout?.once("data", () => done()));
  return child;
}

const onLinux = process.platform === "linux";

describe.skipIf(!onLinux)(
  `a folder swapped for a link during the call${onLinux ? "" : " (needs /proc/self/fd)"}`,
  () => {
    it("lets none of 2000 calls out of the workspace", async () => {
      const dir = scratch();
      const ws = path.join(dir, "ws");
      mkdirSync(path.join(ws, "place"), { recursive: true });
      mkdirSync(path.join(dir, "out"));
      writeFileSync(path.join(dir, "out/secret"), "SECRET");
      writeFileSync(path.join(ws, "place/secret"), "inside");
      writeFileSync(path.join(ws, "file"), "inside");
      const child = await startSwapping(ws);
      const place = { workspace: ws, addressing: "descriptors" as const, bytesMax: 1000 };
      const [read, list, write] = [fsRead(place), fsList(place), fsWrite(place)];
      const seen = { fine: 0, refused: 0 };
      // Both have to happen, else nothing was raced: a busy machine may let one of the two wait for long.
      for (let i = 0; i < 400 || Math.min(seen.fine, seen.refused) <= 20; i += 1) {
        const results = await Promise.all([
          call(read, { path: i % 2 ? "place/secret" : "file" }),
          call(list, { path: "place" }),
          call(write, { path: `place/new-${i % 7}`, content: "inside" }),
          call(write, { path: `place/deep-${i % 5}/deeper/new`, content: "inside" }),
          call(write, { path: i % 2 ? "file" : "place/secret", content: "inside" }),
        ]);
        for (const { content, isError } of results) {
          expect(content).not.toContain("SECRET");
          seen[isError ? "refused" : "fine"] += 1;
        }
      }
      expect(child.exitCode).toBeNull();
      expect(readdirSync(path.join(dir, "out"))).toEqual(["secret"]);
      expect(readFileSync(path.join(dir, "out/secret"), "utf8")).toBe("SECRET");
    });
  },
);
