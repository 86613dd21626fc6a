import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import path from "node:path";

/** What a confined command must not be able to reach, and a look at whether it did. */
export type Host = {
  workspace: string;
  /** A folder beside the workspace, with `secret.txt`, `target.txt` and `host.sock` in it. */
  outside: string;
  /** A folder in the real home with `secret.txt`; null where the home cannot be written to. */
  home: string | null;
  port: number;
  abstractName: string;
  canaryPid: number;
  /** Stands in the secret files, in the environment of this process and in that of the canary. */
  secret: string;
  /** Name of the processes that attempts leave behind. */
  mark: string;
  /** One line for each thing that was reached; empty: nothing. Waits a moment for what is on its way. */
  reached(): Promise<string[]>;
  close(): void;
};

const VARIABLE = "MECHA_ESCAPE_SECRET";

export async function aHost(): Promise<Host> {
  const id = `${process.pid}-${Math.floor(performance.now() * 1000)}`;
  const secret = `top-secret-${id}`;
  const mark = `escaped-${id}`;
  const base = realpathSync(mkdtempSync(path.join(tmpdir(), "mecha-escape-")));
  const workspace = mkdtempSync(path.join(base, "workspace-"));
  const outside = mkdtempSync(path.join(base, "outside-"));
  const home = inHome();
  for (const folder of [outside, ...(home === null ? [] : [home])])
    writeFileSync(path.join(folder, "secret.txt"), secret);
  writeFileSync(path.join(outside, "target.txt"), "untouched");
  symlinkSync(outside, path.join(workspace, "way-out"));
  symlinkSync(path.join(outside, "target.txt"), path.join(workspace, "target-link"));
  process.env[VARIABLE] = secret;
  const canary = spawn("/bin/sleep", ["600"], { stdio: "ignore" });
  let contacts = 0;
  const abstractName = `mecha-escape-${id}`;
  const servers = [0, path.join(outside, "host.sock"), `\0${abstractName}`].map((at) =>
    createServer((socket) => {
      contacts += 1;
      socket.end(secret);
    }).listen(typeof at === "number" ? { port: at, host: "0.0.0.0" } : { path: at }),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.once("listening", done))));
  const before = filesOf(base, workspace);
  return {
    ...{ workspace, outside, home, secret, mark, abstractName },
    port: portOf(servers[0]),
    canaryPid: canary.pid ?? 0,
    async reached() {
      const left = await processesNamed(mark);
      const after = filesOf(base, workspace);
      return [
        ...(after === before ? [] : [`files outside changed: ${before} → ${after}`]),
        ...(contacts === 0 ? [] : [`${contacts} contact(s) with a server of the host`]),
        ...(alive(canary) ? [] : ["a process of the host was ended"]),
        ...left.map((pid) => `process ${pid} outlived its call`),
        ...["/tmp", "/dev/shm", "/etc", "/usr/bin", "/run", homedir()]
          .map((folder) => path.join(folder, mark))
          .filter((file) => existsSync(file))
          .map((file) => `${file} was written`),
      ];
    },
    close() {
      delete process.env[VARIABLE];
      canary.kill("SIGKILL");
      for (const server of servers) server.close();
      for (const folder of [base, ...(home === null ? [] : [home])])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}

function inHome(): string | null {
  try {
    return mkdtempSync(path.join(homedir(), ".mecha-escape-"));
  } catch {
    // A user without a home, such as nobody: there is none to read.
    return null;
  }
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return address.port;
}

const alive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;

/** Names and contents of everything beside the workspace. */
function filesOf(base: string, workspace: string): string {
  return readdirSync(base, { recursive: true, withFileTypes: true })
    .filter((entry) => !path.join(entry.parentPath, entry.name).startsWith(workspace))
    .map((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      return `${path.relative(base, file)}${entry.isFile() ? `=${readFileSync(file, "utf8")}` : ""}`;
    })
    .sort()
    .join(", ");
}

/** Processes still there under a name after a second; the kernel takes a moment to clear a namespace. */
export async function processesNamed(name: string): Promise<number[]> {
  const look = () =>
    readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(name));
  for (let tries = 0; tries < 20 && look().length > 0; tries += 1)
    await new Promise((done) => setTimeout(done, 50));
  return look();
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    // It has ended.
    return "";
  }
}
