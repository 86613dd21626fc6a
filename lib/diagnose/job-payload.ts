import type { Parsed } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";

/** What a diagnosis that waits in the queue is asked for. `id`: under which it is stored, once, however often it is tried. */
export type DiagnosePayload = {
  id: string;
  /** The model whose runs are looked at; null: the one with the most. */
  subject: string | null;
  days: number | null;
  limit: number;
  web: boolean;
  /** Null: the configuration's own. */
  provider: string | null;
  model: string | null;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TEXT_MAX = 1000;

/** Checks what came back from the database, or from a form: the problem names the field. */
export function parseDiagnosePayload(value: unknown): Parsed<DiagnosePayload> {
  if (!isObject(value)) return { ok: false, problem: "it is no object" };
  const { id, subject, days, limit, web, provider, model } = value;
  if (typeof id !== "string" || !UUID.test(id)) return bad("id", "a UUID");
  if (!isText(subject)) return bad("subject", "a name or null");
  if (!isText(provider)) return bad("provider", "a name or null");
  if (!isText(model)) return bad("model", "a name or null");
  if (days !== null && !(typeof days === "number" && days > 0 && Number.isFinite(days)))
    return bad("days", "a number of days above 0, or null");
  if (typeof limit !== "number" || !Number.isSafeInteger(limit) || limit < 1)
    return bad("limit", "a whole number from 1 up");
  if (typeof web !== "boolean") return bad("web", "true or false");
  return { ok: true, value: { id, subject, days, limit, web, provider, model } };
}

function isText(value: unknown): value is string | null {
  return value === null || (typeof value === "string" && value.trim() !== "" && value.length <= TEXT_MAX);
}

function bad(field: string, rule: string): Parsed<never> {
  return { ok: false, problem: `${field} must be ${rule}` };
}
