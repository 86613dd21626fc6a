import { type ChildProcess, spawn } from "node:child_process";

// Reads `+ GROUP` and `- GROUP`; when the pipe ends, for whatever reason, this process has ended.
const SCRIPT = `groups=" "
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) case "$groups" in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done`;

let reaper: ChildProcess | null = null;

/**
 * Process groups that must not outlive this process, also when it is killed without a word: one small shell per
 * process waits for its end. Gives the function that takes the group off the list again.
 */
export function endGroupWithUs(group: number): () => void {
  tell(`+ ${group}`);
  return () => tell(`- ${group}`);
}

function tell(line: string): void {
  startReaper().stdin?.write(`${line}\n`);
}

/** Called before a group is made, it leaves next to no time between the group and its place on the list. */
export function startReaper(): ChildProcess {
  if (reaper !== null) return reaper;
  const started = spawn("/bin/sh", ["-c", SCRIPT], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
    cwd: "/",
  });
  const forget = () => {
    reaper = null;
  };
  started.on("error", forget).on("exit", forget);
  started.stdin?.on("error", forget);
  // Neither the shell nor its pipe keeps this process alive.
  started.unref();
  const pipe: { unref?: () => void } | null = started.stdin as { unref?: () => void } | null;
  pipe?.unref?.();
  reaper = started;
  return started;
}
