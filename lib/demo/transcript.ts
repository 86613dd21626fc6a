import type { Block, Message, Outcome, TranscriptRecord } from "#lib/transcript/record.ts";
import { recordLine } from "#lib/transcript/written.ts";
import type { Call, Scene } from "./calls.ts";
import { type ModelName, maxTurnsOn } from "./cells.ts";
import { Meter, PROVIDERS } from "./meter.ts";
import type { RunPlan } from "./plan-runs.ts";
import type { SessionPlan } from "./plan-sessions.ts";
import type { Random } from "./random.ts";
import { configOn, outcomeOf } from "./run-records.ts";
import { lastWords, SAYINGS, wordsFor } from "./sayings.ts";
import { makeBatch, rewriteTurns, turnSizes } from "./turns.ts";
import { WORKSPACES } from "./world.ts";

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
  const { title, edits, exchanges } = wordsFor(plan, random);
  const taint = { private: false, untrusted: false };
  const scene: Scene = { workspace: plan.workspace, trigger: plan.trigger, edits, taint, random };
  const session: DemoSession = { id, plan, lines: [], outcomes: [] };
  const workspace = WORKSPACES[plan.workspace].path;
  let model = plan.runs[0]?.model ?? "heron-70b";
  const provider = PROVIDERS[model].name;
  write(session, { record: "meta", id, created_at: created, provider, model, workspace, title });
  write(session, { record: "config", ...configOn(plan.day, model, workspace) });
  for (const [i, run] of plan.runs.entries()) {
    if (run.model !== model)
      write(session, { record: "config", ...configOn(plan.day, run.model, workspace) });
    model = run.model;
    const [asked, done] = exchanges[i] ?? ["Go on.", "Done."];
    writeRun(session, { asked, done, scene, model, plan: run.plan });
  }
  return session;
}

/** By the one writer of records, so that the demo shows nothing that no store holds. */
function write(session: DemoSession, record: TranscriptRecord): void {
  session.lines.push(recordLine(record).toString("utf8").trimEnd());
}

type RunJob = { asked: string; done: string; scene: Scene; model: ModelName; plan: RunPlan };

function writeRun(session: DemoSession, { asked, done, scene, model, plan }: RunJob): void {
  const meter = new Meter(model);
  const say = (role: "user" | "assistant", content: Block[]) => {
    write(session, { record: "message", role, content });
    meter.add(role, JSON.stringify(content).length);
  };
  say("user", [{ type: "text", text: asked }]);
  const sizes = turnSizes(plan, maxTurnsOn(session.plan.day), scene.random);
  const rewrites = rewriteTurns(plan, sizes.length);
  const calls: Call[] = [];
  for (const [turn, size] of sizes.entries()) {
    meter.request();
    const batch = makeBatch(plan, calls, size, scene);
    const { uses, results } = blocksOf(batch, `call-${session.outcomes.length + 1}-${calls.length + 1}`);
    calls.push(...batch);
    const reply = [...remarks(scene), ...uses];
    say("assistant", reply);
    say("user", results);
    if (rewrites.includes(turn + 1)) {
      meter.request();
      write(session, { record: "rewrite", messages: summarised(asked, reply, results) });
      meter.shrink();
    }
  }
  const lastFailed = plan.endedFailed ? (calls.at(-1)?.name ?? null) : null;
  const answer = lastWords(plan.stop, lastFailed, done, scene.random);
  if (plan.stop !== "interrupted") {
    meter.request();
    say("assistant", [{ type: "text", text: answer }]);
  }
  const outcome = outcomeOf(plan, sizes.length, meter, { ...scene.taint });
  session.outcomes.push({ outcome, answer });
  closeRun(session, outcome);
}

/** The calls of one turn as the model wrote them, and what came back. */
function blocksOf(batch: readonly Call[], name: string): { uses: Block[]; results: Block[] } {
  const idOf = (i: number) => (i === 0 ? name : `${name}-${i + 1}`);
  return {
    uses: batch.map((call, i) => ({ type: "tool_use", id: idOf(i), name: call.name, input: call.input })),
    results: batch.map((call, i) => ({
      type: "tool_result",
      tool_use_id: idOf(i),
      content: call.result,
      is_error: call.isError,
    })),
  };
}

/** A one-shot run and a trigger price themselves in a summary; a chat writes its taint last and no summary. */
function closeRun(session: DemoSession, outcome: Outcome): void {
  const { taint, usage, turns } = outcome;
  if (session.plan.runs.length === 1) {
    write(session, { record: "taint", ...taint });
    write(session, { record: "summary", usage, turns });
  }
  write(session, { record: "outcome", ...outcome });
  if (session.plan.runs.length > 1) write(session, { record: "taint", ...taint });
}

function remarks({ random, edits }: Scene): Block[] {
  const roll = random.next();
  if (roll < 0.15) return [{ type: "thinking", text: random.pick(SAYINGS.thinking) }];
  if (roll > 0.55) return [];
  return [{ type: "text", text: edits ? random.pick(SAYINGS.edits) : random.pick(SAYINGS.questions) }];
}

function summarised(prompt: string, asked: Block[], answered: Block[]): Message[] {
  const text = `${prompt}\n\nSummary of what was done so far: the files named above were read, and the open point is the last one.`;
  return [
    { role: "user", content: [{ type: "text", text }] },
    { role: "assistant", content: asked },
    { role: "user", content: answered },
  ];
}
