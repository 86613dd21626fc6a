// `npm start`: builds what is missing, finds the transcripts (or makes the demo store), serves the dashboard, and runs a
// worker beside it.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect, createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

refuseOldNode();
const root = path.resolve(import.meta.dirname, "..");
/** Next.js waits for every open connection when it is asked to end, and a browser keeps its own open. Nothing is lost by cutting them. */
const GRACE_MS = 200;
/** A worker gives back what it was at, and clears up behind it. */
const WORKER_GRACE_MS = 3_000;

const children = new Set();
const graces = new Map();
let stopping = false;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(0));
leaveWithNpm();
await main();

async function main() {
  if (!existsSync(path.join(root, "node_modules", "next")))
    fail("the packages are not installed: run `npm ci` first");
  const { buildDashboard } = await import("./build.mjs");
  await import("./build-cli.mjs");
  const plan = await findSources();
  const port = await freePort(plan.host, plan.port);
  if (!plan.loopback) {
    say(
      `others can reach ${plan.host}: whoever comes signs in with a token, and this server's names go into MECHA_ALLOWED_HOSTS`,
    );
  }
  const begun = Date.now();
  const problem = await buildDashboard({
    onStart: () => say("building the dashboard, half a minute or so ..."),
    onWait: () => say("waiting for a build that another process is running ..."),
    onChild: adopt,
  });
  if (stopping) return;
  if (problem !== null) fail(`the dashboard does not build:\n\n${problem}`);
  if (Date.now() - begun > 1_000) {
    say(`built in ${Math.round((Date.now() - begun) / 1000)} s`);
    // Time enough for somebody else to take it.
    await freePort(plan.host, port);
  }
  const env = {
    ...process.env,
    ...plan.env,
    NODE_ENV: "production",
    NEXT_TELEMETRY_DISABLED: "1",
    PORT: String(port),
  };
  for (const name of plan.unset) delete env[name];
  runBeside(
    "the dashboard",
    path.join(root, "scripts", "next.mjs"),
    ["start", "-H", plan.host, "-p", String(port)],
    {
      env,
      stdout: "ignore",
    },
  );
  runBeside("the worker", path.join(root, "dist", "worker.mjs"), [], { env, stdout: "inherit" });
  await accepts(plan.host, port);
  if (!stopping) say(`ready on http://${urlHost(plan.host)}:${port} - ${plan.showing}`);
}

/** Settings, sources and, where no source holds a session, the demo store: decided by the same code as everywhere. */
async function findSources() {
  const child = spawn(process.execPath, [path.join(root, "dist", "find-sources.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  adopt(child);
  const output = [];
  child.stdout.on("data", (chunk) => output.push(chunk));
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) stop(code ?? 1);
  // Ends with the process: nothing may go on without a plan.
  if (stopping) return new Promise(() => undefined);
  return JSON.parse(Buffer.concat(output).toString());
}

/** Runs one of the two; when it ends, everything ends with its code. */
function runBeside(name, script, args, { env, stdout }) {
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    env,
    stdio: ["ignore", stdout, "inherit", "ipc"],
  });
  adopt(child);
  if (name === "the worker") graces.set(child, WORKER_GRACE_MS);
  child.on("exit", (code, signal) => {
    if (stopping) return;
    say(`${name} ended (${signal ?? `exit code ${code}`})`);
    stop(code || 1);
  });
}

function adopt(child) {
  children.add(child);
  child.on("exit", () => {
    children.delete(child);
    if (stopping && children.size === 0) process.exit();
  });
}

/** Asks every child to end, makes it end after a grace, and leaves with `code`. */
function stop(code) {
  if (stopping) return;
  stopping = true;
  process.exitCode = code;
  if (children.size === 0) process.exit();
  for (const child of children) {
    child.kill("SIGTERM");
    setTimeout(() => child.kill("SIGKILL"), graces.get(child) ?? GRACE_MS);
  }
}

/** npm passes on what it is asked to end with, but not that it was killed. */
function leaveWithNpm() {
  if (process.env.npm_lifecycle_event !== "start") return;
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && stop(0), 500).unref();
}

/** The port itself, or a free one for 0; ends with one line when it is taken. */
async function freePort(host, port) {
  const server = createServer();
  const error = await new Promise((resolve) => {
    server.once("error", resolve);
    server.listen({ host, port, exclusive: true }, () => resolve(null));
  });
  if (error?.code === "EADDRINUSE")
    fail(`port ${port} is taken: choose another with PORT=${port + 1} npm start`);
  if (error?.code === "EACCES")
    fail(`port ${port} needs rights you do not have: choose one above 1023 with PORT`);
  if (error) fail(`cannot listen on ${host}: ${error.message}`);
  const free = server.address().port;
  await new Promise((resolve) => server.close(resolve));
  return free;
}

async function accepts(host, port) {
  const target = { "0.0.0.0": "127.0.0.1", "::": "::1" }[host] ?? host;
  while (!stopping) {
    const open = await new Promise((resolve) => {
      const socket = connect({ host: target, port }, () => resolve(true));
      socket.on("error", () => resolve(false));
      socket.on("connect", () => socket.destroy());
    });
    if (open) return;
    await sleep(50);
  }
}

function urlHost(host) {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    fail(`Node 20.19 or newer is needed; this is ${process.version}`);
}

function say(line) {
  process.stdout.write(`mecha: ${line}\n`);
}

function fail(line) {
  process.stderr.write(`mecha: ${line}\n`);
  process.exit(1);
}
