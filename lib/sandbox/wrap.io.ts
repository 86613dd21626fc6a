import { accessSync, constants } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf } from "#lib/errors.ts";
import { type BwrapFeatures, bwrapFeatures, handedOver, type TasksHold, wrapArgv } from "./bwrap.ts";
import {
  type CommandLimits,
  type CommandResult,
  type Confinement,
  type Isolation,
  USUAL_LIMITS,
} from "./confinement.ts";
import { filterFile } from "./filter-file.io.ts";
import { isolationProblem, NO_BWRAP, NOT_LINUX, noTemporaryFolder } from "./isolation-problem.ts";
import { runProgram } from "./process.io.ts";
import { killGroup } from "./process-end.io.ts";
import { dropHold, holdTasks } from "./tasks-group.io.ts";
import { visibleHere } from "./visible.io.ts";

const PROBE_LIMITS: CommandLimits = { ...USUAL_LIMITS, timeoutMs: 10_000, outputBytesMax: 4000 };

type Wrap = { bwrap: string; features: BwrapFeatures };
type Found = { wrap: Wrap; problem: null } | { wrap: null; problem: string };

const probes = new Map<string, Promise<Found>>();

/** Can commands be confined here? Found out once, by running `true` in the very wrap that commands get. */
export async function probe(): Promise<Isolation> {
  const { problem } = await findWrap();
  return problem === null ? { available: true } : { available: false, problem };
}

/** As `probe`, with the wrap itself. PATH says which bubblewrap. */
export function findWrap(): Promise<Found> {
  const searchPath = process.env.PATH ?? "";
  const known = probes.get(searchPath);
  if (known !== undefined) return known;
  const found = lookForWrap(searchPath);
  probes.set(searchPath, found);
  return found;
}

async function lookForWrap(searchPath: string): Promise<Found> {
  if (process.platform !== "linux") return { wrap: null, problem: NOT_LINUX };
  const bwrap = programIn(searchPath, "bwrap");
  if (bwrap === null) return { wrap: null, problem: NO_BWRAP };
  const features = bwrapFeatures((await quietly([bwrap, "--help"])).stdout);
  let workspace: string;
  try {
    workspace = await realpath(await mkdtemp(path.join(tmpdir(), "mecha-probe-")));
    // Kept for the commands that follow.
    filterFile();
  } catch (error) {
    return { wrap: null, problem: noTemporaryFolder(tmpdir(), messageOf(error)) };
  }
  try {
    const confinement = { workspace, cwd: workspace, writable: true, network: false, env: {} };
    const trial = async (chosen: BwrapFeatures) => {
      const { argv, hold } = wrapped(["true"], confinement, PROBE_LIMITS, { bwrap, features: chosen });
      const result = await quietly(argv);
      dropHold(hold);
      return result;
    };
    const result = await trial(features);
    if (result.exitCode === 0) return { wrap: { bwrap, features }, problem: null };
    // Inside a container this one extra may be refused where the rest is not.
    const plain = { ...features, disableUserns: false };
    if (features.disableUserns && (await trial(plain)).exitCode === 0)
      return { wrap: { bwrap, features: plain }, problem: null };
    return { wrap: null, problem: isolationProblem(result) };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

function quietly(argv: readonly string[]): Promise<CommandResult> {
  const { timeoutMs, outputBytesMax } = PROBE_LIMITS;
  const rules = { timeoutMs, outputBytesMax, signal: new AbortController().signal, end: killGroup };
  return runProgram({ argv, cwd: "/", env: {}, stdin: null }, rules);
}

/** The argv and environment of a confined command. The caller drops the control group when the command has ended. */
export function wrapped(
  argv: readonly string[],
  confinement: Confinement,
  limits: CommandLimits,
  { bwrap, features }: Wrap,
): { argv: string[]; env: Record<string, string>; hold: TasksHold } {
  const visible = visibleHere(confinement.readOnlyPlaces);
  const hold = holdTasks(limits.processesMax);
  return {
    argv: wrapArgv(bwrap, argv, { confinement, limits, visible, features, hold, filter: filterFile() }),
    env: handedOver(confinement.env),
    hold,
  };
}

function programIn(searchPath: string, name: string): string | null {
  for (const dir of searchPath.split(path.delimiter).filter(path.isAbsolute)) {
    const file = path.join(dir, name);
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Not in this folder; the next one may have it.
    }
  }
  return null;
}
