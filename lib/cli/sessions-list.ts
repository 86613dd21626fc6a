import { count, DASH, modelName, visible } from "#lib/format.ts";
import { leftOut, outsideLines } from "#lib/health/text.ts";
import { addCoverage, type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import { type Listed, listHeads, runsOf } from "./catalog.ts";
import type { ListFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { type SessionRow, sessionRow } from "./session-row.ts";
import { nothingFound, openStore, type Store } from "./store.ts";
import { type Column, tableLines } from "./table.ts";
import { clockIn } from "./when.ts";

const LIMIT = 20;
/** Sessions read at once in search of a model, doubled as long as too few have it. */
const CHUNK = 100;

/** `mecha sessions list`: headers of every session, runs only of those that are shown. */
export async function sessionsList(io: CliIo, flags: ListFlags): Promise<number> {
  const store = await openStore(io, { ...flags, limit: flags.limit ?? LIMIT });
  if (store.sources.length === 0 && !flags.json) {
    io.out(`${nothingFound(store.looked)}\n`);
    return store.code;
  }
  const page = await readPage(io, store, flags);
  io.out(flags.json ? jsonText(jsonOf(store, page)) : `${textOf(io, store, page, flags).join("\n")}\n`);
  return store.code;
}

type Page = {
  rows: SessionRow[];
  /** How many of them began before the window. */
  before: number;
  /** Sessions that were not looked into: those that belong to the list, and those that may. */
  more: { inside: number; before: number };
  subagents: number;
  coverage: Coverage;
};
type Fresh = { row: SessionRow; listed: Listed; inside: boolean };

/** A session that began before the window belongs to it when something of it is inside, as for the report on health. */
async function readPage(io: CliIo, store: Store, flags: ListFlags): Promise<Page> {
  const limit = flags.limit ?? LIMIT;
  const { listed, coverage: ofHeads } = await listHeads(io, store);
  const [wanted, hidden] = flags.subagents ? [listed, []] : splitOff(listed, ({ head }) => !head.subagent);
  const coverage = emptyCoverage();
  const found: Fresh[] = [];
  let read = 0;
  let chunk = flags.model === undefined ? limit : Math.max(CHUNK, limit);
  while (found.length < limit && read < wanted.length) {
    const part = wanted.slice(read, read + chunk);
    const fresh = await readRows(io, store, part, coverage);
    const taken = fresh.filter((one) => one.inside && isOf(one.row, flags.model));
    const next = taken[limit - found.length];
    found.push(...taken.slice(0, limit - found.length));
    read += next === undefined ? part.length : fresh.indexOf(next);
    chunk = Math.max(CHUNK, chunk * 2);
  }
  const [before, inside] = splitOff(wanted.slice(read), (one) => one.before);
  const [hiddenBefore, subagents] = splitOff(hidden, (one) => one.before);
  addCoverage(coverage, { ...ofHeads, sessions_read: 0, sessions_capped: wanted.length - read });
  coverage.sessions_cutoff += hiddenBefore.length;
  return {
    rows: found.map(({ row }) => row),
    before: found.filter((one) => one.listed.before).length,
    more: { inside: inside.length, before: before.length },
    subagents: subagents.length,
    coverage,
  };
}

function splitOff(all: readonly Listed[], passes: (one: Listed) => boolean): [Listed[], Listed[]] {
  return [all.filter(passes), all.filter((one) => !passes(one))];
}

async function readRows(io: CliIo, store: Store, part: Listed[], coverage: Coverage): Promise<Fresh[]> {
  const { runs, inside, coverage: ofRuns } = await runsOf(io, store, part);
  addCoverage(coverage, ofRuns);
  return part.map((listed) => ({
    row: sessionRow(listed.head, runs.get(listed.head) ?? []),
    listed,
    inside: !listed.before || inside.has(listed.head),
  }));
}

function isOf(row: SessionRow, model: string | undefined): boolean {
  return model === undefined || row.models.includes(model) || (row.runs === 0 && row.model === model);
}

function jsonOf({ window }: Store, { rows, coverage, subagents }: Page): unknown {
  return { schema_version: 1, window, sessions: rows, subagents_not_listed: subagents, coverage };
}

const COLUMNS: Column[] = [
  { header: "id" },
  { header: "started" },
  { header: "source" },
  { header: "model", shrinkTo: 12 },
  { header: "runs", align: "right" },
  { header: "calls", align: "right" },
  { header: "errors", align: "right" },
  { header: "stopped by" },
  { header: "title", shrinkTo: 12 },
];

function textOf(io: CliIo, store: Store, page: Page, flags: ListFlags): string[] {
  const { zone, days } = store.window;
  const within = days === null ? "" : `, last ${days} day(s)`;
  const ofModel = flags.model === undefined ? "" : ` of the model ${visible(flags.model)}`;
  const more = [
    ...(page.more.inside > 0 ? [`${page.more.inside} older one(s)`] : []),
    ...(page.more.before > 0 ? [`${page.more.before} begun before that`] : []),
  ];
  const unread = more.length > 0 ? `; ${more.join(" and ")} not looked into, see -n` : "";
  const reach = page.before > 0 ? `; ${page.before} begun before that, with the runs inside it` : "";
  const hidden = page.subagents > 0 ? `; ${page.subagents} of sub-agents not listed, see --subagents` : "";
  const skipped = leftOut({ ...page.coverage, sessions_capped: 0 });
  const clock = clockIn(zone);
  const cells = page.rows.map((row) => cellsOf(row, clock));
  return [
    ...(cells.length === 0 ? [] : [...tableLines(COLUMNS, cells, io.isTty.stdout ? io.columns : null), ""]),
    `${page.rows.length} session(s)${ofModel}${within}, newest first, times in ${zone}${reach}${unread}${hidden}`,
    ...(cells.length === 0 ? outsideLines(page.coverage, store.window) : []),
    ...(skipped.length === 0 ? [] : [`left out: ${skipped.join(" · ")}`]),
  ];
}

function cellsOf(row: SessionRow, clock: (time: string) => string): string[] {
  const some = row.runs > 0;
  return [
    `${visible(row.id)}${row.subagent ? " (sub-agent)" : ""}`,
    clock(row.started_at),
    row.source,
    row.models.length === 0 ? visible(row.model) || DASH : row.models.map(modelName).join(", "),
    count(row.runs),
    some ? count(row.tool_calls) : DASH,
    some ? count(row.tool_errors) : DASH,
    some ? (row.stop_cause ?? "unrecorded") : DASH,
    visible(row.title ?? ""),
  ];
}
