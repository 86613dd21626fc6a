import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

type Row = Record<string, unknown>;

/** Adds a trigger file to the home at `home`, and gives its path. */
export function addTrigger(home: string, name: string, text: string | Uint8Array): string {
  const dir = path.join(home, ".mecha", "triggers");
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, `${name}.toml`);
  writeFileSync(file, text);
  return file;
}

/** Writes the ledger: rows that are a clean run of three calls where they say nothing else. */
export function writeLedger(home: string, rows: readonly Row[], tail = ""): void {
  const lines = rows.map((row) => {
    const whole = { status: "ok", turns: 2, tool_calls: 3, summary: "Done.", ...row };
    return `${JSON.stringify(whole)}\n`;
  });
  writeFileSync(path.join(home, ".mecha", "triggers", "runs.jsonl"), lines.join("") + tail);
}

/** Triggers in every state: fine, failing its calls, failed, idle, stuck and disabled. */
export function triggerHome(home: string): void {
  const zone = 'timezone = "UTC"\ncreated_at = "2026-08-01T00:00:00Z"\n';
  addTrigger(home, "backup", `schedule = "0 3 * * *"\nprompt = "Check the backups."\n${zone}`);
  addTrigger(
    home,
    "morning",
    `schedule = "0 7 * * 1-5"
prompt = """
Summarise today's calendar.
Then the mail."""
description = "What the day holds"
timezone = "Europe/Zurich"
created_at = "2026-07-01T00:00:00Z"
provider = "local"
model = "qwen3-moe"
workspace = "/home/u/proj"
permission_mode = "ask"
tools = ["fs_read", "calendar__list"]
skills = ["brief"]
no_mcp = true
max_turns = 20
max_output_tokens = 4000
max_cost_usd = 0.5
timeout = "90s"
catch_up = "2h"
[notify]
mail = "ada@example.org"
tries = 3
`,
  );
  addTrigger(home, "idle", `schedule = "0 9 * * *"\nprompt = "Digest."\n${zone}`);
  addTrigger(home, "old", `schedule = "@weekly"\nprompt = "x"\nenabled = false\n`);
  addTrigger(home, "stuck", `schedule = "@hourly"\nprompt = "x"\n${zone}`);
  const day = (n: number, hour: string) => `2026-08-0${n}T${hour}:00:01Z`;
  writeLedger(home, [
    ...[2, 3, 4, 5].map((n) => ({
      trigger: "morning",
      slot: `2026-08-0${n}T05:00:00Z`,
      started_at: day(n, "05"),
      finished_at: `2026-08-0${n}T05:01:11Z`,
      session_id: `2026080${n}T050001-0000000${n}`,
      tool_calls: 5,
      tool_errors: n < 4 ? 1 : 3,
      ended_on_failed_call: n === 5,
    })),
    {
      trigger: "morning",
      slot: "2026-08-06T05:00:00Z",
      started_at: day(6, "05"),
      status: "skipped-overlap",
      error: "the run before it was still going",
    },
    { trigger: "morning", started_at: day(6, "10"), manual: true, stop_cause: "max_turns", tool_errors: 1 },
    ...[3, 4, 5].map((n) => ({
      trigger: "idle",
      slot: `2026-08-0${n}T09:00:00Z`,
      started_at: day(n, "09"),
      tool_calls: n === 5 ? 0 : 8,
    })),
    { trigger: "idle", slot: "2026-08-06T09:00:00Z", started_at: day(6, "09"), tool_calls: 0, summary: "" },
    { trigger: "backup", slot: "2026-08-05T03:00:00Z", started_at: day(5, "03") },
    {
      trigger: "backup",
      slot: "2026-08-06T03:00:00Z",
      started_at: day(6, "03"),
      status: "error",
      error: "connection refused",
    },
    { trigger: "gone", started_at: day(1, "03") },
  ]);
}
