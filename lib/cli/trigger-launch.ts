import { configuredRun } from "#lib/agent/configured.io.ts";
import type { LaunchRequest } from "#lib/agent/launch-request.ts";
import { isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import type { Config } from "#lib/config/config.ts";
import { outboxDir } from "#lib/config/outbox-dir.ts";
import { UserError } from "#lib/errors.ts";
import { resolvePlace, type Settings } from "#lib/settings.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { RunWatch, Unattended } from "#lib/unattended/attempt.io.ts";
import { unattendedRequest } from "#lib/unattended/request.ts";
import { isFolder } from "./folder.ts";
import type { CliIo } from "./io.ts";
import { madeUp } from "./run-text.ts";

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
  const parts: Unattended = {
    triggersDir: settings.triggersDir,
    launch: async (request) => (await import("#lib/agent/launch.io.ts")).launch(request),
    request: async (trigger) => {
      const { request, notices } = await requestFor(io, settings, trigger);
      const { provider } = request.options;
      const { onNotice } = watch(trigger.name);
      for (const line of notices) onNotice(line);
      if (isScripted(request.config, provider)) onNotice(madeUp(provider));
      return request;
    },
    signal: stop.signal,
    watch,
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
  const { config, options, notices } = await configuredRun({
    settings,
    env: io.env,
    cwd: io.cwd,
    project: false,
    flags,
    workspace: (configured) => workspaceOf(io, trigger, configured),
  });
  const request = unattendedRequest(trigger, {
    config,
    options,
    sessionDir: settings.sessionDir,
    outboxDir: outboxDir(config, settings, io.env),
    env: io.env,
  });
  return { request, notices };
}

function workspaceOf(io: CliIo, trigger: Trigger, config: Config): string {
  const place = resolvePlace(trigger.workspace ?? config.tools.workspace ?? ".", io);
  if (isFolder(place)) return place;
  throw new UserError("bad_input", `its workspace ${place} is no folder`);
}
