import { UserError } from "#lib/errors.ts";
import { bytes, count, DASH, modelName, money, visible } from "#lib/format.ts";
import { parseCursor } from "#lib/sources/cursor.ts";
import type { Entry } from "#lib/sources/entry.ts";
import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";
import { findSession, runsOf } from "./catalog.ts";
import { entryText } from "./entry-text.ts";
import type { ShowFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { openStore, type Store } from "./store.ts";
import { styleFor } from "./style.ts";
import { toolNames } from "./tool-names.ts";
import { type Reading, readEntries } from "./transcript.ts";
import { clockIn } from "./when.ts";

const LIMIT = 100;
/** Text of one entry: what fits a screen or two, and what a program may want of it. */
const TEXT_MAX = 4000;
const JSON_TEXT_MAX = 100_000;

/** `mecha sessions show ID`: who ran what, then the transcript or its failed calls, bounded, as text or as one object. */
export async function sessionsShow(io: CliIo, id: string, flags: ShowFlags): Promise<number> {
  if (flags.from !== undefined && parseCursor(flags.from) === null) {
    throw new UserError(
      "usage",
      `--from: '${visible(flags.from)}' is no place in a transcript; one reads 10240:0`,
    );
  }
  const store = await openStore(io, flags);
  const found = await findSession(io, store, id);
  const { runs } = await runsOf(io, store, [found]);
  const rows = runs.get(found.head) ?? [];
  const asked = {
    from: flags.from ?? null,
    limit: flags.limit ?? LIMIT,
    failedOnly: flags.failed === true,
    textMax: flags.json ? JSON_TEXT_MAX : TEXT_MAX,
    until_ms: flags.asOf === undefined ? null : store.limits.as_of_ms,
  };
  if (flags.json) await showJson(io, found.head, rows, (take) => readEntries(io, found.head, asked, take));
  else
    await showText(io, store, { head: found.head, rows, flags }, (take) =>
      readEntries(io, found.head, asked, take),
    );
  return store.code;
}

type Read = (take: (entry: Entry) => void) => Promise<Reading>;

/** Written piece by piece, so that a large `--limit` needs no memory for the whole. */
async function showJson(io: CliIo, session: SessionHead, runs: readonly RunRow[], read: Read): Promise<void> {
  const opening = jsonText({ schema_version: 1, session, runs }).replace(/\n\}\n$/, ',\n  "entries": [');
  io.out(opening);
  let written = 0;
  const { next } = await read((entry) => {
    io.out(`${written === 0 ? "" : ","}\n${indented(jsonText(entry))}`);
    written += 1;
  });
  io.out(`${written === 0 ? "" : "\n  "}],\n  "next": ${JSON.stringify(next)}\n}\n`);
}

function indented(json: string): string {
  return json.trimEnd().replace(/^/gm, "    ");
}

type Shown = { head: SessionHead; rows: readonly RunRow[]; flags: ShowFlags };

async function showText(io: CliIo, store: Store, { head, rows, flags }: Shown, read: Read): Promise<void> {
  const style = styleFor(io);
  const clock = clockIn(store.window.zone);
  const facts = headLines(head, rows, `${clock(head.created_at)} ${store.window.zone}`);
  io.out(`${facts.join("\n")}\n\n`);
  const nameTool = toolNames();
  let written = 0;
  const { next } = await read((entry) => {
    io.out(`${entryText(nameTool(entry), { style, clock })}\n`);
    written += 1;
  });
  if (written === 0) io.out(`${flags.failed ? "No failed tool call" : "No entry"} ${placeOf(flags)}.\n`);
  if (next === null) return;
  io.out(
    `${style.bold(`There is more after these ${written}.`)} Go on with --from ${next}, or raise --limit.\n`,
  );
}

function placeOf(flags: ShowFlags): string {
  return flags.from === undefined ? "in this transcript" : "from there on";
}

function headLines(head: SessionHead, rows: readonly RunRow[], started: string): string[] {
  const facts: [string, string][] = [
    ["session", `${head.id}${head.subagent ? " (sub-agent)" : ""}`],
    ["title", head.title ?? DASH],
    ["started", started],
    ["source", `${head.source} (${head.provenance})`],
    ["model", [head.provider, head.model].filter((part) => part !== "").join(" / ") || DASH],
    ["workspace", head.workspace || DASH],
    ["file", `${head.path} (${bytes(head.bytes)})`],
    ...(head.parent_id === null ? [] : [["part of", head.parent_id] as [string, string]]),
    ["runs", rows.length === 0 ? "none finished" : count(rows.length)],
  ];
  return [...facts.map(([name, value]) => `${name.padEnd(11)}${visible(value)}`), ...rows.map(runLine)];
}

function runLine(run: RunRow): string {
  const parts = [
    run.stop_cause ?? "unrecorded",
    modelName(run.model),
    `${count(run.turns)} turn(s)`,
    `${count(run.tool_calls)} call(s)`,
    `${count(run.tool_errors)} error(s)`,
    `${count(run.tool_denied)} denied`,
    ...(run.cost_usd === null ? [] : [money(run.cost_usd)]),
    ...(run.ended_on_failed_call ? ["✕ ended on a failed call"] : []),
  ];
  return `  ${String(run.run).padStart(3)}  ${parts.join(" · ")}`;
}
