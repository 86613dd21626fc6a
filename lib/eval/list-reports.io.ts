import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Parsed } from "#lib/errors.ts";
import type { ReportKind } from "./classify.ts";
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
  left_out: {
    /** JSON files beyond the cap. */
    files_over_cap: number;
    /** Folders deeper than is looked. */
    folders_too_deep: number;
    /** Files that are not named `.json`. */
    files_not_json: number;
    /** Folders of transcripts that stand beside a report. */
    transcript_folders: number;
    /** Folders that are not there or cannot be read, with the reason. */
    folders: { folder: string; problem: string }[];
  };
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
  const left_out: ReportListing["left_out"] = {
    files_over_cap: 0,
    folders_too_deep: 0,
    files_not_json: 0,
    transcript_folders: 0,
    folders: [],
  };
  const found = await foundIn(folders, limits, left_out);
  // Where not all can be listed, the newest are the ones a person looks for.
  found.sort((a, b) => b.modified_ms - a.modified_ms || (a.name < b.name ? -1 : 1));
  left_out.files_over_cap = Math.max(0, found.length - limits.files_max);
  const files: ReportFile[] = [];
  for (const one of found.slice(0, limits.files_max)) files.push(await summarised(one, limits, memo));
  return { files: files.sort(newestFirst), left_out };
}

/** The card of a listed name, read whole. */
export async function loadCard(folders: readonly string[], name: string): Promise<Parsed<Card>> {
  const numbered = /^(\d{1,3}):(.+)$/s.exec(name);
  const inFolder = numbered ? folders[Number(numbered[1]) - 1] : undefined;
  const places = [
    ...folders.map((folder) => placeOfName(folder, name)),
    inFolder === undefined ? null : placeOfName(inFolder, numbered?.[2] ?? ""),
  ];
  for (const place of places) {
    if (place !== null && (await exists(place))) return readCard(place, name);
  }
  return { ok: false, problem: `no results folder holds ${JSON.stringify(name)}` };
}

type Found = {
  name: string;
  folder: string;
  place: string;
  bytes: number;
  modified_ms: number;
  stamp: string | null;
};

async function foundIn(
  folders: readonly string[],
  limits: ListLimits,
  left_out: ReportListing["left_out"],
): Promise<Found[]> {
  const found: Found[] = [];
  const taken = new Set<string>();
  for (const [at, folder] of folders.entries()) {
    for (const relative of await namesIn(folder, limits, left_out)) {
      const name = taken.has(relative) ? `${at + 1}:${relative}` : relative;
      taken.add(name);
      const place = path.join(folder, relative);
      found.push({ name, folder, place, ...(await stampOf(place)) });
    }
  }
  return found;
}

async function namesIn(
  folder: string,
  limits: ListLimits,
  left_out: ReportListing["left_out"],
): Promise<string[]> {
  const names: string[] = [];
  const open = [{ relative: "", depth: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const entries = await entriesOf(path.join(folder, next.relative));
    if (!entries.ok) {
      left_out.folders.push({ folder: path.join(folder, next.relative), problem: entries.problem });
      continue;
    }
    for (const entry of entries.value) {
      const relative = path.join(next.relative, entry.name);
      // A link to a folder is not followed: it may lead round in a circle.
      if (entry.isDirectory()) {
        if (entry.name.endsWith(".transcripts")) left_out.transcript_folders += 1;
        else if (next.depth + 1 > limits.depth_max) left_out.folders_too_deep += 1;
        else open.push({ relative, depth: next.depth + 1 });
      } else if (entry.name.endsWith(".json")) names.push(relative);
      else left_out.files_not_json += 1;
    }
  }
  return names;
}

async function entriesOf(folder: string): Promise<Parsed<Dirent[]>> {
  try {
    const entries = await readdir(/* turbopackIgnore: true */ folder, { withFileTypes: true });
    return { ok: true, value: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const words: Record<string, string> = {
      ENOENT: "there is no such folder",
      ENOTDIR: "it is not a folder",
      EACCES: "permission denied",
    };
    return { ok: false, problem: words[code] ?? code };
  }
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

/** What tells that a file is still the one that was read. */
async function stampOf(place: string): Promise<{ stamp: string | null; modified_ms: number; bytes: number }> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(/* turbopackIgnore: true */ place);
    return { stamp: `${dev}:${ino}:${size}:${mtimeMs}`, modified_ms: mtimeMs, bytes: size };
  } catch {
    // Gone since it was listed, or a dangling link: reading it says which.
    return { stamp: null, modified_ms: 0, bytes: 0 };
  }
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
