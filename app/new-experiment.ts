import "server-only";
import { fromDatabase } from "#app/database.ts";
import { type EstimateView, estimateOf } from "#app/experiment-estimate.ts";
import { type FormChoices, type FormValues, formChoices } from "#app/experiment-form.ts";
import { type Params, paramText } from "#app/search.ts";
import { parseOverride } from "#lib/agent/overrides.ts";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { diagnosisById } from "#lib/diagnose/proposals.io.ts";
import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import type { ExperimentRequest } from "#lib/queue/experiment.ts";
import { experimentView } from "#lib/queue/view.io.ts";

/** The form with what stands in it at first, and what sending that would take. */
export type NewExperiment = {
  choices: FormChoices;
  values: FormValues;
  /** What it was filled in from. */
  from: { kind: "proposal"; diagnosis: Diagnosis } | { kind: "experiment"; id: string } | null;
  estimate: EstimateView;
};

/** The form that an address asks for. What of the address could not be used is added to `problems`. */
export async function newExperiment(params: Params, problems: string[]): Promise<NewExperiment> {
  const choices = await formChoices();
  const from = startingPoint(params, problems);
  const values = { ...defaults(choices), ...(from === null ? {} : from.values(choices)) };
  return { choices, values, from: from?.from ?? null, estimate: await estimateOf(formOf(values), choices) };
}

type Start = { from: NewExperiment["from"]; values(choices: FormChoices): FormValues };

function startingPoint(params: Params, problems: string[]): Start | null {
  const proposal = paramText(params, "proposal");
  const from = paramText(params, "from");
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
  const { casesFile, runsPerCase, concurrency } = EVAL_DEFAULTS;
  const set = sets.find(({ name, problem }) => name === casesFile && problem === null) ?? sets[0];
  return {
    class: "config",
    ...(set === undefined ? {} : { cases: set.name }),
    runs: String(runsPerCase),
    concurrency: String(concurrency),
  };
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
