import { isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import type { Config } from "#lib/config/config.ts";
import { diagnose as askDiagnostician, type DiagnoseRequest } from "#lib/diagnose/diagnose.io.ts";
import { chooseDiagnostician, diagnosisConfig } from "#lib/diagnose/diagnostician.io.ts";
import { type Gathered, gatherBrief, SESSIONS_DEFAULT } from "#lib/diagnose/gather.io.ts";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { readingText } from "#lib/diagnose/proposal-text.ts";
import { messageOf, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { showDiagnosis } from "./diagnose-show.ts";
import type { DiagnoseFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";
import { withProgress } from "./scan.ts";
import { nothingFound, openStore, type Store, scheduleZone } from "./store.ts";
import { verdictDb, withDb } from "./verdict-db.ts";

/** `mecha diagnose`: the brief, the reply, what it came to. It suggests; nothing here measures or applies anything. */
export async function diagnose(io: CliIo, flags: DiagnoseFlags): Promise<number> {
  const { model, ...window } = flags;
  const store = await openStore(io, { ...window, limit: flags.limit ?? SESSIONS_DEFAULT });
  if (store.sources.length === 0) throw new UserError("not_found", nothingFound(store.looked));
  const choice = {
    settings: store.settings,
    env: io.env,
    cwd: io.cwd,
    project: true,
    provider: flags.provider ?? null,
    model: flags.diagnostician ?? null,
  };
  if (flags.dryRun) {
    const { config } = await diagnosisConfig(choice);
    return dryRun(io, flags, await gather(io, store, config, model ?? null));
  }
  // Before the stores are read: whoever cannot be asked is told so at once.
  const { notices, ...asked } = await chooseDiagnostician(choice);
  const gathered = await gather(io, store, asked.config, model ?? null);
  for (const notice of notices) io.err(`note: ${visible(notice)}\n`);
  const request = { gathered, ...asked, web: flags.web === true, env: io.env, now_ms: io.now_ms };
  return finish(io, flags, await asking(io, flags, request));
}

function gather(io: CliIo, store: Store, config: Config, subject: string | null): Promise<Gathered> {
  const { window, settings, looked } = store;
  return withProgress(io, (optionsFor) =>
    gatherBrief({
      settings: { ...settings, zone: scheduleZone(io) },
      looked,
      config,
      subject,
      days: window.days,
      limit: window.limit ?? SESSIONS_DEFAULT,
      as_of_ms: Date.parse(window.as_of),
      scan: (source, limits) => scanRuns(source, limits, optionsFor(source)),
    }),
  );
}

function dryRun(io: CliIo, flags: DiagnoseFlags, { subject, window, evidence, brief }: Gathered): number {
  io.out(flags.json ? jsonText({ schema_version: 1, subject, window, evidence, brief }) : `${brief}\n`);
  return EXIT.fine;
}

/** A first Ctrl-C ends the run, and what there is of it is stored. */
async function asking(io: CliIo, flags: DiagnoseFlags, request: DiagnoseRequest): Promise<Diagnosis> {
  const show = showDiagnosis(io, flags.json === true);
  const { provider, model, gathered, config } = request;
  show.before(gathered, { provider, model, scripted: isScripted(config, provider) });
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort());
  const gone = (): void => stop.abort();
  io.signal.addEventListener("abort", gone);
  try {
    return await askDiagnostician(request, {
      signal: stop.signal,
      onEvent: show.onEvent,
      onNotice: show.onNotice,
    });
  } finally {
    show.settle();
    release();
    io.signal.removeEventListener("abort", gone);
  }
}

async function finish(io: CliIo, flags: DiagnoseFlags, diagnosis: Diagnosis): Promise<number> {
  const problem = await storeDiagnosis(io, diagnosis);
  if (flags.json) io.out(jsonText(jsonOf(diagnosis, problem === null)));
  else io.out(`${readingText(diagnosis.reading)}\n`);
  if (problem !== null) io.err(`mecha: the diagnosis is not stored: ${problem}\n`);
  else io.err(`stored in ${visible(verdictDb(io))}; its page is /proposals\n`);
  return problem === null && diagnosis.reading.kind !== "failed" ? EXIT.fine : EXIT.problem;
}

/** Says why where it cannot, and never throws for it: what was said stands on the screen. */
async function storeDiagnosis(io: CliIo, diagnosis: Diagnosis): Promise<string | null> {
  try {
    const { saveDiagnosis } = await import("#lib/diagnose/proposals.io.ts");
    await withDb(verdictDb(io), (db) => saveDiagnosis(db, diagnosis));
    return null;
  } catch (error) {
    return visible(messageOf(error));
  }
}

/** Keys as in the stored row; null where there is none. */
function jsonOf({ reading, ...rest }: Diagnosis, stored: boolean): object {
  const { id, created_at, ...more } = rest;
  return {
    schema_version: 1,
    id,
    created_at,
    kind: reading.kind,
    proposal: "proposal" in reading ? reading.proposal : null,
    command: reading.kind === "proposal" ? reading.command : null,
    reason: "reason" in reading ? reading.reason : null,
    ...more,
    stored,
  };
}
