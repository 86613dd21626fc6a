import type { CommandLimits, Confinement } from "./confinement.ts";
import { within } from "./visible.ts";

/** What a confined command sees of the machine beside its workspace. */
export type Visible = {
  /** Files and folders shown read-only at their own paths. */
  readOnly: readonly string[];
  /** Links that are not followed but made again, such as `/bin` to `usr/bin`. */
  links: readonly { at: string; to: string }[];
  /** The variable PATH inside: only folders that are visible. */
  path: string;
  /** Variables that lead programs to visible toolchains. */
  env: Readonly<Record<string, string>>;
};

/** Options that not every bubblewrap in use knows. */
export type BwrapFeatures = { disableUserns: boolean; size: boolean };

/**
 * What keeps a command to its number of tasks. `limit`: the kernel's own, which holds for everybody but root. `group`:
 * the folder of a control group that it joins. `idle`: neither can be had, so it gets the time that nobody else wants,
 * and the watch over it comes in time.
 */
export type TasksHold = "limit" | "idle" | { group: string };

/** An empty folder of the command's own. */
export const PRIVATE_HOME = "/run/home";
const USER_ID = "1000";
const SCRATCH_BYTES_MAX = 512 * 1024 * 1024;
const SHARED_MEMORY_BYTES_MAX = 256 * 1024 * 1024;
const OPEN_FILES_MAX = 4096;

/** What `bwrap --help` says it can do. */
export function bwrapFeatures(help: string): BwrapFeatures {
  return { disableUserns: help.includes("--disable-userns"), size: help.includes("--size ") };
}

/**
 * Why a folder cannot be the workspace of a confined command; null when it can.
 *
 * @param workspace its real path, without links
 * @param home the person's, likewise; null: they have none
 */
