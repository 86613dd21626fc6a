import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type Command = [string, ...string[]] | string[];

/** What a command needs and nothing else: an inherited NODE_EXTRA_CA_CERTS alone makes each Node start twice as long. */
export function cleanEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), NODE_ENV: "production" };
}

/** Runs a command to its end; throws where it fails. */
export function runOnce(command: Command, env: NodeJS.ProcessEnv): { stdout: string } {
  const [program = "", ...args] = command;
  const result = spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 1e9 });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command.join(" ")}: exit ${result.status}\n${result.stderr}`);
  return { stdout: result.stdout };
}

/** Wall-clock times in ms of each command, run in turns; output goes nowhere. */
export function runsOf<K extends string>(
  times: number,
  env: NodeJS.ProcessEnv,
  commands: Record<K, Command>,
): Record<K, number[]> {
  const names = Object.keys(commands) as K[];
  const taken = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let turn = 0; turn < times; turn++) {
    for (const name of names) {
      const [program = "", ...args] = commands[name];
      const begun = performance.now();
      const { status, error } = spawnSync(program, args, { env, stdio: "ignore" });
      if (error) throw error;
      if (status !== 0) throw new Error(`${commands[name].join(" ")}: exit ${status}`);
      taken[name].push(performance.now() - begun);
    }
  }
  return taken;
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which that share of the values lies (nearest rank). */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** Milliseconds for a reader; seconds from ten of them. */
export function ms(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} s` : `${value.toFixed(value < 100 ? 1 : 0)} ms`;
}

/** The most memory in MB that a process has had so far; null where the system does not tell, or it has ended. */
export function peakMb(pid: number | undefined): number | null {
  try {
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kb === undefined ? null : Number(kb) / 1024;
  } catch {
    // No such process, or no Linux.
    return null;
  }
}
