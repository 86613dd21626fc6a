import { statSync } from "node:fs";
import type { LaunchRequest } from "#lib/agent/launch-request.ts";
import { runOptions } from "#lib/agent/options.ts";
import { defaultModel } from "#lib/agent/providers/build.io.ts";
import { type Config, providerEntry } from "#lib/config/config.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSystemPrompt } from "#lib/config/system-prompt.io.ts";
import { UserError } from "#lib/errors.ts";
import { resolvePlace, type Settings } from "#lib/settings.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { RunWatch, Unattended } from "#lib/unattended/attempt.io.ts";
import { unattendedRequest } from "#lib/unattended/request.ts";
import type { CliIo } from "./io.ts";
import { isScripted } from "./run-setup.ts";

/**
 * What runs of triggers are made with. A first Ctrl-C or a SIGTERM ends the runs under way and lets their rows be
 * written; `release` gives interrupts back.
 */
export function unattended(
  io: CliIo,
  settings: Settings,
  watch: (trigger: string) => RunWatch,
): { parts: Unattended; release(): void } {
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort());
  const scripted = new Set<string>();
  const parts: Unattended = {
    triggersDir: settings.triggersDir,
    launch: async (request) => (await import("#lib/agent/launch.io.ts")).launch(request),
    request: async (trigger) => {
      const { request, notices } = await requestFor(io, settings, trigger);
      const { provider } = request.options;
      const watching = watch(trigger.name);
      for (const line of notices) watching.onNotice(line);
      if (!isScripted(request.config, provider)) return request;
      scripted.add(trigger.name);
      watching.onNotice(`provider ${provider} is a script and no model; its answers are made up`);
      return request;
    },
    signal: stop.signal,
    watch: (trigger) => {
      const watching = watch(trigger);
      // A script drops every setting, and has been said to be one.
      const dropped = (line: string) => scripted.has(trigger) && line.includes("is not sent:");
      return { ...watching, onNotice: (line) => (dropped(line) ? undefined : watching.onNotice(line)) };
    },
  };
  return { parts, release };
}

/** The person's own configuration decides, never that of a folder; a trigger's file may choose the model and narrow. */
async function requestFor(
  io: CliIo,
  settings: Settings,
  trigger: Trigger,
): Promise<{ request: LaunchRequest; notices: readonly string[] }> {
  const { provider, model } = trigger;
  const flags = { ...(provider === null ? {} : { provider }), ...(model === null ? {} : { model }) };
  const loaded = await loadConfig({ settings, env: io.env, cwd: io.cwd, project: false, flags });
  const { config, selected } = loaded;
  const options = runOptions({
    config,
    provider: selected.provider,
    model: selected.model ?? (await defaultModel(config, selected.provider)),
    workspace: workspaceOf(io, trigger, config),
    contextWindow: providerEntry(config, selected.provider)?.context_window ?? null,
    systemPrompt: await readSystemPrompt(config),
  });
  const request = unattendedRequest(trigger, {
    config,
    options,
    sessionDir: settings.sessionDir,
    outboxDir: io.env.MECHA_OUTBOX_DIR ? settings.outboxDir : (config.outbox.dir ?? settings.outboxDir),
    env: io.env,
  });
  return { request, notices: loaded.notices };
}

function workspaceOf(io: CliIo, trigger: Trigger, config: Config): string {
  const place = resolvePlace(trigger.workspace ?? config.tools.workspace ?? ".", io);
  if (statSync(place, { throwIfNoEntry: false })?.isDirectory()) return place;
  throw new UserError("bad_input", `its workspace ${place} is no folder`);
}
