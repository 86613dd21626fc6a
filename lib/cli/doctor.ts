import { runDoctor } from "#lib/doctor/doctor.io.ts";
import type { DoctorReport } from "#lib/doctor/finding.ts";
import { doctorJson, doctorText } from "#lib/doctor/text.ts";
import { discoverSources, type FoundSource } from "#lib/sources/discover.io.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { CommonFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { offerRemedies, type Self } from "./offer.ts";
import { withProgress } from "./scan.ts";
import { asOf, nothingFound, scheduleZone, settle } from "./store.ts";
import { severityPaint } from "./style.ts";

/** `mecha doctor`: every finding that stands; exit code 1 while there is one. Here an unreadable store is a finding. */
export async function doctor(io: CliIo, flags: CommonFlags, self: Self): Promise<number> {
  const settings = settle(io, flags);
  const as_of_ms = asOf(io, flags, settings.zone);
  const looked = await discoverSources(settings, flags.source.length > 0 ? flags.source : null);
  let runs = 0;
  const report = await withProgress(io, (optionsFor) =>
    runDoctor({ ...settings, zone: scheduleZone(io) }, looked, {
      as_of_ms,
      scan: async (source, limits) => {
        const scan = await scanRuns(source, limits, optionsFor(source));
        runs += scan.runs.length;
        return scan;
      },
    }),
  );
  const code = report.findings.length > 0 ? EXIT.problem : EXIT.fine;
  if (flags.json) {
    io.out(jsonText(doctorJson(report)));
    return code;
  }
  io.out(`${nothingSeen(report, looked, runs) ?? doctorText(report, severityPaint(io))}\n`);
  await offerRemedies(io, report.findings, self);
  return code;
}

/** "Healthy" over nothing at all would be a promise that nobody checked. Null where something was looked at, or is to be told. */
function nothingSeen(report: DoctorReport, looked: readonly FoundSource[], runs: number): string | null {
  const { findings, notices, triggers } = report;
  if (findings.length + notices.length + triggers.length + runs > 0) return null;
  if (looked.every(({ found }) => !found)) return nothingFound(looked);
  return "nothing could be checked: no finished run was found, and no trigger is set up";
}
