import { randomUUID } from "node:crypto";
import { launch } from "#lib/agent/launch.io.ts";
import type { LaunchRequest } from "#lib/agent/launch-request.ts";
import { runOptions } from "#lib/agent/options.ts";
import { type LoopEvent, NEW_CONVERSATION, type RunResult } from "#lib/agent/parts.ts";
import { isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import type { Config } from "#lib/config/config.ts";
import { UserError } from "#lib/errors.ts";
import { isoUtc } from "#lib/time.ts";
import type { Gathered } from "./gather.io.ts";
import { DIAGNOSTICIAN, diagnosticPrompt } from "./instruction.ts";
import { guidePages, PUBLIC_NAMES, packageRoot } from "./own-pages.io.ts";
import type { Diagnosis, Reading } from "./proposal.ts";
import { failureOf, readReply } from "./reading.ts";

export type DiagnoseRequest = {
  gathered: Gathered;
  config: Config;
  /** Who is asked. */
  provider: string;
  model: string;
  /** May it fetch pages from the web? */
  web: boolean;
  env: Readonly<Record<string, string | undefined>>;
  now_ms: number;
  /** A new one where it is left out. */
  id?: string;
};

export type DiagnoseWatch = {
  signal: AbortSignal;
  onEvent?(event: LoopEvent): void;
  /** One line each, before the first word of the model. */
  onNotice?(text: string): void;
};

/**
 * Asks a model what to change, in one run of its own that can read this program's guides and source, and nothing of the
 * person's. It is no session and changes nothing. Whatever the run came to is in the result, also that it failed; only a
 * bug throws.
 */
export async function diagnose(request: DiagnoseRequest, watch: DiagnoseWatch): Promise<Diagnosis> {
  const { gathered, provider, model } = request;
  const started = performance.now();
  const prompt = diagnosticPrompt(gathered.brief);
  const root = packageRoot();
  const read = [DIAGNOSTICIAN, prompt, ...(await guidePages(root))];
  const spoken = await ask(launchRequest(request, root), prompt, read, watch);
  return {
    id: request.id ?? randomUUID(),
    created_at: isoUtc(request.now_ms),
    reading: readingOf(spoken, read),
    subject: gathered.subject,
    provider,
    model,
    brief: gathered.brief,
    reply: "problem" in spoken ? "" : spoken.text,
    window: gathered.window,
    ...costOf(spoken),
    elapsed_ms: Math.round(performance.now() - started),
    scripted: isScripted(request.config, provider),
  };
}

/** A run, or why none could be started. */
type Spoken = RunResult | { problem: string };

/** `read` grows by what every call gave, for as long as the run lasts: what is thinned out of a conversation was read. */
async function ask(
  request: LaunchRequest,
  prompt: string,
  read: string[],
  { signal, onEvent, onNotice }: DiagnoseWatch,
): Promise<Spoken> {
  try {
    const agent = await launch(request);
    try {
      for (const notice of agent.notices) onNotice?.(notice);
      return await agent.send(prompt, {
        signal,
        onEvent: (event) => {
          if (event.type === "call_finished") read.push(event.content);
          onEvent?.(event);
        },
      });
    } finally {
      await agent.close();
    }
  } catch (error) {
    // A provider without a key is a result that somebody has to see, like one that does not answer.
    if (error instanceof UserError) return { problem: error.message };
    throw error;
  }
}

function readingOf(spoken: Spoken, read: readonly string[]): Reading {
  const reason = "problem" in spoken ? spoken.problem : failureOf(spoken);
  if (reason !== null || "problem" in spoken) return { kind: "failed", reason: reason ?? "" };
  return readReply(spoken.text, read);
}

/** Half a sum would read as the whole one. */
function costOf(spoken: Spoken): Pick<Diagnosis, "usage" | "cost_usd"> {
  if ("problem" in spoken || !spoken.outcome.usage_complete) return { usage: null, cost_usd: null };
  return { usage: spoken.outcome.usage, cost_usd: spoken.outcome.cost_usd };
}

/** Enough to read a few pages; the person's own limit may be the very thing that is wrong. */
const TURNS_MAX = 30;

function launchRequest({ config, provider, model, web, env }: DiagnoseRequest, root: string): LaunchRequest {
  return {
    config,
    options: runOptions({
      config,
      provider,
      model,
      flags: {
        system: DIAGNOSTICIAN,
        readOnly: true,
        maxTurns: TURNS_MAX,
        tools: ["fs_read", "fs_list", ...(web ? ["http_fetch"] : [])],
      },
      workspace: root,
      systemPrompt: null,
    }),
    // Hooks stay: a person's own guard in front of a tool is not for a diagnosis to pass by. Fallbacks go: whose
    // prediction it was has to be known.
    surface: { mcp: false, hooks: true, outbox: false, fallbacks: false, search: false },
    publicNames: PUBLIC_NAMES,
    session: { kind: "none" },
    conversation: NEW_CONVERSATION,
    recordOrder: "summary",
    approve: async () => ({ allow: false, by: "policy", why: "a diagnosis only reads" }),
    ask: null,
    outboxDir: "",
    env,
  };
}
