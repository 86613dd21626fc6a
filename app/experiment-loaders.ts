import "server-only";
import { inArray } from "drizzle-orm";
import { connection } from "next/server";
import { cache } from "react";
import { fromDatabase } from "#app/database.ts";
import { type EstimateView, estimateOf } from "#app/experiment-estimate.ts";
import { type FormChoices, type FormValues, formChoices } from "#app/experiment-form.ts";
import { playsScript } from "#app/provider-choices.ts";
import { type Params, parseWindowAsk } from "#app/search.ts";
import type { Db } from "#db/client.ts";
import { verdicts } from "#db/schema.ts";
import { parseOverride } from "#lib/agent/overrides.ts";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { diagnosisById } from "#lib/diagnose/proposals.io.ts";
import { UserError } from "#lib/errors.ts";
import type { Disposition } from "#lib/gate/rules.ts";
import { type CaseMarks, caseMarks } from "#lib/queue/case-marks.io.ts";
import type { ExperimentRequest, ExperimentView } from "#lib/queue/experiment.ts";
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

/** The form with what stands in it at first, and what sending that would take. */
export type NewExperiment = {
  choices: FormChoices;
  values: FormValues;
  /** What it was filled in from. */
  from: { kind: "proposal"; diagnosis: Diagnosis } | { kind: "experiment"; id: string } | null;
  estimate: EstimateView;
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
  const older = textOf(params.older);
  const { rows = [], more = false } = fromDatabase((db) => rowsAfter(db, older)) ?? {};
  const asked = ["new", "proposal", "from"].some((key) => textOf(params[key]) !== null);
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

async function newExperiment(params: Params, problems: string[]): Promise<NewExperiment> {
  const choices = await formChoices();
  const from = startingPoint(params, problems);
  const values = { ...defaults(choices), ...(from === null ? {} : from.values(choices)) };
  return { choices, values, from: from?.from ?? null, estimate: await estimateOf(formOf(values), choices) };
}

type Start = { from: NewExperiment["from"]; values(choices: FormChoices): FormValues };

function startingPoint(params: Params, problems: string[]): Start | null {
  const proposal = textOf(params.proposal);
  const from = textOf(params.from);
  if (proposal !== null) {
    const diagnosis = fromDatabase((db) => diagnosisById(db, proposal));
    if (diagnosis?.reading.kind === "proposal")
      return { from: { kind: "proposal", diagnosis }, values: () => fromProposal(diagnosis) };
    problems.push("There is no such proposal; the form is empty.");
  } else if (from !== null) {
    const earlier = fromDatabase((db) => experimentView(db, from));
    if (earlier)
      return {
        from: { kind: "experiment", id: earlier.id },
        values: (choices) => fromRequest(earlier.request, choices),
      };
    problems.push("There is no such experiment; the form is empty.");
  }
  return null;
}

function defaults({ sets }: FormChoices): FormValues {
  const set = sets.find(({ name, problem }) => name === "eval/cases.jsonl" && problem === null) ?? sets[0];
  return { class: "config", ...(set === undefined ? {} : { cases: set.name }), runs: "1", concurrency: "4" };
}

function fromProposal({ id, reading }: Diagnosis): FormValues {
  if (reading.kind !== "proposal") return {};
  const { change, class: kind, metric, rationale } = reading.proposal;
  return { ...knobsIn(change.split(/\s+/)), class: kind, metric, rationale, proposal: id };
}

function fromRequest(request: ExperimentRequest, { sets, servers }: FormChoices): FormValues {
  const set = sets.find(({ file }) => file === request.casesFile);
  const server = servers.find(({ file }) => file === request.mcpFile);
  const { judge } = request;
  const texts: FormValues = {
    class: request.changeClass,
    metric: request.metric ?? "",
    rationale: request.rationale ?? "",
    holdout_in: String(request.holdoutIn),
    proposal: request.proposalId ?? "",
    provider: request.provider ?? "",
    model: request.model ?? "",
    tags: request.tags.join(" "),
    runs: String(request.runsPerCase),
    concurrency: String(request.concurrency),
    judge_provider: judge.provider ?? "",
    judge_model: judge.model ?? "",
    mcp_file: server?.name ?? "",
    ...(set === undefined ? {} : { cases: set.name }),
  };
  return { ...knobsIn(request.overrides), ...texts };
}

/** The knobs that a comparison can turn; anything else of a change is not a field. */
function knobsIn(specs: readonly string[]): FormValues {
  return Object.fromEntries(
    specs.flatMap((spec) => {
      const parsed = parseOverride(spec);
      return parsed.ok ? [[`knob.${parsed.value.key}`, String(parsed.value.value)]] : [];
    }),
  );
}

function formOf(values: FormValues): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(values)) form.set(name, text);
  return form;
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

function textOf(value: string | string[] | undefined): string | null {
  const text = Array.isArray(value) ? value[0] : value;
  return text === undefined || text === "" ? null : text.slice(0, 500);
}
