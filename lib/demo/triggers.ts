import type { Outcome } from "#lib/transcript/record.ts";
import type { TriggerName } from "./cells.ts";
import { PROVIDERS } from "./meter.ts";
import { DAY_MS, type SessionPlan, slotMs, TRIGGER_SLOTS } from "./plan-sessions.ts";
import type { DemoSession } from "./transcript.ts";
import { TRIGGER_TOOLS, TRIGGER_WORDS } from "./trigger-tools.ts";
import { WORKSPACES } from "./world.ts";

type Row = { startedMs: number; line: string };

/** `runs.jsonl`: a row per fire, oldest first: those that ran, one that failed, and slots that were skipped. */
export function triggerLedger(sessions: readonly DemoSession[], midnightMs: number): string {
  const ran = sessions.flatMap((session): Row[] => {
    const { trigger, day, createdMs } = session.plan;
    const last = session.outcomes[0];
    if (trigger === null || last === undefined) return [];
    const { outcome, answer } = last;
    const finished = createdMs + 4_000 + outcome.turns * 3_700;
    const row = {
      ...firedAt(trigger, day, midnightMs, createdMs),
      ...{ finished_at: rfc3339(finished), status: "ok", session_id: session.id },
      ...countersOf(outcome),
      summary: answer,
    };
    return [{ startedMs: createdMs, line: JSON.stringify(row) }];
  });
  const rows = [...ran, ...didNotRun(midnightMs)];
  return rows
    .sort((a, b) => a.startedMs - b.startedMs)
    .map(({ line }) => `${line}\n`)
    .join("");
}

/** The newest fire of restore-drill found no model; two slots came while the machine was off. */
function didNotRun(midnightMs: number): Row[] {
  const skipped: [TriggerName, number][] = [
    ["morning-briefing", -29],
    ["feed-check", -6],
  ];
  const rows = skipped.map(([trigger, day]): Row => {
    const startedMs = slotMs(trigger, day, midnightMs) + 5 * 3_600_000;
    const error = "the machine was off at the time of the slot";
    const row = {
      ...firedAt(trigger, day, midnightMs, startedMs),
      status: "skipped-stale",
      ...NOTHING,
      summary: "",
      error,
    };
    return { startedMs, line: JSON.stringify(row) };
  });
  const startedMs = slotMs("restore-drill", -1, midnightMs) + 1_400;
  const failed = {
    ...firedAt("restore-drill", -1, midnightMs, startedMs),
    ...{ finished_at: rfc3339(startedMs + 61_000), status: "error", ...NOTHING, summary: "" },
    error: "provider gateway: connection refused after 3 retries",
  };
  return [...rows, { startedMs, line: JSON.stringify(failed) }];
}

function firedAt(trigger: TriggerName, day: number, midnightMs: number, startedMs: number): object {
  return { trigger, slot: rfc3339(slotMs(trigger, day, midnightMs)), started_at: rfc3339(startedMs) };
}

const CLEAN = { private: false, untrusted: false };
const NOTHING = {
  turns: 0,
  blocked_sends: 0,
  staged: 0,
  taint: CLEAN,
  tool_calls: 0,
  tool_errors: 0,
  ended_on_failed_call: false,
};

function countersOf(outcome: Outcome): object {
  return {
    turns: outcome.turns,
    ...(outcome.cost_usd === null ? {} : { cost_usd: outcome.cost_usd }),
    blocked_sends: outcome.blocked_sends,
    staged: outcome.tool_staged,
    taint: outcome.taint,
    tool_calls: outcome.tool_calls,
    tool_errors: outcome.tool_errors,
    ended_on_failed_call: outcome.ended_on_failed_call,
    ...(outcome.stop_cause === "completed" ? {} : { stop_cause: outcome.stop_cause }),
  };
}

/** The file of each trigger, by name. Its model is the one its newest session used. */
export function triggerFiles(plans: readonly SessionPlan[], midnightMs: number): Map<TriggerName, string> {
  const files = new Map<TriggerName, string>();
  for (const [name, { hour, minute, workspace }] of Object.entries(TRIGGER_SLOTS) as [
    TriggerName,
    (typeof TRIGGER_SLOTS)[TriggerName],
  ][]) {
    const own = plans.filter((plan) => plan.trigger === name);
    const model = own.at(-1)?.runs[0]?.model ?? "heron-70b";
    const created = (own[0]?.createdMs ?? midnightMs) - DAY_MS / 2;
    const { description, prompt } = TRIGGER_WORDS[name];
    const lines = [
      `schedule = "${minute} ${hour} * * *"`,
      'timezone = "UTC"',
      `description = ${JSON.stringify(description)}`,
      `prompt = ${JSON.stringify(prompt)}`,
      `created_at = "${rfc3339(created)}"`,
      `provider = "${PROVIDERS[model].name}"`,
      `model = "${model}"`,
      `workspace = "${WORKSPACES[workspace].path}"`,
      'permission_mode = "ask"',
      `tools = ${JSON.stringify(TRIGGER_TOOLS[name].map((tool) => tool.name))}`,
      ...(name === "status-page" ? ["enabled = false"] : []),
    ];
    files.set(name, `${lines.join("\n")}\n`);
  }
  return files;
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}
