import { visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";
import { clipped } from "#lib/utf8.ts";
import type { NewEvent, Plan } from "./plan.ts";

/** What is sent, before it has a form. Times are RFC 3339. */
export type Message = {
  sent_at: string;
  as_of: string;
  plan: Plan;
  /** By a finding's own id, since when it stands; absent or null where nothing tells. */
  since: ReadonlyMap<string, string | null>;
};

const SUMMARY_MAX = 500;
const DETAIL_MAX = 2000;

/** The body of `--format json`. Numbers and names are what `mecha doctor` says; nothing of this machine is added. */
export function jsonBody({ sent_at, as_of, plan, since }: Message): unknown {
  return {
    schema_version: 1,
    sent_at,
    as_of,
    new: plan.fresh.map((event) => newJson(event, since)),
    resolved: plan.resolved.map(({ key, event_id, summary }) => ({ event_id, id: key, summary })),
    left_out: plan.left_out,
  };
}

function newJson({ key, event_id, finding }: NewEvent, since: Message["since"]) {
  const { component, severity, summary, detail, remedy } = finding;
  return {
    event_id,
    id: key,
    component,
    severity,
    summary: summaryOf(summary),
    detail: capped(detail, DETAIL_MAX),
    since: since.get(finding.id) ?? null,
    ...(remedy === undefined
      ? {}
      : {
          remedy: {
            description: remedy.description,
            argv: remedy.argv,
            command: commandOf(remedy.argv),
            needs_terminal: remedy.needs_terminal,
          },
        }),
  };
}

/** A finding's sentence as it is sent, and as it is kept for the message that says it is gone. */
export function summaryOf(summary: string): string {
  return capped(summary, SUMMARY_MAX);
}

/** A command as a line to be pasted; null where one of its words holds what a reader would not see. */
export function commandOf(argv: readonly string[]): string | null {
  const line = shellLine(argv);
  return visible(line) === line ? line : null;
}

/** At most `max` UTF-16 units, with a mark where something was cut; no character is cut in two. */
export function capped(text: string, max: number): string {
  return text.length <= max ? text : clipped(text, max - 1);
}
