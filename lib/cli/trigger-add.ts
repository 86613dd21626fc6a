import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { resolvePlace } from "#lib/settings.ts";
import { isoUtc, isZone } from "#lib/time.ts";
import { createTriggerFile } from "#lib/trigger/create.io.ts";
import { parseSchedule, slotsAfter } from "#lib/trigger/schedule.ts";
import { type TriggerDraft, triggerToml } from "#lib/trigger/toml.ts";
import {
  isTriggerName,
  parseDuration,
  parseTrigger,
  TRIGGER_NAME_RULE,
  type Trigger,
} from "#lib/trigger/trigger.ts";
import { crontabLine } from "./crontab-line.ts";
import type { TriggerAddFlags } from "./flags.ts";
import { isFolder } from "./folder.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { textOrFile } from "./run-prompt.ts";
import { oneLine } from "./run-text.ts";
import { scheduleZone, settle } from "./store.ts";
import { triggerNotes } from "./trigger-notes.ts";
import { bounded } from "./trigger-store.ts";
import { clockIn } from "./when.ts";

const SLOTS = 3;

/** `mecha trigger add NAME`: writes its file, never over another, and says when it fires. */
export async function triggerAdd(io: CliIo, name: string, flags: TriggerAddFlags): Promise<number> {
  if (!isTriggerName(name)) throw usage(`${TRIGGER_NAME_RULE}: '${bounded(name, 80)}'`);
  const draft = await draftOf(io, flags);
  const text = triggerToml(draft);
  const parsed = parseTrigger(name, text);
  if (!parsed.ok) throw usage(visible(parsed.problem));
  const schedule_zone = parsed.value.timezone ?? scheduleZone(io);
  const slots = slotsAfter(parsed.value.schedule, schedule_zone, SLOTS, io.now_ms).map(isoUtc);
  if (slots.length === 0)
    throw usage(`--schedule: '${visible(draft.schedule)}' names a time that never comes`);
  const settings = settle(io, {});
  const { triggersDir, zone } = settings;
  const file = createTriggerFile(triggersDir, name, text);
  const cron = crontabLine(io.env.MECHA_HOME ? settings.mechaHome : null);
  const next = parsed.value.enabled ? slots : [];
  if (flags.json)
    io.out(jsonText({ schema_version: 1, name, file, schedule_zone, next, tools: draft.tools ?? [] }));
  else io.out(`${linesOf(parsed.value, { file, zone, schedule_zone, next, cron }).join("\n")}\n`);
  for (const note of await triggerNotes(io, settings, parsed.value)) io.err(`note: ${oneLine(note)}\n`);
  return EXIT.fine;
}

async function draftOf(io: CliIo, flags: TriggerAddFlags): Promise<TriggerDraft> {
  const { schedule, timezone, timeout, catchUp, maxCost } = flags;
  const parsed = parseSchedule(schedule);
  if (!parsed.ok) throw usage(`--schedule: ${visible(parsed.problem)}`);
  if (timezone !== undefined && !isZone(timezone))
    throw usage(`--timezone: '${visible(timezone)}' is not a time zone; write one such as Europe/Zurich`);
  const prompt = await promptOf(io, flags.prompt);
  return {
    ...{ schedule: parsed.value.pattern, prompt, created_at: isoUtc(io.now_ms) },
    ...given("timezone", timezone),
    ...given("description", flags.description),
    ...(flags.disabled ? { enabled: false as const } : {}),
    ...given("provider", flags.provider),
    ...given("model", flags.model),
    workspace: workspaceOf(io, flags.workspace ?? "."),
    ...given("permission_mode", flags.permissionMode),
    tools: flags.tool,
    ...(flags.mcp ? {} : { no_mcp: true as const }),
    ...given("max_turns", flags.maxTurns),
    ...given("max_output_tokens", flags.maxOutputTokens),
    ...given("max_cost_usd", maxCost),
    ...(timeout === undefined ? {} : { timeout_ms: durationIn("--timeout", timeout) }),
    ...(catchUp === undefined ? {} : { catch_up: catchUpIn(catchUp) }),
  };
}

function given<K extends string, V>(key: K, value: V | undefined): { [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [key in K]?: V });
}

async function promptOf(io: CliIo, written: string): Promise<string> {
  const prompt = await textOrFile(io, written, "--prompt");
  if (prompt.trim() === "") throw usage("--prompt: there is nothing in it");
  return prompt;
}

/** Written down, for the folder that a crontab starts in is nobody's choice. */
function workspaceOf(io: CliIo, written: string): string {
  const place = resolvePlace(written, io);
  if (isFolder(place)) return place;
  throw usage(`--workspace: there is no folder ${visible(place)}`);
}

function durationIn(flag: string, written: string): number {
  const ms = parseDuration(written);
  if (ms !== null && ms > 0) return ms;
  throw usage(`${flag}: '${visible(written)}' is not a duration such as 90s, 20m or 2h`);
}

function catchUpIn(written: string): Trigger["catch_up"] {
  if (written === "always" || written === "never") return written;
  const ms = parseDuration(written);
  if (ms !== null && ms > 0) return ms;
  throw usage(`--catch-up: '${visible(written)}' must be always, never or a duration such as 2h`);
}

function linesOf(
  trigger: Trigger,
  at: { file: string; zone: string; schedule_zone: string; next: readonly string[]; cron: string },
): string[] {
  const next = at.next.map(clockIn(at.zone)).join(", ");
  return [
    `trigger     ${trigger.name}`,
    `file        ${visible(at.file)}`,
    `schedule    ${visible(trigger.schedule.pattern)} (in ${at.schedule_zone})`,
    `next        ${next === "" ? "disabled: it does not fire" : `${next} (${at.zone})`}`,
    `tools       ${bounded(trigger.tools.join(", ")) || "none: it can only answer; name what it may use with --tool"}`,
    "",
    "It fires while something calls this every minute, such as a line in crontab:",
    `  ${at.cron}`,
    `To try it now: mecha trigger run ${trigger.name}`,
  ];
}

function usage(message: string): UserError {
  return new UserError("usage", message);
}
