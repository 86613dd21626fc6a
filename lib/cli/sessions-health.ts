import { modelName, visible } from "#lib/format.ts";
import { healthJson } from "#lib/health/json.ts";
import { type HealthReport, healthReport } from "#lib/health/report.ts";
import { healthText, outsideLines } from "#lib/health/text.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import type { Scan } from "#lib/sources/source.ts";
import type { WindowFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { scanAll } from "./scan.ts";
import { nothingFound, openStore } from "./store.ts";

/** `mecha sessions health`: prints the report and judges nothing. */
export async function sessionsHealth(io: CliIo, flags: WindowFlags): Promise<number> {
  const store = await openStore(io, flags, { zoneUnread: !flags.json && flags.asOf === undefined });
  if (store.sources.length === 0 && !flags.json) {
    io.out(`${nothingFound(store.looked)}\n`);
    return store.code;
  }
  const scans = await scanAll(io, store.sources, store.limits);
  const report = healthReport(ofModel(scans, flags.model), store.window);
  if (flags.json) io.out(jsonText(jsonOf(report, flags.model)));
  else io.out(`${noneOfModel(scans, report, flags.model) ?? healthText(report)}\n`);
  return store.code;
}

/** The same scans with only the runs of one model. */
export function ofModel(scans: readonly Scan[], model: string | undefined): Scan[] {
  if (model === undefined) return [...scans];
  return scans.map((scan) => ({ ...scan, runs: scan.runs.filter((run) => run.model === model) }));
}

function jsonOf(report: HealthReport, model: string | undefined): unknown {
  const json = healthJson(report);
  return model === undefined || typeof json !== "object" ? json : sortKeys({ ...json, model });
}

/** An empty report would read as an empty store, where it is a name that nothing has. */
function noneOfModel(scans: readonly Scan[], report: HealthReport, model: string | undefined): string | null {
  if (model === undefined || report.totals.length > 0 || report.subagents.length > 0) return null;
  const known = [...new Set(scans.flatMap((scan) => scan.runs.map((run) => modelName(run.model))))].sort();
  if (known.length > 0)
    return `No finished run of the model ${visible(model)}; found runs of ${known.join(" · ")}.`;
  const none = `No finished run of the model ${visible(model)}; found no finished run of any model.`;
  return [none, ...outsideLines(report.coverage, report.window)].join("\n");
}
