import type { Parsed } from "#lib/errors.ts";
import type { ReportKind } from "./classify.ts";
import { type Found, foundIn, type LeftOut, nothingLeftOut, stampOf } from "./find-reports.io.ts";
import { type Coverage, coverageOf, headOf } from "./head.ts";
import { type CardDoubts, doubtsOf } from "./head-check.ts";
import { placeOfName, readCard, readReport } from "./reports.io.ts";
import type { Card, CardMeta, Head, Report } from "./scorecard.ts";

/** What a list of cards says about one of them. */
export type CardSummary = {
  model: string;
  provider: string;
  /** From the cases; as written where the cases were not read. */
  head: Head;
  /** False: the file is large, and its cases were not looked at. */
  recomputed: boolean;
  meta: CardMeta;
  wall_clock_ms: number | null;
  coverage: Coverage | null;
  doubts: CardDoubts | null;
};

export type ReportFile = {
  /** The address of the file: its path relative to its folder, with `2:` before it where an earlier folder has one of that name. */
  name: string;
  folder: string;
  bytes: number;
  modified_ms: number;
  kind: ReportKind;
  problem: string | null;
  card: CardSummary | null;
};

export type ReportListing = {
  /** Newest first, by the card's own time and else the file's; ties by name. */
  files: ReportFile[];
  left_out: LeftOut;
};

export type ListLimits = { files_max: number; depth_max: number; whole_bytes_max: number };

/** A report over 8 MiB is listed by its headline: a folder of large ones must not take a minute to open. */
export const LIST_LIMITS: ListLimits = { files_max: 2000, depth_max: 6, whole_bytes_max: 8 * 1024 * 1024 };

/** What a listing may remember of unchanged files; the caller keeps it, and dropping it changes no number. */
export type ReportMemo = Map<string, { stamp: string; file: ReportFile }>;

/** Lists everything in the results folders that is named `.json`, each as what it is. */
export async function listReports(
  folders: readonly string[],
  limits: ListLimits = LIST_LIMITS,
  memo: ReportMemo = new Map(),
): Promise<ReportListing> {
  const left_out = nothingLeftOut();
  const found = await foundIn(folders, limits.depth_max, left_out);
  // Where not all can be listed, the newest are the ones a person looks for.
  found.sort((a, b) => b.modified_ms - a.modified_ms || (a.name < b.name ? -1 : 1));
  left_out.files_over_cap = Math.max(0, found.length - limits.files_max);
  const files: ReportFile[] = [];
  for (const one of found.slice(0, limits.files_max)) files.push(await summarised(one, limits, memo));
  return { files: files.sort(newestFirst), left_out };
}

/** The card of a listed name, read whole. */
export async function loadCard(folders: readonly string[], name: string): Promise<Parsed<Card>> {
  const place = await placeOfListed(folders, name);
  return place === null ? noSuchCard(name) : readCard(place, name);
}

/** Where the file of a listed name stands; null when no folder holds it. */
export async function placeOfListed(folders: readonly string[], name: string): Promise<string | null> {
  const numbered = /^(\d{1,3}):(.+)$/s.exec(name);
  const inFolder = numbered ? folders[Number(numbered[1]) - 1] : undefined;
  const places = [
    ...folders.map((folder) => placeOfName(folder, name)),
    inFolder === undefined ? null : placeOfName(inFolder, numbered?.[2] ?? ""),
  ];
  for (const place of places) {
    if (place !== null && (await exists(place))) return place;
  }
  return null;
}

/** The words for a card that is in none of the folders that were looked at. */
export function noSuchCard(name: string): { ok: false; problem: string } {
  return { ok: false, problem: `no results folder holds ${JSON.stringify(name)}` };
}

async function summarised(found: Found, limits: ListLimits, memo: ReportMemo): Promise<ReportFile> {
  const { name, folder, place, bytes, modified_ms, stamp } = found;
  const known = memo.get(place);
  if (stamp !== null && known?.stamp === stamp) return { ...known.file, name };
  const read = await readReport(place, limits.whole_bytes_max);
  const large = read.kind === "too_large" && read.beginning !== null;
  const file: ReportFile = {
    name,
    folder,
    bytes,
    modified_ms,
    kind: large ? "scorecard" : read.kind,
    problem: large ? null : read.problem,
    card: summaryOf(read.report) ?? headlineOf(read.beginning),
  };
  if (stamp !== null) memo.set(place, { stamp, file });
  return file;
}

function summaryOf(report: Report | null): CardSummary | null {
  return (
    report && {
      model: report.model,
      provider: report.provider,
      head: headOf(report.runs),
      recomputed: true,
      meta: report.meta,
      wall_clock_ms: report.wall_clock_ms,
      coverage: coverageOf(report),
      doubts: doubtsOf(report),
    }
  );
}

function headlineOf(beginning: Report | null): CardSummary | null {
  return (
    beginning && {
      model: beginning.model,
      provider: beginning.provider,
      head: beginning.head,
      recomputed: false,
      meta: beginning.meta,
      wall_clock_ms: beginning.wall_clock_ms,
      coverage: null,
      doubts: null,
    }
  );
}

function newestFirst(a: ReportFile, b: ReportFile): number {
  const time = (file: ReportFile) => {
    const own = file.card?.meta.created_at;
    const ms = own ? Date.parse(own) : Number.NaN;
    return Number.isNaN(ms) ? file.modified_ms : ms;
  };
  return time(b) - time(a) || (a.name < b.name ? -1 : 1);
}

async function exists(place: string): Promise<boolean> {
  return (await stampOf(place)).stamp !== null;
}
