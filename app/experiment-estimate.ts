import "server-only";
import { type FormChoices, readForm } from "#app/experiment-form.ts";
import { builtInScripts, isScripted } from "#lib/agent/providers/built-in-scripts.ts";
import { loadConfig } from "#lib/config/load.io.ts";
import { UserError } from "#lib/errors.ts";
import { LIST_LIMITS, listReports, type ReportMemo } from "#lib/eval/list-reports.io.ts";
import { type Estimate, estimate, lastCardOf } from "#lib/queue/estimate.ts";
import type { ExperimentRequest } from "#lib/queue/experiment.ts";
import { readSettings } from "#lib/settings.io.ts";

/** What sending the form would take; or why nobody can say. */
export type EstimateView =
  | {
      kind: "estimate";
      cases: number;
      runsPerCase: number;
      estimate: Estimate;
      /** Who would be asked; null where the configuration does not say. */
      model: { provider: string; name: string; scripted: boolean } | null;
    }
  | { kind: "problem"; problem: string };

/** Worked out from the form as it stands, a change apart: that costs what its arm costs. */
export async function estimateOf(form: FormData, choices: FormChoices): Promise<EstimateView> {
  const read = await readForm(form, choices, { estimating: true });
  if (!read.ok) {
    const [field, problem] = Object.entries(read.problems)[0] ?? ["form", "it cannot be read"];
    return { kind: "problem", problem: `${field.replaceAll("_", " ")}: ${problem}` };
  }
  const { request, cases } = read;
  const model = await modelOf(request);
  const card =
    model === null
      ? null
      : lastCardOf((await listReports(readSettings().resultsDirs, LIST_LIMITS, memo())).files, {
          provider: model.provider,
          model: model.name,
        });
  const { runsPerCase } = request;
  return { kind: "estimate", cases, runsPerCase, estimate: estimate({ cases, runsPerCase }, card), model };
}

async function modelOf({ provider, model }: ExperimentRequest) {
  const settings = readSettings();
  const flags = { ...(provider === null ? {} : { provider }), ...(model === null ? {} : { model }) };
  try {
    const { config, selected } = await loadConfig({
      settings,
      env: process.env,
      cwd: settings.cwd,
      project: true,
      flags,
    });
    const { provider: asked } = selected;
    // A script of ours is called by its own name; one in a file says its name when it is read.
    const name = selected.model ?? (builtInScripts.has(asked) ? asked : null);
    return name === null ? null : { provider: asked, name, scripted: isScripted(config, asked) };
  } catch (error) {
    // Said when the experiment is prepared; here it only means that nobody knows.
    if (error instanceof UserError) return null;
    throw error;
  }
}

const MEMO = Symbol.for("mecha.estimates");

/** What the listing remembers of unchanged files, in this process. */
function memo(): ReportMemo {
  const place = globalThis as { [MEMO]?: ReportMemo };
  place[MEMO] ??= new Map();
  if (place[MEMO].size > 2 * LIST_LIMITS.files_max) place[MEMO].clear();
  return place[MEMO];
}