export function workspaceProblem(workspace: string, home: string | null): string | null {
  const system = /^\/(bin|boot|dev|etc|home|lib|lib32|lib64|libx32|proc|run|sbin|sys|usr|var)?$/;
  if (system.test(workspace) || /^\/(dev|proc|sys)\//.test(workspace))
    return `${workspace} belongs to the system: commands cannot be confined to it; choose a folder of its own`;
  if (home !== null && within(home, workspace))
    return `${workspace} holds your home, and with it your keys: commands cannot be confined to it; choose a folder inside`;
  return null;
}

/**
 * The command that runs `argv` confined, as an argv itself. It begins with a shell that hands bubblewrap four small
 * files (the user, the group, the local host, the filter) and makes the command the first to go when memory runs out.
 * It ends in one that sets the limits: the one on processes counts only the command's own when it is set inside.
 *
 * It has to be started with `handedOver(confinement.env)` as its whole environment: the first process inside keeps
 * that of bubblewrap, where everything inside can read it.
 */
export function wrapArgv(
  bwrap: string,
  argv: readonly string[],
  rules: {
    confinement: Confinement;
    limits: CommandLimits;
    visible: Visible;
    features: BwrapFeatures;
    hold: TasksHold;
    /** File with the filter of system calls; null: none for this machine. */
    filter: string | null;
  },
): string[] {
  const { confinement, limits, visible, features, hold, filter } = rules;
  return [
    ...[
      "/bin/sh",
      "-c",
      HAND_OVER,
      typeof hold === "string" ? hold : hold.group,
      filter ?? "/dev/null",
      bwrap,
    ],
    ...isolationArgs(confinement, features),
    ...(filter === null ? [] : ["--seccomp", "6"]),
    ...environmentArgs(confinement, visible),
    ...machineArgs(visible, features),
    ...(confinement.network ? networkArgs() : ["--ro-bind-data", "5", "/etc/hosts"]),
    ...[confinement.writable ? "--bind" : "--ro-bind", confinement.workspace, confinement.workspace],
    // Last: the folders above the mounts are made on it.
    ...["--remount-ro", "/", "--chdir", confinement.cwd, "--"],
    ...["/bin/bash", "-c", limitScript(limits), "bash", ...argv],
  ];
}

// The name of the script, $0, is the hold on its tasks; its first argument the filter.
const HAND_OVER = `filter=$1
shift
case $0 in
  /*) echo $$ 2>/dev/null >"$0/cgroup.procs" ;;
  idle) ! command -v chrt >/dev/null || set -- chrt -i 0 "$@" ;;
esac
echo 1000 2>/dev/null >/proc/self/oom_score_adj
exec "$@" 3<<USER 4<<GROUP 5<<HOSTS 6<"$filter"
mecha:x:${USER_ID}:${USER_ID}:mecha:${PRIVATE_HOME}:/bin/bash
nobody:x:65534:65534:nobody:/nonexistent:/bin/false
USER
mecha:x:${USER_ID}:
nogroup:x:65534:
GROUP
127.0.0.1 localhost
::1 localhost
HOSTS`;

function isolationArgs({ network }: Confinement, features: BwrapFeatures): string[] {
  return [
    ...["--unshare-all", "--unshare-user"],
    ...(network ? ["--share-net"] : []),
    ...(features.disableUserns ? ["--disable-userns"] : []),
    ...["--uid", USER_ID, "--gid", USER_ID, "--hostname", "sandbox"],
    ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
  ];
}

function environmentArgs({ env, cwd }: Confinement, visible: Visible): string[] {
  const handed = handedOver(env);
  const variables = {
    ...{ PATH: visible.path, HOME: PRIVATE_HOME, USER: "mecha", LOGNAME: "mecha", SHELL: "/bin/bash" },
    ...{ LANG: "C.UTF-8", TERM: "dumb", TMPDIR: "/tmp", PWD: cwd },
    ...visible.env,
    ...env,
  };
  return Object.entries(variables).flatMap(([name, value]) =>
    handed[name] === undefined ? ["--setenv", name, value] : [],
  );
}

/**
 * Variables that go to the command by way of bubblewrap's own environment. Not as its arguments, which every user of
 * the machine can read; but those that would change how bubblewrap and the shell around it run have to.
 */
export function handedOver(env: Readonly<Record<string, string>>): Record<string, string> {
  const harmless =
    /^(?!LD_|GLIBC_|MALLOC_|BASH(?:OPTS|PID)?$|BASH_|ENV$|IFS$|PATH$|PWD$|SHELLOPTS$|PS4$|PROMPT_COMMAND$|LOCPATH$|GCONV_PATH$)[A-Za-z_][A-Za-z0-9_]*$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => harmless.test(name)));
}

function machineArgs({ readOnly, links }: Visible, features: BwrapFeatures): string[] {
  const sized = (bytes: number) => (features.size ? ["--size", String(bytes)] : []);
  return [
    // Root outside stays the owner of the files of /proc/sys also without a capability: all of /proc is read-only.
    ...["--proc", "/proc", "--remount-ro", "/proc"],
    ...["--dev", "/dev", ...sized(SHARED_MEMORY_BYTES_MAX), "--tmpfs", "/dev/shm", "--remount-ro", "/dev"],
    ...[...sized(SCRATCH_BYTES_MAX), "--tmpfs", "/tmp", "--symlink", "/tmp", "/var/tmp"],
    ...[...sized(SCRATCH_BYTES_MAX), "--tmpfs", PRIVATE_HOME],
    ...["--ro-bind-data", "3", "/etc/passwd", "--ro-bind-data", "4", "/etc/group"],
    ...links.flatMap(({ at, to }) => ["--symlink", to, at]),
    ...readOnly.flatMap((place) => ["--ro-bind-try", place, place]),
  ];
}

function networkArgs(): string[] {
  return ["/etc/resolv.conf", "/etc/hosts"].flatMap((file) => ["--ro-bind-try", file, file]);
}

/** A limit that is lower already stays; so none of these may fail the command. */
function limitScript({ fileBytesMax, processesMax }: CommandLimits): string {
  const limits = [
    "-c 0",
    `-n ${OPEN_FILES_MAX}`,
    `-f ${Math.ceil(fileBytesMax / 1024)}`,
    `-u ${processesMax}`,
  ];
  return `${limits.map((limit) => `ulimit ${limit} 2>/dev/null`).join("; ")}; exec "$@"`;
}
