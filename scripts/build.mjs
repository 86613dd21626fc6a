// Builds the command line and the dashboard. `npm run build` runs it; `npm start` calls it when a build is missing or old.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const root = path.resolve(import.meta.dirname, "..");
const built = path.join(root, ".next");
const stampFile = path.join(built, "mecha-sources");
const lockFile = path.join(root, "dist", "build.lock");
/** Who holds the lock shows so often that it is there; who has not for so long is gone, or stands still. */
const SHOW_MS = 2_000;
const GONE_MS = 60_000;

const INPUTS = ["app", "lib", "db", "public", "proxy.ts", "instrumentation.ts"];
const SETTINGS = [
  "next.config.mjs",
  "postcss.config.mjs",
  "tsconfig.json",
  "package.json",
  "package-lock.json",
];

/**
 * Builds the dashboard unless the present build is of the present sources. `onChild` is shown the build's process;
 * `onWait` is told once when another process is building. Gives the output of a build that failed, else null.
 */
export async function buildDashboard({ onStart, onWait, onChild }) {
  if (isCurrent()) return null;
  const release = await lock(onWait);
  try {
    // Another process may have built it while this one waited.
    if (isCurrent()) return null;
    onStart();
    return await build(onChild);
  } finally {
    release();
  }
}

function isCurrent() {
  return existsSync(path.join(built, "BUILD_ID")) && readOrNull(stampFile) === sourcesHash();
}

async function build(onChild) {
  // Taken before the build: what changes while it runs makes it old.
  const stamp = sourcesHash();
  // Without a stamp it is a build that failed or was cut off: nothing of it is to be trusted.
  if (readOrNull(stampFile) === null) discardBuild();
  rmSync(stampFile, { force: true });
  const child = spawn(process.execPath, [path.join(root, "scripts", "next.mjs"), "build"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  onChild(child);
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code === 0) {
    writeFileSync(stampFile, stamp);
    return null;
  }
  discardBuild();
  return Buffer.concat(output).toString();
}

/** A failure is remembered in the build's cache and would come back in a later, healthy build. */
function discardBuild() {
  for (const name of existsSync(built) ? readdirSync(built) : [])
    if (name !== "dev") rmSync(path.join(built, name), { recursive: true, force: true });
}

function sourcesHash() {
  const hash = createHash("sha256").update(process.version);
  for (const name of [...INPUTS, ...SETTINGS]) addToHash(hash, name);
  return hash.digest("hex");
}

function addToHash(hash, name) {
  const full = path.join(root, name);
  if (!existsSync(full)) return;
  const names = listOrNull(full);
  if (names === null) hash.update(`${name}\0`).update(readFileSync(full)).update("\0");
  else for (const inner of names.sort()) addToHash(hash, path.join(name, inner));
}

function listOrNull(dir) {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (error.code === "ENOTDIR") return null;
    throw error;
  }
}

/** Two builds in one checkout break each other. Gives the function that lets the next one in. */
async function lock(onWait) {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  let waiting = false;
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      return holdLock();
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const owner = readOrNull(lockFile);
    if (owner === null) continue;
    if (!lives(owner)) takeAway(owner);
    else {
      if (!waiting) onWait();
      waiting = true;
      await sleep(300);
    }
  }
}

function holdLock() {
  const showing = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(lockFile, now, now);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }, SHOW_MS);
  showing.unref();
  return () => {
    clearInterval(showing);
    rmSync(lockFile, { force: true });
  };
}

/**
 * Is the process alive that wrote its number into the lock? In a container the same few numbers come back after each
 * start, so that a number alone, or this process's own, says little. A lock without one is being written just now.
 */
function lives(owner) {
  const shown = lockAge();
  if (shown === null || shown > GONE_MS) return false;
  const pid = Number(owner);
  if (owner === "" || !(pid > 0)) return shown < SHOW_MS;
  if (pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
}

function lockAge() {
  const stats = statSync(lockFile, { throwIfNoEntry: false });
  return stats === undefined ? null : Date.now() - stats.mtimeMs;
}

/** Takes a dead owner's lock away, and gives back what turns out to be another's, who was quicker. */
function takeAway(owner) {
  const aside = `${lockFile}.${process.pid}`;
  try {
    renameSync(lockFile, aside);
    if (readOrNull(aside) === owner) rmSync(aside, { force: true });
    else renameSync(aside, lockFile);
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function readOrNull(file) {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await import("./build-cli.mjs");
  const problem = await buildDashboard({
    onStart: () => process.stdout.write("Building the dashboard\n"),
    onWait: () => process.stdout.write("Waiting for a build that is running\n"),
    onChild: (child) => {
      child.stdout.pipe(process.stdout);
      child.stderr.pipe(process.stderr);
    },
  });
  if (problem !== null) process.exitCode = 1;
}
