import { visible } from "#lib/format.ts";
import { capped, commandOf, type Message } from "./message.ts";
import type { NewEvent, Plan } from "./plan.ts";

/** Escaping makes five characters of one, and Slack takes 3000 in a block. */
const BLOCK_MAX = 590;
const LINE_MAX = 200;
/** Servers that speak Slack's dialect may show the text alone, and refuse one of more than 16 000 characters. */
const TEXT_MAX = 12_000;

/**
 * The body of `--format slack`: a block for each event, and the same as text for what shows no blocks. Untrusted words
 * are in it as plain text, and nothing in them calls anybody, links or embeds.
 */
export function slackBody({ plan, since }: Message): unknown {
  const { fresh, resolved } = plan;
  const more = leftOutLine(plan);
  const blocks = [
    ...fresh.map((event) => newLines(event, since.get(event.finding.id) ?? null)),
    ...resolved.map(({ summary }) => [resolvedLine(summary)]),
    ...(more === null ? [] : [[more]]),
  ];
  const lines = [
    ...fresh.map(({ finding }) => newLine(finding)),
    ...resolved.map(({ summary }) => resolvedLine(summary)),
    ...(more === null ? [] : [more]),
  ];
  const head = headOf(plan);
  return {
    text: textOf(head, lines),
    mrkdwn: false,
    parse: "none",
    link_names: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: plain(head) },
      ...blocks.map((block) => ({ type: "section", text: plain(capped(block.join("\n"), BLOCK_MAX)) })),
    ],
  };
}

function headOf({ fresh, resolved, left_out }: Plan): string {
  const come = fresh.length + left_out.new;
  const gone = resolved.length + left_out.resolved;
  const parts = [
    ...(come > 0 ? [`${come} new finding${come === 1 ? "" : "s"}`] : []),
    ...(gone > 0 ? [`${gone} resolved`] : []),
  ];
  return `mecha: ${parts.join(", ")}`;
}

function newLines({ finding }: NewEvent, since: string | null): string[] {
  const { detail, remedy } = finding;
  const command = remedy === undefined ? null : commandOf(remedy.argv);
  return [
    newLine(finding),
    ...detail.split("\n").map((line) => capped(calm(line), LINE_MAX)),
    ...(since === null ? [] : [`since ${since}`]),
    // A command that had to be changed would not be the command any more.
    ...(command !== null && calm(command) === command ? [`remedy: ${command}`] : []),
  ];
}

function newLine({ severity, summary }: NewEvent["finding"]): string {
  return capped(`[${severity}] ${calm(summary)}`, LINE_MAX);
}

function resolvedLine(summary: string): string {
  return capped(`[resolved] ${calm(summary)}`, LINE_MAX);
}

function leftOutLine({ left_out }: Plan): string | null {
  const n = left_out.new + left_out.resolved;
  return n === 0 ? null : `and ${n} more, which the next message will have`;
}

/**
 * One line in which nothing is a call (`@here`), a link or an image for whatever shows it. The marks stay readable; the
 * at sign becomes its wide form.
 */
function calm(text: string): string {
  return visible(text).replaceAll("@", "＠").replaceAll("://", ": //").replaceAll("](", "] (");
}

function plain(text: string) {
  return { type: "plain_text", text: escaped(text), emoji: false };
}

/** What Slack asks for, and what keeps `<!here>` and `<http://…>` from meaning anything. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function textOf(head: string, lines: readonly string[]): string {
  const shown = [head];
  let size = head.length;
  for (const [at, line] of lines.entries()) {
    const text = escaped(line);
    size += text.length + 1;
    if (size > TEXT_MAX) {
      shown.push(`and ${lines.length - at} more`);
      break;
    }
    shown.push(text);
  }
  return shown.join("\n");
}
