import type { CommandResult } from "./confinement.ts";

const OTHERWISE = 'or set kind = "none" under [sandbox] to run commands unconfined';

export const NOT_LINUX = `commands can be confined only on Linux, with bubblewrap: work there, ${OTHERWISE}`;

export const NO_BWRAP = `bubblewrap is not installed (no bwrap on PATH): install it (apt install bubblewrap, dnf install bubblewrap, apk add bubblewrap bash), ${OTHERWISE}`;

/** Commands are confined by way of files that the temporary folder has to take. */
export function noTemporaryFolder(folder: string, why: string): string {
  return `nothing can be written in the temporary folder ${folder} (${why}): free it, or name another in TMPDIR`;
}

/** Why bubblewrap, though installed, does not work here, and what would help, as one line. */
export function isolationProblem({ stderr, exitCode, timedOut, problem }: CommandResult): string {
  const said = stderr.trim().split("\n")[0] ?? "";
  const what = problem ?? (timedOut ? "it did not answer" : said || `exit status ${exitCode ?? "unknown"}`);
  return `bubblewrap cannot confine commands here (${what}): ${adviceOn(what)}, ${OTHERWISE}`;
}

function adviceOn(what: string): string {
  if (/mount proc/i.test(what))
    return "this container hides parts of /proc; start it with --security-opt systempaths=unconfined";
  if (/namespace|uid map|gid map|not permitted|permission/i.test(what))
    return "user namespaces are refused; allow them (sysctl kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; in a container --security-opt seccomp=unconfined)";
  if (/\/bin\/bash|execvp/.test(what)) return "commands need /bin/bash; install bash";
  return "see what it says";
}
