import type { StopCause, Taint, Usage } from "#lib/transcript/record.ts";
import { type Call, makeCall, type Scene, taintOf } from "./calls.ts";
import { effortOn, harnessOn, type ModelName, maxTurnsOn } from "./cells.ts";
import { Meter, PROVIDERS } from "./meter.ts";
import type { RunPlan } from "./plan-runs.ts";
import type { SessionPlan } from "./plan-sessions.ts";
import { type Random, share } from "./random.ts";
import { ANSWERS, SAYINGS, SYSTEM_PROMPT, TOOLS, wordsFor } from "./sayings.ts";
import { WORKSPACES } from "./world.ts";

/** The counters of one run, as its outcome record holds them. */
export type Outcome = {
  turns: number;
  usage: Usage;
  cost_usd?: number;
  usage_complete: boolean;
  stop_cause: StopCause;
  exhausted: boolean;
  ended_on_failed_call: boolean;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  tool_staged: number;
  malformed_tool_args: number;
  blocked_sends: number;
  compactions: number;
  taint: Taint;
};

export type DemoSession = {
  id: string;
  plan: SessionPlan;
  /** The lines of its file. */
  lines: string[];
  /** One per run, with what the run said last. */
  outcomes: { outcome: Outcome; answer: string }[];
};

/** Writes down the session that a plan describes; what each run's transcript shows is what its outcome counts. */
export function writeSession(plan: SessionPlan, random: Random): DemoSession {
  const created = new Date(plan.createdMs).toISOString();
  const id = `${created.slice(0, 19).replaceAll(/[-:]/g, "")}-${random.hex(8)}`;
  const scene: Scene = {
    workspace: plan.workspace,
    trigger: plan.trigger,
    taint: { private: false, untrusted: false },
    random,
  };
  const session: DemoSession = { id, plan, lines: [], outcomes: [] };
  const words = wordsFor(plan, random);
  const first = plan.runs[0]?.model ?? "heron-70b";
  const workspace = WORKSPACES[plan.workspace].path;
  const meta = {
    id,
    created_at: created,
    provider: PROVIDERS[first].name,
    model: first,
    workspace,
    title: words.title,
  };
  session.lines.push(JSON.stringify({ record: "meta", ...meta }));
  let model: ModelName | null = null;
  for (const [i, run] of plan.runs.entries()) {
    if (run.model !== model) session.lines.push(JSON.stringify(configRecord(plan.day, run.model, workspace)));
    model = run.model;
    writeRun(session, {
      prompt: words.prompts[i] ?? "Go on.",
      done: words.answers[i] ?? "Done.",
      scene,
      model,
      plan: run.plan,
    });
  }
  return session;
}

type RunJob = { prompt: string; done: string; scene: Scene; model: ModelName; plan: RunPlan };

function writeRun(session: DemoSession, { prompt, done, scene, model, plan }: RunJob): void {
  const { random } = scene;
  const meter = new Meter(model);
  const write = (record: string, body: object) => session.lines.push(JSON.stringify({ record, ...body }));
  const say = (role: "user" | "assistant", content: Block[]) => {
    write("message", { role, content });
    meter.add(role, JSON.stringify(content).length);
  };
  say("user", [{ type: "text", text: prompt }]);
  const sizes = turnSizes(plan, maxTurnsOn(session.plan.day), random);
  const rewrites = rewriteTurns(plan, sizes.length);
  const calls: Call[] = [];
  for (const [turn, size] of sizes.entries()) {
    meter.request();
    const batch = makeBatch(plan, calls, size, scene);
    calls.push(...batch);
    const ids = batch.map((_, i) => `call-${session.outcomes.length + 1}-${calls.length - size + i + 1}`);
    const asked = [
      ...remarks(random),
      ...batch.map(({ name, input }, i): Block => ({ type: "tool_use", id: ids[i] ?? "", name, input })),
    ];
    const answered = batch.map(
      ({ result, isError }, i): Block => ({
        type: "tool_result",
        tool_use_id: ids[i] ?? "",
        content: result,
        is_error: isError,
      }),
    );
    say("assistant", asked);
    say("user", answered);
    if (rewrites.includes(turn + 1)) {
      meter.request();
      write("rewrite", { messages: summarised(prompt, asked, answered) });
      meter.shrink();
    }
  }
  const answer =
    plan.stop === "completed" && !plan.endedFailed
      ? done
      : random.pick(ANSWERS[plan.endedFailed ? "failed_call" : plan.stop]);
  if (plan.stop !== "interrupted") {
    meter.request();
    say("assistant", [{ type: "text", text: answer }]);
  }
  const outcome = outcomeOf(plan, sizes.length, meter, { ...scene.taint });
  session.outcomes.push({ outcome, answer });
  closeRun(session, outcome, write);
}

