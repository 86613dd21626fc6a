import { fitTo } from "#lib/display-width.ts";
import type { Finding } from "#lib/doctor/finding.ts";
import { findingLines } from "#lib/doctor/text.ts";
import { TRIGGER_MARKS } from "#lib/doctor/trigger-marks.ts";
import type { TriggerView } from "#lib/doctor/trigger-view.ts";
import { count, counted, DASH, duration, money, visible } from "#lib/format.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { durationText, type Trigger } from "#lib/trigger/trigger.ts";
import type { CliIo } from "./io.ts";
import { severityPaint } from "./style.ts";
import { type Column, tableLines } from "./table.ts";
import { plainValue } from "./trigger-json.ts";
import { bounded, ledgerLines, type Triggers } from "./trigger-store.ts";
import { clockIn } from "./when.ts";

const PROMPT_LINES_MAX = 20;
const PROMPT_WIDTH = 200;

/** The text of `trigger show`: settings, prompt, the last rows of the ledger, and what is wrong. */
export function triggerLines(io: CliIo, view: TriggerView, file: string, triggers: Triggers): string[] {
  const { zone, store } = triggers;
  const clock = clockIn(zone);
  const room = io.isTty.stdout ? io.columns : null;
  const facts: [string, string][] = [
    ["trigger", view.trigger.name],
    ["file", bounded(file)],
    ...settingFacts(view, zone, clock),
  ];
  return [
    ...facts.map(([name, value]) => `${name.padEnd(12)}${value}`),
    ...promptLines(view.trigger.prompt, room),
    "",
    ...rowLines(view, zone, clock, room),
    ...ledgerLines(store.ledger.coverage),
    "",
    ...(view.findings.length === 0 ? ["no finding stands for it"] : ["findings"]),
    ...view.findings.flatMap((finding) => findingLines(withoutItself(finding), severityPaint(io))),
  ];
}

/** Who reads this has followed the advice to read it. */
function withoutItself(finding: Finding): Finding {
  const { remedy, ...rest } = finding;
  return remedy?.argv[2] === "show" ? rest : finding;
}

type Clock = (time: string) => string;

function settingFacts(view: TriggerView, zone: string, clock: Clock): [string, string][] {
  const { trigger } = view;
  const next = view.next.map(clock).join(", ");
  return [
    ...(trigger.description === null ? [] : [fact("description", bounded(trigger.description))]),
    ["state", trigger.enabled ? "enabled" : "disabled: it does not fire"],
    ["schedule", `${bounded(trigger.schedule.pattern)} (in ${view.schedule_zone})`],
    ["next", next === "" ? `${DASH} ${trigger.enabled ? "never" : "disabled"}` : `${next} (${zone})`],
    ["catch up", catchUpWords(trigger.catch_up)],
    ["model", bounded([trigger.provider, trigger.model].filter(Boolean).join(" / ")) || "the default"],
    ["workspace", trigger.workspace === null ? "the default" : bounded(trigger.workspace)],
    ["permission", `${PERMISSION_WORDS[trigger.permission_mode]}${trigger.no_mcp ? "; no MCP servers" : ""}`],
    ["tools", bounded(trigger.tools.join(", ")) || "none: it can only answer"],
    ["skills", bounded(trigger.skills.join(", ")) || "none listed"],
    ["limits", limitWords(trigger)],
    ...(trigger.notify === null ? [] : [fact("notify", bounded(JSON.stringify(plainValue(trigger.notify))))]),
    ...(trigger.created_at === null ? [] : [fact("created", `${clock(trigger.created_at)} (${zone})`)]),
  ];
}

function fact(name: string, value: string): [string, string] {
  return [name, value];
}

function catchUpWords(catch_up: Trigger["catch_up"]): string {
  switch (catch_up) {
    case "always":
      return "always: of the slots it missed, the newest runs late";
    case "never":
      return "never: a missed slot is dropped";
    default:
      return `of the slots it missed, the newest runs up to ${durationText(catch_up)} late`;
  }
}

const PERMISSION_WORDS: Record<Trigger["permission_mode"], string> = {
  ask: "ask: what a person would be asked is refused, for nobody is there",
  allow: "allow: nobody is asked",
  "read-only": "read-only: it changes nothing",
};

function limitWords({ max_turns, max_output_tokens, max_cost_usd, timeout_ms }: Trigger): string {
  return [
    `${duration(timeout_ms)} a run`,
    ...(max_turns === null ? [] : [counted(max_turns, "turn")]),
    ...(max_output_tokens === null ? [] : [counted(max_output_tokens, "output token")]),
    ...(max_cost_usd === null ? [] : [money(max_cost_usd)]),
  ].join(" · ");
}

/** What it is told to do, each line marked, so that no line of it can pass for one of ours. */
function promptLines(prompt: string, room: number | null): string[] {
  const lines = prompt.trimEnd().split(/\r?\n/);
  const width = room === null ? PROMPT_WIDTH : Math.max(20, Math.min(PROMPT_WIDTH, room - 4));
  const more = lines.length - PROMPT_LINES_MAX;
  return [
    "prompt",
    ...lines.slice(0, PROMPT_LINES_MAX).map((line) => `  | ${fitTo(visible(line), width)}`.trimEnd()),
    ...(more > 0 ? [`  and ${more} more line(s); all of it: --json`] : []),
  ];
}

const COLUMNS: Column[] = [
  { header: "started" },
  { header: "went", shrinkTo: 9 },
  { header: "calls", align: "right" },
  { header: "errors", align: "right" },
  { header: "stopped by" },
  { header: "session" },
  { header: "said", shrinkTo: 8 },
];

/** Rows of a ledger as a table, the newest last, and how many older ones there are. */
export function rowLines(
  view: Pick<TriggerView, "rows" | "rows_older">,
  zone: string,
  clock: Clock,
  room: number | null,
): string[] {
  if (view.rows.length === 0) return ["no row in the ledger: it has not run"];
  const older = view.rows_older > 0 ? `; ${view.rows_older} older one(s), see -n` : "";
  return [
    ...tableLines(
      COLUMNS,
      view.rows.map((one) => cellsOf(one, clock)),
      room,
    ),
    `${view.rows.length} row(s) of the ledger, newest last, times in ${zone}${older}`,
  ];
}

function cellsOf({ row, outcome }: TriggerView["rows"][number], clock: Clock): string[] {
  const { glyph, word } = TRIGGER_MARKS[outcome];
  const ran = outcome !== "skipped";
  // The ledger writes a stop cause only where it is not the usual one.
  const completed = row.status === "ok" ? "completed" : DASH;
  return [
    clock(row.started_at),
    `${glyph} ${word}`,
    ran ? count(row.tool_calls) : DASH,
    ran ? count(row.tool_errors) : DASH,
    row.stop_cause ?? completed,
    row.session_id === null ? DASH : bounded(row.session_id, 40),
    bounded(wordsOf(row).join("; "), 120),
  ];
}

/** What else the row tells: how it came to run or not, and what it or its failure said. */
function wordsOf(row: LedgerRow): string[] {
  const skipped = /^skipped-(.*)$/.exec(row.status)?.[1];
  const said = row.error ?? row.summary;
  return [
    ...(skipped === undefined ? [] : [skipped]),
    ...(row.manual ? ["by hand"] : []),
    ...(row.ended_on_failed_call ? ["✕ ended on a failed call"] : []),
    ...(said === "" ? [] : [said]),
    ...(row.notify_error === null ? [] : [`nobody was told: ${row.notify_error}`]),
  ];
}
