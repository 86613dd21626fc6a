"use server";

import { randomUUID } from "node:crypto";
import { refresh } from "next/cache";
import { currentWho } from "#app/_access/who.ts";
import { attempt } from "#app/attempt.ts";
import { intoDatabase } from "#app/database.ts";
import { providerChoices } from "#app/provider-choices.ts";
import { audited } from "#lib/access/audit.io.ts";
import { SESSIONS_DEFAULT } from "#lib/diagnose/gather.io.ts";
import { type DiagnosePayload, parseDiagnosePayload } from "#lib/diagnose/job-payload.ts";
import type { Parsed } from "#lib/errors.ts";
import { enqueueDiagnosis } from "#lib/queue/diagnosis-jobs.io.ts";

export type DiagnoseField = "subject" | "days" | "provider" | "model";
/** What came of sending the form. A problem without a field is nobody's fault on the form. */
export type Sent =
  | { kind: "queued"; id: string }
  | { kind: "problem"; field: DiagnoseField | null; problem: string };

/** Puts a diagnosis into the queue: a worker asks the model, and the page shows what came of it. */
export async function diagnoseAction(_before: Sent | null, form: FormData): Promise<Sent> {
  const who = await currentWho();
  const sent = await attempt(async (): Promise<Sent> => {
    const payload = await payloadIn(form);
    if ("kind" in payload) return payload;
    const at = Date.now();
    intoDatabase((db) =>
      audited(
        db,
        () => enqueueDiagnosis(db, payload, at),
        () => ({
          at,
          who,
          action: "diagnose",
          subject: payload.id,
          detail: payload.subject,
        }),
      ),
    );
    refresh();
    return { kind: "queued", id: payload.id };
  });
  return sent.ok ? sent.value : { kind: "problem", field: null, problem: sent.problem };
}

async function payloadIn(form: FormData): Promise<DiagnosePayload | Sent> {
  const days = daysIn(textOf(form, "days"));
  if (!days.ok) return { kind: "problem", field: "days", problem: days.problem };
  const provider = textOf(form, "provider");
  const { choices, configured } = await providerChoices(false);
  if (provider !== "" && provider !== configured.provider && !choices.some(({ name }) => name === provider))
    return { kind: "problem", field: "provider", problem: "this provider is not configured" };
  const payload = parseDiagnosePayload({
    id: randomUUID(),
    subject: textOf(form, "subject") || null,
    days: days.value,
    limit: SESSIONS_DEFAULT,
    web: form.get("web") === "1",
    provider: provider || null,
    model: textOf(form, "model") || null,
  });
  if (payload.ok) return payload.value;
  const field = (["subject", "provider", "model"] as const).find((one) => payload.problem.startsWith(one));
  return { kind: "problem", field: field ?? null, problem: payload.problem };
}

const DAYS_MAX = 36_500;

function daysIn(text: string): Parsed<number | null> {
  if (text === "") return { ok: true, value: null };
  const days = Number(text);
  if (/^\d{1,5}$/.test(text) && days > 0 && days <= DAYS_MAX) return { ok: true, value: days };
  return { ok: false, problem: `a whole number of days from 1 to ${DAYS_MAX}, or nothing for all time` };
}

function textOf(form: FormData, key: string): string {
  const value = form.get(key);
  return typeof value === "string" ? value.trim() : "";
}
