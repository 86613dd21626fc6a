import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import { hasCode, type Parsed } from "#lib/errors.ts";
import { byteOrder } from "#lib/format.ts";
import { readText } from "#lib/read-whole.io.ts";
import type { Case } from "./case.ts";
import { parseCases, withTags } from "./case-file.ts";

/** A file that may be chosen by name, and by no path. */
export type ListedFile = {
  /** `eval/cases.jsonl`; one of this program where it is another folder: `shipped: eval/cases.jsonl`. */
  name: string;
  /** Absolute. */
  file: string;
};

export type CaseSet = ListedFile & {
  cases: number;
  /** Each with how many cases carry it, the most frequent first. */
  tags: { tag: string; cases: number }[];
  /** Why it cannot be run; null where it can. */
  problem: string | null;
};

const FOLDER = "eval";
const FILES_MAX = 50;

/** The case sets (`*.jsonl`) in the `eval/` of the working folder, then those that come with this program. */
export async function listCaseSets(places: Places): Promise<CaseSet[]> {
  return Promise.all((await listed(places, ".jsonl")).map(described));
}

/** Files of tool servers (`*.toml`) beside the case sets. */
export function listServerFiles(places: Places): Promise<ListedFile[]> {
  return listed(places, ".toml");
}

/** Absolute folders: where the person works, and where this program is. */
type Places = { cwd: string; root: string };

async function listed({ cwd, root }: Places, ending: string): Promise<ListedFile[]> {
  const own = await inFolder(path.join(/* turbopackIgnore: true */ cwd, FOLDER), `${FOLDER}/`, ending);
  const shipped = await inFolder(
    path.join(/* turbopackIgnore: true */ root, FOLDER),
    `shipped: ${FOLDER}/`,
    ending,
  );
  const known = new Set(await Promise.all(own.map(({ file }) => realpath(/* turbopackIgnore: true */ file))));
  const others: ListedFile[] = [];
  for (const one of shipped)
    if (!known.has(await realpath(/* turbopackIgnore: true */ one.file))) others.push(one);
  return [...own, ...others];
}

async function inFolder(folder: string, prefix: string, ending: string): Promise<ListedFile[]> {
  try {
    const entries = await readdir(/* turbopackIgnore: true */ folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending) && !entry.name.startsWith("."))
      .map((entry) => entry.name)
      .sort(byteOrder)
      .slice(0, FILES_MAX)
      .map((name) => ({ name: `${prefix}${name}`, file: path.join(folder, name) }));
  } catch (error) {
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR") || hasCode(error, "EACCES")) return [];
    throw error;
  }
}

async function described({ name, file }: ListedFile): Promise<CaseSet> {
  const all = await casesIn({ name, file });
  if (!all.ok) return { name, file, cases: 0, tags: [], problem: all.problem };
  const counts = new Map<string, number>();
  for (const one of all.value) for (const tag of one.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tags = [...counts].map(([tag, cases]) => ({ tag, cases }));
  tags.sort((a, b) => b.cases - a.cases || byteOrder(a.tag, b.tag));
  return { name, file, cases: all.value.length, tags, problem: null };
}

/** How many cases of a set carry one of the tags; all of them where none is named. */
export async function countCases(set: ListedFile, tags: readonly string[]): Promise<Parsed<number>> {
  const all = await casesIn(set);
  const chosen = all.ok ? withTags(all.value, tags) : all;
  return chosen.ok ? { ok: true, value: chosen.value.length } : chosen;
}

/** A page that lists sets is no place to read a huge one. */
const BYTES_MAX = 8 * 1024 * 1024;

async function casesIn({ name, file }: ListedFile): Promise<Parsed<Case[]>> {
  const text = await readText(file, BYTES_MAX);
  return text.ok ? parseCases(text.value, name) : { ok: false, problem: `${name}: ${text.problem}` };
}