type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> }
  | { type: "tool_result"; tool_use_id: string; content: string; is_error: boolean };

/** A one-shot run and a trigger price themselves in a summary; a chat writes its taint last and no summary. */
function closeRun(
  session: DemoSession,
  outcome: Outcome,
  write: (record: string, body: object) => void,
): void {
  const { taint, usage, turns } = outcome;
  if (session.plan.runs.length > 1) {
    write("outcome", outcome);
    write("taint", taint);
    return;
  }
  write("taint", taint);
  write("summary", { usage, turns });
  write("outcome", outcome);
}

/** How many calls each turn makes. What brings the taint in comes before a blocked send, and a loop ends call by call. */
function turnSizes({ stop, calls }: RunPlan, maxTurns: number, random: Random): number[] {
  const head = new Array<number>(calls.includes("blocked_send") ? 3 : 0).fill(1);
  const tail = new Array<number>(stop === "loop" ? 2 : 0).fill(1);
  const middle = calls.length - head.length - tail.length;
  const most = maxTurns - 2 - head.length - tail.length;
  const turns =
    stop === "max_turns" ? maxTurns : Math.min(most, Math.ceil(middle * (0.6 + random.next() * 0.4)));
  const weights = Array.from({ length: turns }, () => 0.2 + random.next());
  return [
    ...head,
    ...share(
      middle,
      weights,
      weights.map(() => 1),
    ),
    ...tail,
  ];
}

/** After which turns (1-based) a summary takes the place of what was said. A loop is only noticed after one. */
function rewriteTurns({ stop, compactions }: RunPlan, turns: number): number[] {
  if (stop === "loop") return [turns - 2];
  return Array.from({ length: compactions }, (_, i) => Math.floor(((i + 1) * turns) / (compactions + 1)));
}

/** The calls of one turn; the last call of a loop repeats the one before it. */
function makeBatch(plan: RunPlan, before: readonly Call[], size: number, scene: Scene): Call[] {
  const previous = before.at(-1);
  if (plan.stop === "loop" && previous && before.length === plan.calls.length - 1) return [previous];
  const leadsUp = plan.calls.includes("blocked_send");
  const batch = plan.calls
    .slice(before.length, before.length + size)
    .map((state, i) => makeCall(state, before.length + i, leadsUp, scene));
  for (const call of batch) {
    const taint = taintOf(call);
    scene.taint = {
      private: scene.taint.private || taint.private,
      untrusted: scene.taint.untrusted || taint.untrusted,
    };
  }
  return batch;
}

function remarks(random: Random): Block[] {
  const roll = random.next();
  if (roll < 0.15) return [{ type: "thinking", text: random.pick(SAYINGS.thinking) }];
  return roll < 0.55 ? [{ type: "text", text: random.pick(SAYINGS.text) }] : [];
}

function summarised(prompt: string, asked: Block[], answered: Block[]): object[] {
  const text = `${prompt}\n\nSummary of what was done so far: the files named above were read, and the open point is the last one.`;
  return [
    { role: "user", content: [{ type: "text", text }] },
    { role: "assistant", content: asked },
    { role: "user", content: answered },
  ];
}

function outcomeOf(
  { stop, endedFailed, calls, compactions }: RunPlan,
  callTurns: number,
  meter: Meter,
  taint: Taint,
): Outcome {
  const count = (...states: string[]) => calls.filter((state) => states.includes(state)).length;
  const { usage, cost } = meter.total();
  return {
    turns: stop === "completed" ? callTurns + 1 : callTurns,
    usage,
    ...(cost === null ? {} : { cost_usd: cost }),
    usage_complete: stop !== "interrupted",
    stop_cause: stop,
    exhausted: stop === "max_turns",
    ended_on_failed_call: endedFailed,
    tool_calls: calls.length,
    tool_errors: count("failed", "malformed"),
    tool_denied: count("denied_by_user", "denied_by_policy", "blocked_send"),
    tool_staged: count("staged"),
    malformed_tool_args: count("malformed"),
    blocked_sends: count("blocked_send"),
    compactions,
    taint,
  };
}

function configRecord(day: number, model: ModelName, workspace: string): object {
  return {
    record: "config",
    mecha_version: harnessOn(day),
    provider: PROVIDERS[model].name,
    model,
    workspace,
    system_prompt: SYSTEM_PROMPT,
    tools: TOOLS,
    effort: effortOn(day, model),
    temperature: null,
    seed: null,
    thinking: true,
    cache_prompt: true,
    max_tokens: 16_000,
    max_turns: maxTurnsOn(day),
    max_output_tokens: null,
    max_cost_usd: null,
    compact_at_tokens: 9_000,
    compact_keep_recent: 6,
    permission_mode: "ask",
    trifecta: "block",
    sandbox: "bwrap",
    sandbox_network: false,
  };
}
