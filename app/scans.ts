import "server-only";
import { readSettings } from "#lib/settings.io.ts";
import type { Settings } from "#lib/settings.ts";
import { discoverSources, type FoundSource } from "#lib/sources/discover.io.ts";
import { distinctScans } from "#lib/sources/distinct.ts";
import { createMemo, type Memo } from "#lib/sources/memo.io.ts";
import type { Limits, Scan } from "#lib/sources/source.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";
import { derive } from "./derive.ts";

/** The configured sources and, in their order, the scans of those that can be read. */
export type Looked = { settings: Settings; found: FoundSource[]; scans: Scan[] };

/** Looks at the configured sources, or at those of one kind, once for each of `windows`; from memory while it is fresh. */
export async function lookAt<const W extends readonly Partial<Limits>[]>(
  kind: SourceKind | null,
  windows: W,
): Promise<Omit<Looked, "scans"> & { scans: { [K in keyof W]: Scan[] } }> {
  const settings = readSettings();
  const found = await discoverSources(settings, kind === null ? null : [kind]);
  const readable = found.filter((one) => one.found && one.problem === null);
  const scans = await Promise.all(
    windows.map(async (window) => {
      const all = await Promise.all(readable.map(({ source }) => memo().scan(source, window)));
      return derive(all, "distinct", () => distinctScans(all));
    }),
  );
  return { settings, found, scans: scans as { [K in keyof W]: Scan[] } };
}

const MEMO = Symbol.for("mecha.memo");

/** The one memo of this process: pages and routes each have their own copy of this module's variables. */
function memo(): Memo {
  const place = globalThis as { [MEMO]?: Memo };
  place[MEMO] ??= createMemo();
  return place[MEMO];
}
