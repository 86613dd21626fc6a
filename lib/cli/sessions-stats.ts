import { healthReport } from "#lib/health/report.ts";
import { statsJson, statsReport, statsText } from "#lib/health/stats.ts";
import type { WindowFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { scanAll } from "./scan.ts";
import { nothingFound, openStore } from "./store.ts";

/** `mecha sessions stats`: what runs cost, in tokens and money, by model. */
export async function sessionsStats(io: CliIo, flags: WindowFlags): Promise<number> {
  const store = await openStore(io, flags);
  if (store.sources.length === 0 && !flags.json) {
    io.out(`${nothingFound(store.looked)}\n`);
    return store.code;
  }
  const scans = await scanAll(io, store.sources, store.limits);
  const report = statsReport(healthReport(scans, store.window));
  io.out(flags.json ? jsonText(statsJson(report)) : `${statsText(report)}\n`);
  return store.code;
}
