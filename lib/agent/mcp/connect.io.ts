import type { Tool } from "#lib/agent/tool.ts";
import type { McpServerConfig } from "#lib/config/config.ts";
import { messageOf, type Parsed, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { findProgram } from "./program.io.ts";
import { CONNECT_MS, type Server, startServer } from "./server.io.ts";
import { serverEnv } from "./server-env.ts";
import type { Command } from "./server-process.io.ts";

const CALL_MS = 60_000;

export type ConnectRequest = {
  servers: readonly McpServerConfig[];
  /** Absolute; the servers run there. */
  workspace: string;
  env: Readonly<Record<string, string | undefined>>;
  /** May a confined server write in the workspace? Default true. */
  writable?: boolean;
  /** `fatal`: a server that cannot be used ends it with a UserError; else it is a notice. Default `notice`. */
  onFailure?: "fatal" | "notice";
  /** Names that are taken: a server's tool never stands in for another of that name. */
  taken?: readonly string[];
  /** How long one call may take. */
  callMs?: number;
  connectMs?: number;
  /** Gives up connecting; what comes later is ended by `close`. */
  signal?: AbortSignal;
};

export type Connected = { tools: Tool[]; notices: string[]; close(): Promise<void> };

/**
 * Starts every server that is not disabled, side by side, and gives their tools in the order of the configuration. A
 * server that fails is a line that names it; with `onFailure: "fatal"` it is a UserError, and the others are ended.
 * `close` ends all of them with everything they started, and may be called twice.
 */
export async function connectServers(request: ConnectRequest): Promise<Connected> {
  const wanted = request.servers.filter(({ disabled }) => !disabled);
  const started = await Promise.all(wanted.map((server) => attempt(server, request)));
  const servers = started.flatMap((one) => (one.ok ? [one.value] : []));
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  const failures = started.flatMap((one) => (one.ok ? [] : [one.problem]));
  const aborted = request.signal?.aborted === true;
  if (aborted || (request.onFailure === "fatal" && failures.length > 0)) {
    await close();
    if (aborted) throw request.signal?.reason;
    throw new UserError("bad_input", failures.join("; "));
  }
  const { tools, notices } = withoutClashes(started, wanted, request.taken ?? []);
  return { tools, notices, close };
}

async function attempt(server: McpServerConfig, request: ConnectRequest): Promise<Parsed<Server>> {
  try {
    const { env, missing } = serverEnv(server, request.env);
    const command = await commandOf(server, env, request);
    if (!command.ok) return failed(server, command.problem);
    const started = await startServer(server, command.value, {
      callMs: request.callMs ?? CALL_MS,
      connectMs: request.connectMs ?? CONNECT_MS,
      signal: request.signal ?? null,
    });
    const unset = missing.map((name) => `env_passthrough names ${name}, which is not set`);
    return { ok: true, value: { ...started, notices: [...unset, ...started.notices] } };
  } catch (error) {
    return failed(server, messageOf(error));
  }
}

async function commandOf(
  server: McpServerConfig,
  env: Record<string, string>,
  { workspace, writable }: ConnectRequest,
): Promise<Parsed<Command>> {
  const program = findProgram(server.command, workspace, env.PATH);
  if (!program.ok) return program;
  const command = { argv: [program.value, ...server.args], env, cwd: workspace };
  if (!server.sandbox) return { ok: true, value: command };
  const { confinedCommand } = await import("./confined.io.ts");
  return confinedCommand(server, command, writable ?? true);
}

function failed(server: McpServerConfig, problem: string): { ok: false; problem: string } {
  return { ok: false, problem: noticeOf(server, `cannot be used: ${problem}`) };
}

/** What a server says of itself stands in the line, so the line is made safe for a terminal. */
function noticeOf(server: McpServerConfig, words: string): string {
  return visible(`MCP server ${JSON.stringify(server.name)}: ${words}`);
}

/** The first tool of a name has it. Two servers that want one name would otherwise answer for each other. */
function withoutClashes(
  started: readonly Parsed<Server>[],
  servers: readonly McpServerConfig[],
  taken: readonly string[],
): { tools: Tool[]; notices: string[] } {
  const names = new Set(taken);
  const tools: Tool[] = [];
  const notices: string[] = [];
  for (const [at, server] of servers.entries()) {
    const one = started[at];
    if (one === undefined || !one.ok) {
      if (one !== undefined) notices.push(one.problem);
      continue;
    }
    notices.push(...one.value.notices.map((words) => noticeOf(server, words)));
    for (const tool of one.value.tools) {
      const { name } = tool.spec;
      if (names.has(name)) notices.push(noticeOf(server, `its tool ${name} is left out: the name is taken`));
      else tools.push(tool);
      names.add(name);
    }
  }
  return { tools, notices };
}
