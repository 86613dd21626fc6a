import { SOMETIMES, selectTools } from "#lib/agent/launch-tools.ts";
import { runOptions } from "#lib/agent/options.ts";
import { ownTools } from "#lib/agent/own-tools.io.ts";
import { providerProblem } from "#lib/agent/providers/build.io.ts";
import type { Tool } from "#lib/agent/tool.ts";
import { createTodo } from "#lib/agent/tools/todo.ts";
import type { Config, McpServerConfig } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { outboxDir } from "#lib/config/outbox-dir.ts";
import { UserError } from "#lib/errors.ts";
import type { Settings } from "#lib/settings.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import { unattendedRequest } from "#lib/unattended/request.ts";
import type { CliIo } from "./io.ts";

/**
 * What of a trigger cannot work as mecha is configured now, one line each: nobody watches when it first fires. Not an
 * error, for the configuration may still change. Nothing is started; what an MCP server may have is taken on trust.
 */
export async function triggerNotes(io: CliIo, settings: Settings, trigger: Trigger): Promise<string[]> {
  try {
    const { config } = await loadConfig({ settings, env: io.env, cwd: io.cwd, project: false });
    const provider = trigger.provider ?? config.default_provider;
    const problem = providerProblem(config, provider);
    return [...(problem === null ? [] : [problem]), ...toolNotes(io, settings, trigger, config)];
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  }
}

function toolNotes(io: CliIo, settings: Settings, trigger: Trigger, config: Config): string[] {
  const workspace = trigger.workspace ?? io.cwd;
  const provider = trigger.provider ?? config.default_provider;
  const request = unattendedRequest(trigger, {
    config,
    options: runOptions({ config, provider, model: trigger.model ?? "", workspace, systemPrompt: null }),
    sessionDir: settings.sessionDir,
    outboxDir: outboxDir(config, settings, io.env),
    env: io.env,
  });
  const own = ownTools(request, createTodo());
  const servers = request.surface.mcp === false ? [] : config.mcp.filter(({ disabled }) => !disabled);
  const named = trigger.tools.filter((name) => !servers.some((server) => mayHave(server, name)));
  const { unknown } = selectTools(own, named, []);
  return [
    ...unknown.map((name) => `no tool is called ${name}`),
    ...trigger.tools.flatMap((name) => toolNote(name, own, trigger, config) ?? []),
  ];
}

function mayHave({ name, prefix_tools }: McpServerConfig, tool: string): boolean {
  return !prefix_tools || tool.startsWith(`${name.replace(/[^a-zA-Z0-9_-]/gu, "_")}__`);
}

/** Null: nothing speaks against it, or it is none of our own. */
function toolNote(name: string, own: readonly Tool[], trigger: Trigger, config: Config): string | null {
  if (config.tools.disabled.includes(name)) return `${name} is switched off by tools.disabled`;
  const tool = own.find(({ spec }) => spec.name === name);
  if (tool === undefined) return SOMETIMES.has(name) ? absent(name) : null;
  const { permission_mode: mode } = trigger;
  // A call that the outbox keeps changes nothing, so that no mode refuses it.
  if (tool.readOnly || mode === "allow" || config.outbox.tools.includes(name)) return null;
  const why = mode === "ask" ? "asks, and nobody is there to answer" : "refuses that";
  return `${name} may change something, and the permission mode ${mode} ${why}; --permission-mode allow lets it`;
}

function absent(name: string): string {
  return name === "ask_user"
    ? "ask_user is not there: nobody can be asked in a run of a trigger"
    : `${name} is not there: no [[search]] is configured`;
}
