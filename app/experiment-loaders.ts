import "server-only";
import { inArray } from "drizzle-orm";
import { connection } from "next/server";
import { cache } from "react";
import { fromDatabase } from "#app/database.ts";
import { type NewExperiment, newExperiment } from "#app/new-experiment.ts";
import { playsScript } from "#app/provider-choices.ts";
import { type Params, paramText, parseWindowAsk } from "#app/search.ts";
import type { Db } from "#db/client.ts";
import { verdicts } from "#db/schema.ts";
import { UserError } from "#lib/errors.ts";
import type { Disposition } from "#lib/gate/rules.ts";
import { type CaseMarks, caseMarks } from "#lib/queue/case-marks.io.ts";
import type { ExperimentView } from "#lib/queue/experiment.ts";
import { type LogLine, logLines } from "#lib/queue/log.io.ts";
import { experimentView, listExperiments } from "#lib/queue/view.io.ts";
import { readSettings } from "#lib/settings.io.ts";
import { findVerdict } from "#lib/verdict/store.io.ts";
import { type VerdictView, viewOf } from "#lib/verdict/view.ts";

const EXPERIMENT_ROWS = 20;

export type ExperimentRow = {
  view: ExperimentView;
  /** Of one that is done. */
  verdict: { outcome: Disposition; prediction: string | null } | null;
};

export type ExperimentsPage = {
  rows: ExperimentRow[];
  next: string | null;
  older: string | null;
  /** Null: the form is not asked for. */
  form: NewExperiment | null;
  zone: string;
  serverZone: string;
  now: number;
  problems: string[];
};

/** A page of the experiments, newest first, and the form where the address asks for it or there is nothing else. */
export async function loadExperiments(params: Params): Promise<ExperimentsPage> {
  await connection();
  const { zone: serverZone } = readSettings();
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const older = paramText(params, "older");
  const { rows = [], more = false } = fromDatabase((db) => rowsAfter(db, older)) ?? {};
  const asked = ["new", "proposal", "from"].some((key) => paramText(params, key) !== null);
  const form = asked || (rows.length === 0 && older === null) ? await newExperiment(params, problems) : null;
  return {
    rows,
    next: more ? (rows.at(-1)?.view.id ?? null) : null,
    older,
    form,
    zone: ask.zone,
    serverZone,
    now: Date.now(),
    problems,
  };
}

function rowsAfter(db: Db, older: string | null): { rows: ExperimentRow[]; more: boolean } {
  const last = older === null ? null : experimentView(db, older);
  const found = listExperiments(db, {
    limit: EXPERIMENT_ROWS + 1,
    ...(last === null ? {} : { before: last }),
  });
  const shown = found.slice(0, EXPERIMENT_ROWS);
  const ids = shown.flatMap(({ verdictId }) => (verdictId === null ? [] : [verdictId]));
  const judged = db
    .select({ id: verdicts.id, outcome: verdicts.outcome, prediction: verdicts.prediction })
    .from(verdicts)
    .where(inArray(verdicts.id, ids))
    .all();
  const rows = shown.map((view) => ({
    view,
    verdict: judged.find(({ id }) => id === view.verdictId) ?? null,
  }));
  return { rows, more: found.length > EXPERIMENT_ROWS };
}

export type ExperimentPage = {
  view: ExperimentView;
  /** A script is measured, and no model. */
  scripted: boolean;
  /** Of the case set: from the working folder on where it is in it. */
  casesName: string;
  /** The first cases of so many. */
  marks: { cases: CaseMarks[]; of: number };
  log: LogLine[];
  verdict: VerdictView | null;
  /** Why the verdict cannot be shown here. */
  verdictProblem: string | null;
  zone: string;
  now: number;
  problems: string[];
};

const CASES_DRAWN = 200;
const LOG_LINES = 200;

/** One experiment as it stands now; null when there is none of that id. */
export const loadExperiment = cache(async (id: string, params: Params): Promise<ExperimentPage | null> => {
  await connection();
  const { zone: serverZone, cwd } = readSettings();
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const page = fromDatabase((db) => {
    const view = experimentView(db, id);
    if (view === null) return null;
    return {
      view,
      casesName: nameIn(cwd, view.request.casesFile),
      marks: caseMarks(db, id, CASES_DRAWN),
      log: logLines(db, id, { limit: LOG_LINES }),
      ...verdictOf(db, view.verdictId),
      zone: ask.zone,
      now: Date.now(),
      problems,
    };
  });
  return page && { ...page, scripted: await playsScript(page.view.request.provider) };
});

function nameIn(folder: string, file: string): string {
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : file;
}

function verdictOf(db: Db, id: string | null): Pick<ExperimentPage, "verdict" | "verdictProblem"> {
  if (id === null) return { verdict: null, verdictProblem: null };
  try {
    const document = findVerdict(db, id);
    return { verdict: document && viewOf(document), verdictProblem: null };
  } catch (error) {
    // What was measured is still there to be looked at.
    if (error instanceof UserError) return { verdict: null, verdictProblem: error.message };
    throw error;
  }
}
