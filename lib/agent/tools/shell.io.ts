import path from "node:path";
import { type Tool, type ToolResult, toolError, toolText } from "#lib/agent/tool.ts";
import { visible } from "#lib/format.ts";
import { type CommandLimits, type CommandResult, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { realFolder } from "#lib/sandbox/real-folder.io.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";
import { within } from "#lib/sandbox/visible.ts";
import { optional, text } from "./arguments.ts";
import { defineTool, ToolProblem } from "./define-tool.ts";
import { outside } from "./workspace-path.ts";

export type ShellOptions = {
  /** Absolute. */
  workspace: string;
  sandbox: { kind: "bwrap" | "none"; network: boolean };
  timeoutSecs: number;
  /** What an unconfined command gets; a confined one gets nothing of it. */
  env: Readonly<Record<string, string | undefined>>;
  /** Names of variables that hold keys of this program's own, such as those of providers. */
  withhold: readonly string[];
};

/** Of each of the two streams; together they stay under the cap on a tool's result. */
const OUTPUT_BYTES_MAX = 95_000;
/** The kernel takes no longer argument. */
const COMMAND_BYTES_MAX = 120_000;

const args = {
  command: text("given to bash -lc"),
  cwd: optional(text("working folder in the workspace; default: the workspace itself")),
};

/**
 * The `shell` tool: `bash -lc` in the workspace, standard output and then standard error. Where the configuration says
 * `bwrap`, a command runs confined or not at all.
 */
export function shellTool(options: ShellOptions): Tool {
  const { sandbox, timeoutSecs } = options;
  return defineTool({
    name: "shell",
    description: descriptionOf(options),
    args,
    readOnly: false,
    capabilities: {
      ...{ private_data: true, untrusted_input: false, destructive: true },
      external_send: sandbox.kind === "none" || sandbox.network,
    },
    async run({ command, cwd }, { signal }) {
      refuseUnlessCommand(command);
      const place = placeOf(cwd ?? ".", options.workspace);
      return tell(await runIn(place, command, options, signal), timeoutSecs);
    },
  });
}

function descriptionOf({ sandbox, timeoutSecs }: ShellOptions): string {
  const reach =
    sandbox.kind === "none"
      ? ""
      : ` The command sees the workspace and the installed programs, and ${sandbox.network ? "can" : "cannot"} reach the network; HOME is empty.`;
  return `Runs a command with bash in the workspace and returns its output. It ends after ${timeoutSecs} seconds at the latest, with everything it started; nothing is typed into it.${reach}`;
}

function refuseUnlessCommand(command: string): void {
  if (command.trim() === "") throw new ToolProblem("the command is empty");
  if (command.includes("\0"))
    throw new ToolProblem("the command holds a NUL character, which bash cannot take");
  if (Buffer.byteLength(command) > COMMAND_BYTES_MAX)
    throw new ToolProblem(
      `the command is longer than ${COMMAND_BYTES_MAX} bytes: write it to a file and run that`,
    );
}

type Place = { workspace: string; cwd: string };

/** The working folder with all links followed: one that leads out of the workspace is refused. */
function placeOf(cwd: string, workspace: string): Place {
  const root = realFolder(workspace);
  if (root === null) throw new ToolProblem(`the workspace ${workspace} is no folder`);
  const asked = path.resolve(workspace, cwd);
  const real = realFolder(asked);
  if (real !== null && within(real, root)) return { workspace: root, cwd: real };
  // An answer must not tell what exists outside.
  const inside = real === null && (within(asked, path.resolve(workspace)) || within(asked, root));
  throw new ToolProblem(inside ? `there is no folder ${visible(cwd)}` : outside(visible(cwd)));
}

function runIn(
  { workspace, cwd }: Place,
  command: string,
  { sandbox, timeoutSecs, env, withhold }: ShellOptions,
  signal: AbortSignal,
): Promise<CommandResult> {
  const argv = ["bash", "-lc", command];
  const limits: CommandLimits = {
    ...USUAL_LIMITS,
    timeoutMs: timeoutSecs * 1000,
    outputBytesMax: OUTPUT_BYTES_MAX,
  };
  if (sandbox.kind === "bwrap")
    return runConfined(
      argv,
      { workspace, cwd, writable: true, network: sandbox.network, env: {} },
      limits,
      signal,
    );
  return runOpen(argv, { cwd, env: { ...withoutKeys(env, withhold), PWD: cwd } }, limits, signal);
}

/** A command that a model wrote has no business with the keys that pay for the model. */
function withoutKeys(
  env: Readonly<Record<string, string | undefined>>,
  withhold: readonly string[],
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !withhold.includes(name) && !/_API_KEY$/i.test(name)),
  );
}

/** A program that fails says why at its end, and standard error comes behind all that it printed. */
function tell(result: CommandResult, timeoutSecs: number): ToolResult {
  return { ...told(result, timeoutSecs), keepsEnd: true };
}

function told(result: CommandResult, timeoutSecs: number): ToolResult {
  const output = result.stdout + result.stderr;
  const failed = (line: string) => toolError(output === "" ? line : `${line}\n${output}`);
  if (result.problem !== null) return failed(`the command did not run: ${result.problem}`);
  if (result.aborted) return failed("the command was interrupted");
  if (result.timedOut) return failed(`the command was ended: it took longer than ${timeoutSecs} s`);
  if (result.overLimit !== null)
    return failed(`the command was ended: it reached a limit (${result.overLimit})`);
  if (result.signal !== null) return failed(`the command was ended by ${result.signal}`);
  if (result.exitCode !== 0) return failed(`exit status ${result.exitCode}`);
  return toolText(output === "" ? "(no output)" : output);
}
