import { randomBytes } from "node:crypto";
import { UserError } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import type { Message } from "#lib/transcript/record.ts";
import { agentOf } from "./launch-agent.io.ts";
import type { Agent, LaunchRequest } from "./launch-request.ts";
import { droppedNotice, type Guard, idleGuards, SOMETIMES, selectTools } from "./launch-tools.ts";
import type { Answerer, Model } from "./model.ts";
import { ownTools } from "./own-tools.io.ts";
import { buildModel } from "./providers/build.io.ts";
import { isScripted } from "./providers/built-in-scripts.ts";
import { type Recorder, recordInto, startSession } from "./recorder.io.ts";
import { configRecord } from "./recorder-config.ts";
import { sessionId } from "./session-id.ts";
import { lockSession } from "./session-lock.io.ts";
import type { Tool } from "./tool.ts";
import { createTodo, type Todo } from "./tools/todo.ts";

/**
 * Makes an agent out of a configuration: the one place where runs start, so that two launched with equal options are
 * alike. Nothing has been asked of a model yet when it resolves; the session stands and can be written.
 *
 * Throws UserError for a provider that cannot be used, a tool that does not exist, and a session that cannot be written.
 */
export async function launch(request: LaunchRequest): Promise<Agent> {
  const { config, options, surface, env } = request;
  const model = await buildModel({
    config,
    provider: options.provider,
    model: options.model,
    fallbacks: surface.fallbacks,
    env,
    ...(request.scripts === undefined ? {} : { scripts: request.scripts }),
  });
  const todo = createTodo();
  const own = ownTools(request, todo);
  const servers = await connect(request, own);
  let session: Session | null = null;
  const close = async () => {
    await servers.close();
    session?.release();
  };
  try {
    const all = [...own, ...servers.tools];
    const { tools, unknown } = selectTools(all, options.tools, options.toolsOff);
    const listed = unknown.map((name) => `no tool is called ${name}`);
    // A server that is down or switched off may have had it.
    if (unknown.length > 0 && config.mcp.length === 0) throw new UserError("bad_input", listed.join("; "));
    // A script is sent no setting at all, and whoever shows the run says that it is one.
    const dropped = isScripted(config, options.provider)
      ? null
      : droppedNotice(options.provider, model.drops, options.settings);
    const idle = idleGuards(
      guardsOf(request),
      all,
      config.mcp.map(({ name }) => name),
    );
    const notices = [...servers.notices, ...listed, ...idle, ...(dropped === null ? [] : [dropped])];
    await restoreTodo(todo, request.conversation.messages);
    session = await openSession(request, model, tools);
    return agentOf(request, {
      model,
      tools,
      carry: todo.carry,
      notices,
      session,
      close,
    });
  } catch (error) {
    await close();
    throw error;
  }
}

function guardsOf({ config, options, surface }: LaunchRequest): Guard[] {
  return [
    { key: "tools.disabled", tools: options.toolsOff },
    { key: "outbox.tools", tools: surface.outbox ? config.outbox.tools : [] },
    ...(surface.hooks ? config.hook : []).map(({ tools }, at) => ({ key: `hook[${at}].tools`, tools })),
  ];
}

/** The list belongs to the conversation: what was last written there still holds. */
async function restoreTodo(todo: Todo, messages: readonly Message[]): Promise<void> {
  const calls = messages.flatMap(({ content }) => content.filter((block) => block.type === "tool_use"));
  const last = calls.findLast(({ name }) => name === todo.tool.spec.name);
  if (last === undefined || !isObject(last.input)) return;
  await todo.tool.execute(last.input, { signal: new AbortController().signal });
}

type Servers = { tools: Tool[]; notices: string[]; close(): Promise<void> };
const NO_SERVERS: Servers = { tools: [], notices: [], close: async () => undefined };

/** The protocol's code takes a tenth of a second to load, and most runs have no server. */
async function connect(
  { config, options, surface, env }: LaunchRequest,
  own: readonly Tool[],
): Promise<Servers> {
  if (surface.mcp === false || config.mcp.every((server) => server.disabled)) return NO_SERVERS;
  const { connectServers } = await import("./mcp/connect.io.ts");
  return connectServers({
    servers: config.mcp,
    workspace: options.workspace,
    env,
    writable: options.permissionMode !== "read-only",
    onFailure: surface.mcp === "required" ? "fatal" : "notice",
    // Also the names of those that this run goes without: whoever lists one means the built-in tool.
    taken: [...SOMETIMES, ...own.map(({ spec }) => spec.name)],
  });
}

type Session = { id: string; file: string; recorder: Recorder; release(): void };

async function openSession(
  { session, options, recordOrder }: LaunchRequest,
  model: Model,
  tools: readonly Tool[],
): Promise<Session | null> {
  if (session.kind === "none") return null;
  const primary: Answerer = { provider: model.provider, model: model.model };
  const names = tools.map(({ spec }) => spec.name);
  const place = session.kind === "resume" ? session : newSession(session, primary, options.workspace);
  const release = await lockSession(place.file);
  try {
    const recorder = recordInto(
      place.file,
      primary,
      (answerer) => configRecord(options, names, answerer),
      recordOrder,
      session.kind === "resume" ? session.bytes : null,
    );
    return { id: place.id, file: place.file, recorder, release };
  } catch (error) {
    release();
    throw error;
  }
}

function newSession(
  { dir, title }: { dir: string; title: string | null },
  primary: Answerer,
  workspace: string,
): { id: string; file: string } {
  const now = Date.now();
  const id = sessionId(now, randomBytes(4));
  const file = startSession(dir, {
    id,
    created_at: new Date(now).toISOString(),
    ...primary,
    workspace,
    title,
  });
  return { id, file };
}
