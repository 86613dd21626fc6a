import "server-only";
import { type ProviderChoice, type Providers, providerChoices } from "#app/provider-choices.ts";
import { OVERRIDE_KEYS, parseOverride } from "#lib/agent/overrides.ts";
import { packageRoot } from "#lib/diagnose/own-pages.io.ts";
import {
  type CaseSet,
  countCases,
  type ListedFile,
  listCaseSets,
  listServerFiles,
} from "#lib/eval/case-sets.io.ts";
import type { ExperimentRequest } from "#lib/queue/experiment.ts";
import { FIELDS, type Field, parseExperiment } from "#lib/queue/parse-experiment.ts";
import { readSettings } from "#lib/settings.io.ts";

/** A field of the form; a knob of the change is a field of its own. */
export type FormField = Field | `knob.${(typeof OVERRIDE_KEYS)[number]}`;
export type FormValues = Partial<Record<FormField, string>>;
export type FormProblems = Partial<Record<FormField, string>>;

const KNOBS = OVERRIDE_KEYS.map((key) => ({ key, field: `knob.${key}` as const }));

/** What the form may choose from. A file is chosen by its listed name: no path is ever taken from a form. */
export type FormChoices = { sets: CaseSet[]; servers: ListedFile[]; providers: Providers };

export async function formChoices(): Promise<FormChoices> {
  const places = { cwd: readSettings().cwd, root: packageRoot() };
  const [sets, servers, providers] = await Promise.all([
    listCaseSets(places),
    listServerFiles(places),
    providerChoices(true),
  ]);
  return { sets, servers, providers };
}

export type ReadForm =
  | { ok: true; request: ExperimentRequest; cases: number }
  | { ok: false; problems: FormProblems };

/** Reads what was sent, by the parsers of the command line; `estimating`: the change does not have to be there yet. */
export async function readForm(
  form: FormData,
  { sets, servers, providers }: FormChoices,
  { estimating }: { estimating: boolean },
): Promise<ReadForm> {
  const values = valuesIn(form);
  const problems: FormProblems = estimating ? {} : knobProblems(values);
  const set = sets.find(({ name }) => name === values.cases);
  if (set === undefined) problems.cases = "choose one of the listed case sets";
  else if (set.problem !== null) problems.cases = set.problem;
  const server = servers.find(({ name }) => name === values.mcp_file);
  if (values.mcp_file !== undefined && server === undefined)
    problems.mcp_file = "choose one of the listed files";
  for (const field of ["provider", "judge_provider"] as const)
    if (!isProvider(values[field], providers)) problems[field] = "this provider is not configured";
  const { osHome, cwd } = readSettings();
  const named = { ...values, cases: set?.file ?? "", mcp_file: server?.file ?? "" };
  const knobsAreWrong = Object.keys(problems).some((field) => field.startsWith("knob."));
  const change = estimating || knobsAreWrong ? ANY_CHANGE : specsIn(values);
  const parsed = parseAll({ ...named, change }, { osHome, cwd }, problems);
  if (set === undefined || parsed === null || Object.keys(problems).length > 0)
    return { ok: false, problems };
  const cases = await countCases(set, parsed.tags);
  if (!cases.ok) return { ok: false, problems: { tags: cases.problem } };
  return { ok: true, request: parsed, cases: cases.value };
}

/** Stands in where the other fields are read without a change. */
const ANY_CHANGE = ["max_turns=1"];

/** The request, or null with every problem there is: the parser tells one at a time, so what is wrong is left out and the rest read. */
function parseAll(
  form: Record<string, string | string[]>,
  around: { osHome: string; cwd: string },
  problems: FormProblems,
): ExperimentRequest | null {
  let left = form;
  for (let tries = 0; tries <= FIELDS.length; tries++) {
    const parsed = parseExperiment(left, around);
    if (parsed.ok) return tries === 0 ? parsed.value : null;
    problems[parsed.field] ??= withoutName(parsed.problem);
    left = { ...left, [parsed.field]: parsed.field === "change" ? ANY_CHANGE : "" };
  }
  return null;
}

/** The texts of the form, without those that were left empty. */
export function valuesIn(form: FormData): FormValues {
  const values: FormValues = {};
  for (const field of [...FIELDS, ...KNOBS.map((knob) => knob.field)]) {
    const text = form.get(field);
    if (typeof text === "string" && text.trim() !== "") values[field] = text;
  }
  return values;
}

function knobProblems(values: FormValues): FormProblems {
  const problems: FormProblems = {};
  for (const { key, field } of KNOBS) {
    const text = values[field]?.trim();
    if (text === undefined) continue;
    const parsed = parseOverride(`${key}=${text}`);
    if (!parsed.ok) problems[field] = parsed.problem;
  }
  return problems;
}

function specsIn(values: FormValues): string[] {
  return KNOBS.flatMap(({ key, field }) => {
    const text = values[field]?.trim();
    return text === undefined ? [] : [`${key}=${text}`];
  });
}

function isProvider(name: string | undefined, { choices, configured }: Providers): boolean {
  const known = (choice: ProviderChoice) => choice.name === name;
  return name === undefined || name === configured.provider || choices.some(known);
}

/** The problem stands beside its field, which need not be named once more. */
function withoutName(problem: string): string {
  return problem.replace(/^\w+: /, "");
}
