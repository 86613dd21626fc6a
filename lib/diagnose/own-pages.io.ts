import { readdir } from "node:fs/promises";
import path from "node:path";
import { migrationsFolder } from "#db/migrations-folder.ts";
import { hasCode } from "#lib/errors.ts";
import { readWhole } from "#lib/read-whole.io.ts";

/** What a diagnostician may read of this program, at the top of its folder. Nothing in it is the person's own. */
export const PUBLIC_NAMES = ["README.md", "ARCHITECTURE.md", "docs/", "lib/"] as const;

/** The folder of this program, wherever it runs from. */
export function packageRoot(): string {
  return path.dirname(path.dirname(migrationsFolder()));
}

const PAGE_BYTES_MAX = 4_000_000;

/**
 * The guides of this program, each whole: a diagnostician reads them in pieces, or knows them from elsewhere, and a
 * sentence of theirs must be known in either case.
 */
export async function guidePages(root: string): Promise<string[]> {
  const docs = path.join(/* turbopackIgnore: true */ root, "docs");
  const guides = (await namesIn(docs)).filter((name) => name.endsWith(".md"));
  const files = ["README.md", "ARCHITECTURE.md", ...guides.map((name) => path.join("docs", name))];
  const pages: string[] = [];
  for (const file of files) {
    const read = await readWhole(path.join(/* turbopackIgnore: true */ root, file), PAGE_BYTES_MAX);
    // A guide that is not there cannot be read by anybody else either.
    if (read.ok) pages.push(read.value.toString());
  }
  return pages;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(/* turbopackIgnore: true */ folder)).sort();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
