import { isoUtc } from "#lib/time.ts";
import type { StoreProblem } from "#lib/trigger/store.ts";
import type { Fired } from "#lib/unattended/fire.io.ts";
import { tick } from "#lib/unattended/tick.io.ts";
import type { TriggerTickFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { oneLine } from "./run-text.ts";
import { scheduleZone, settle } from "./store.ts";
import { firedLine } from "./trigger-fired.ts";
import { rowJson } from "./trigger-json.ts";
import { unattended } from "./trigger-launch.ts";
import { problemLine } from "./trigger-store.ts";

/**
 * `mecha trigger tick`: runs what is due and ends. A line for each row as it is written; nothing where nothing is due,
 * for cron mails whatever it is told.
 */
export async function triggerTick(io: CliIo, flags: TriggerTickFlags): Promise<number> {
  const settings = settle(io, {}, { zoneUnread: true });
  const watched = io.isTty.stdout;
  const { parts, release } = unattended(io, settings, (trigger) => ({
    onEvent: () => undefined,
    onNotice: (line) => io.err(`${oneLine(`mecha: ${trigger}: ${line}`)}\n`),
    onAnswer: () => undefined,
  }));
  try {
    const { fired, problems } = await tick(parts, {
      zone: scheduleZone(io),
      at_once: flags.atOnce,
      onFired: (one) => {
        if (!flags.json) io.out(linesOf(one, watched).join(""));
      },
    });
    for (const problem of problems) io.err(`mecha: ${problemLine(problem)}; left out\n`);
    if (flags.json) io.out(jsonText(jsonOf(settings.triggersDir, fired, problems)));
    else if (watched && fired.length === 0) io.out("nothing is due\n");
    const failed = fired.some(({ rows }) => rows.some(({ status }) => status === "error"));
    return failed || problems.length > 0 ? EXIT.problem : EXIT.fine;
  } finally {
    release();
  }
}

function linesOf({ trigger, rows, busy }: Fired, watched: boolean): string[] {
  const lines = rows.map((row) => `${firedLine(row)}\n`);
  if (lines.length > 0 || busy === null || !watched) return lines;
  return [`${trigger}  is still running${busy.since === null ? "" : `, since ${busy.since}`}\n`];
}

function jsonOf(place: string, fired: readonly Fired[], problems: readonly StoreProblem[]): object {
  return {
    schema_version: 1,
    as_of: isoUtc(Date.now()),
    place,
    triggers: fired.map(({ trigger, rows, busy }) => ({
      trigger,
      rows: rows.map(rowJson),
      running_since: busy?.since ?? null,
    })),
    problems,
  };
}
