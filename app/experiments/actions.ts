"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { currentWho } from "#app/_access/who.ts";
import { attempt } from "#app/attempt.ts";
import { intoDatabase } from "#app/database.ts";
import { type EstimateView, estimateOf } from "#app/experiment-estimate.ts";
import { type FormProblems, type FormValues, formChoices, readForm, valuesIn } from "#app/experiment-form.ts";
import { audited } from "#lib/access/audit.io.ts";
import { cancelExperiment, enqueueExperiment, retryErrored } from "#lib/queue/experiments.io.ts";

/** Why an experiment was not queued: beside its fields, and what belongs to none. What was typed is kept. */
export type Refusal = { problems: FormProblems; problem: string | null; values: FormValues };

/** Puts an experiment into the queue and leads to its page. Nothing is run here. */
export async function enqueueAction(_before: Refusal | null, form: FormData): Promise<Refusal> {
  const who = await currentWho();
  const values = valuesIn(form);
  const queued = await attempt(async () => {
    const read = await readForm(form, await formChoices(), { estimating: false });
    if (!read.ok) return { problems: read.problems };
    const { request } = read;
    const at = Date.now();
    const id = intoDatabase((db) =>
      audited(
        db,
        () => enqueueExperiment(db, request, who, at),
        (subject) => ({ at, who, action: "enqueue", subject, detail: request.overrides.join(" ") }),
      ),
    );
    return { id };
  });
  if (!queued.ok) return { problems: {}, problem: queued.problem, values };
  if ("problems" in queued.value) return { problems: queued.value.problems, problem: null, values };
  redirect(`/experiments/${queued.value.id}`);
}

/** What the form, as it stands, would take. Changes nothing. */
export async function estimateAction(form: FormData): Promise<EstimateView> {
  await currentWho();
  const estimated = await attempt(async () => estimateOf(form, await formChoices()));
  return estimated.ok ? estimated.value : { kind: "problem", problem: estimated.problem };
}

/** Ends the experiment of the field `id`; one that has ended already stays as it is. */
export async function cancelAction(form: FormData): Promise<void> {
  await change(form, "cancel", cancelExperiment);
}

/** Runs again what errored in the experiment of the field `id`. */
export async function retryAction(form: FormData): Promise<void> {
  await change(form, "retry", (db, id, at) => retryErrored(db, id, at) > 0);
}

async function change(
  form: FormData,
  action: "cancel" | "retry",
  make: (...args: Parameters<typeof cancelExperiment>) => boolean,
): Promise<void> {
  const who = await currentWho();
  const id = form.get("id");
  if (typeof id === "string") {
    const at = Date.now();
    intoDatabase((db) =>
      audited(
        db,
        () => make(db, id, at),
        (changed) => (changed ? { at, who, action, subject: id, detail: null } : null),
      ),
    );
  }
  refresh();
}
