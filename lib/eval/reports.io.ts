import { type FileHandle, open, stat } from "node:fs/promises";
import path from "node:path";
import { messageOf, type Parsed } from "#lib/errors.ts";
import { bytes as sizeOf, visible } from "#lib/format.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { utf8 } from "#lib/utf8.ts";
import { kindOf, kindWords, type ReportKind } from "./classify.ts";
import { scorecardIn } from "./head-slice.ts";
import { parseReport } from "./parse-report.ts";
import type { Card, Report } from "./scorecard.ts";

/** Read whole at most this: a report of 5 000 cases with five runs each has some 40 MB. */
export const REPORT_BYTES_MAX = 128 * 1024 * 1024;
const BEGINNING = 256 * 1024;

/** One file as it was found. */
export type ReadFile = {
  kind: ReportKind;
  /** Why the file cannot be used as what it means to be; null when it can. */
  problem: string | null;
  bytes: number;
  /** Of a scorecard. */
  report: Report | null;
  /** Of a scorecard too large to read: its headline, without a single case. */
  beginning: Report | null;
  /** Of any other JSON. */
  value: unknown;
};

/** Reads a file of a results folder as whatever it is. Never throws for what stands in it. */
export async function readReport(file: string, bytesMax = REPORT_BYTES_MAX): Promise<ReadFile> {
  let handle: FileHandle | null = null;
  try {
    // Asked before opening: a pipe of that name would make us wait for ever.
    const found = await stat(/* turbopackIgnore: true */ file);
    if (!found.isFile()) return bare("unreadable", "it is not a regular file", 0);
    if (found.size === 0) return bare("empty", "the file is empty", 0);
    handle = await open(/* turbopackIgnore: true */ file, "r");
    if (found.size > bytesMax) return await beginningOf(handle, found.size, bytesMax);
    return understood(await handle.readFile(), found.size);
  } catch (error) {
    return bare("unreadable", reasonOf(error), 0);
  } finally {
    await handle?.close();
  }
}

/** The scorecard in a file, under the name it shall be shown by; or, in one line, what the file is instead. */
export async function readCard(file: string, name: string): Promise<Parsed<Card>> {
  const read = await readReport(file);
  if (read.report !== null) return { ok: true, value: { name, report: read.report } };
  const why = read.problem === null ? "" : `: ${read.problem}`;
  return { ok: false, problem: `${visible(name)} is ${kindWords(read.kind)}${why}` };
}

/** For a file too large to read: its headline alone, if it stands where reports have it. */
async function beginningOf(handle: FileHandle, size: number, bytesMax: number): Promise<ReadFile> {
  const buffer = Buffer.alloc(Math.min(BEGINNING, size));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  const scorecard = scorecardIn(buffer.subarray(0, bytesRead).toString("utf8"));
  const head = parseReport({ scorecard, cases: [] });
  const problem = `${sizeOf(size)} are more than the ${sizeOf(bytesMax)} that are read: its cases are unknown`;
  return { ...bare("too_large", problem, size), beginning: head.ok ? head.value : null };
}

function understood(content: Buffer, bytes: number): ReadFile {
  const text = utf8(content);
  if (text === null) return bare("broken_json", "it is not UTF-8 text", bytes);
  const json = parseJsonText(text);
  if (!json.ok) return bare("broken_json", visible(json.problem), bytes);
  const kind = kindOf(json.value);
  if (kind !== "scorecard" && kind !== "invalid_scorecard") {
    return { ...bare(kind, null, bytes), value: json.value };
  }
  const parsed = parseReport(json.value);
  if (!parsed.ok) return bare("invalid_scorecard", visible(parsed.problem), bytes);
  return { ...bare(kind, null, bytes), report: parsed.value };
}

function bare(kind: ReportKind, problem: string | null, bytes: number): ReadFile {
  return { kind, problem, bytes, report: null, beginning: null, value: null };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : null;
  if (code === "ENOENT") return "there is no such file";
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  return visible(messageOf(error));
}

/** Where a card name leads: relative to a results folder, never out of it. Null for a name that is none. */
export function placeOfName(folder: string, name: string): string | null {
  if (name === "" || name.includes("\0") || path.isAbsolute(name)) return null;
  if (name.split(/[/\\]/).includes("..") || !name.endsWith(".json")) return null;
  return path.join(folder, name);
}
