import type { Client } from "@modelcontextprotocol/client";
import type { JsonObject } from "#lib/agent/model.ts";
import { oneLine } from "#lib/agent/providers/failure.ts";
import { type Tool, type ToolContext, type ToolResult, toolError } from "#lib/agent/tool.ts";
import type { McpServerConfig } from "#lib/config/config.ts";
import { messageOf } from "#lib/errors.ts";
import pkg from "../../../package.json" with { type: "json" };
import { CALL_ANSWER, type CallAnswer } from "./answer-shape.ts";
import { type ListedTool, TOOL_PAGE, type ToolPage } from "./listed-tool.ts";
import { resultText } from "./result-text.ts";
import { type Command, ServerProcess } from "./server-process.io.ts";
import { toolNameOf } from "./tool-name.ts";
import { toolSpec } from "./tool-spec.ts";
import { toolTerms } from "./tool-terms.ts";

export const CONNECT_MS = 30_000;
const LIST_PAGES_MAX = 64;
const TOOLS_MAX = 500;
/** Of a server's words about its own failure: to a person, and to the model that could put it right. */
const NOTICE_MAX = 600;
const REFUSAL_MAX = 2000;

/** A server that answers. `notices`: what of it cannot be used, one line each. */
export type Server = { tools: Tool[]; notices: string[]; close(): Promise<void> };

type Connection = {
  name: string;
  client: Client;
  process: ServerProcess;
  callMs: number;
  oversize: Set<() => void>;
};

/**
 * Starts a server, shakes hands and lists its tools. Throws an Error of one line with what went wrong and the last
 * words on its standard error; nothing of the server is left running then.
 */
export async function startServer(
  server: McpServerConfig,
  command: Command,
  limits: { callMs: number; connectMs: number; signal: AbortSignal | null },
): Promise<Server> {
  const { Client, deserializeMessage } = await import("@modelcontextprotocol/client");
  const child = new ServerProcess(command, deserializeMessage);
  const client = new Client({ name: "mecha", version: pkg.version });
  const oversize = new Set<() => void>();
  child.onoversize = () => {
    for (const tell of oversize) tell();
  };
  const connection = { name: server.name, client, process: child, callMs: limits.callMs, oversize };
  // For all of it together: a list of many pages must not take as long for each.
  const until = performance.now() + limits.connectMs;
  const options = () => ({
    timeout: Math.max(1, until - performance.now()),
    ...(limits.signal === null ? {} : { signal: limits.signal }),
  });
  const tooLarge = new Promise<never>((_, reject) => {
    oversize.add(() => reject(new Error("it sent a message that is too large to take")));
  });
  try {
    await Promise.race([client.connect(child, options()), tooLarge]);
    const { listed, left } = await Promise.race([listTools(client, options), tooLarge]);
    oversize.clear();
    const { tools, notices } = toolsOf(server, listed, connection);
    if (left) notices.push(`it lists more than ${TOOLS_MAX} tools; the rest is left out`);
    return { tools, notices, close: () => child.close() };
  } catch (error) {
    // Before it is closed: that it ended then is our own doing, and no reason.
    const { end } = child;
    await child.close();
    throw new Error(startProblem(error, end, child.stderr.said(), limits.connectMs), { cause: error });
  }
}

function startProblem(error: unknown, end: string | null, said: string, connectMs: number): string {
  const why =
    end !== null && !isTimeout(error)
      ? `it ${end}`
      : isTimeout(error)
        ? `it did not answer within ${connectMs / 1000} s`
        : oneLine(messageOf(error), [], NOTICE_MAX);
  return said === "" ? why : `${why}; it said: ${said}`;
}

async function listTools(
  client: Client,
  options: () => { timeout: number; signal?: AbortSignal },
): Promise<{ listed: ListedTool[]; left: boolean }> {
  if (client.getServerCapabilities()?.tools === undefined) return { listed: [], left: false };
  const listed: ListedTool[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < LIST_PAGES_MAX && listed.length <= TOOLS_MAX; page += 1) {
    const params = cursor === null ? {} : { cursor };
    const answer: ToolPage = await client.request({ method: "tools/list", params }, TOOL_PAGE, options());
    listed.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === null) break;
  }
  return { listed: listed.slice(0, TOOLS_MAX), left: cursor !== null || listed.length > TOOLS_MAX };
}

function toolsOf(server: McpServerConfig, listed: readonly ListedTool[], connection: Connection) {
  const tools: Tool[] = [];
  const notices: string[] = [];
  for (const one of listed) {
    const name = toolNameOf(server.name, one.name, server.prefix_tools);
    const spec = name === null ? null : toolSpec(name, one);
    if (spec === null) notices.push("a tool without a name is left out");
    else if (!spec.ok) notices.push(`its tool ${JSON.stringify(one.name)} is left out: ${spec.problem}`);
    else
      tools.push({
        spec: spec.value,
        ...toolTerms(one.annotations, server.capabilities),
        execute: (input, context) => callTool(connection, one.name, input, context),
      });
  }
  return { tools, notices };
}

/** One call. Whatever the server does, or fails to do, is a result. */
async function callTool(
  connection: Connection,
  tool: string,
  input: JsonObject,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const { client, name, process: child, callMs, oversize } = connection;
  if (child.end !== null) return deadResult(connection);
  let tell: () => void = () => undefined;
  const tooLarge = new Promise<ToolResult>((resolve) => {
    tell = () =>
      resolve(toolError(`the MCP server ${quoted(name)} sent an answer that is too large to take`));
  });
  oversize.add(tell);
  try {
    const params = { name: tool, arguments: input };
    const asked = client.request({ method: "tools/call", params }, CALL_ANSWER, {
      signal,
      timeout: callMs,
    });
    const answer = asked.then((result) => resultOf(name, result));
    return await Promise.race([answer, tooLarge]);
  } catch (error) {
    if (signal.aborted) return toolError("the call was cancelled");
    if (child.end !== null) return deadResult(connection);
    if (isTimeout(error))
      return toolError(`the MCP server ${quoted(name)} did not answer within ${callMs / 1000} s`);
    // An unknown tool or wrong arguments: some servers refuse the request itself. The words are theirs.
    const said = oneLine(messageOf(error), [], REFUSAL_MAX);
    return {
      content: `the MCP server ${quoted(name)} refused the call: ${said}`,
      isError: true,
      fromOutside: true,
    };
  } finally {
    oversize.delete(tell);
  }
}

function resultOf(name: string, result: CallAnswer): ToolResult {
  const said = resultText(result);
  const isError = result.isError === true;
  // A provider refuses a whole request over an error that says nothing.
  const content = isError && said.trim() === "" ? `the MCP server ${quoted(name)} gives no reason` : said;
  return { content, isError, fromOutside: true };
}

function deadResult({ name, process: child }: Connection): ToolResult {
  const said = child.stderr.said();
  return {
    content: `the MCP server ${quoted(name)} ${child.end}; its tools cannot be used any more${said === "" ? "" : `. It said: ${said}`}`,
    isError: true,
    fromOutside: said !== "",
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "REQUEST_TIMEOUT";
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
