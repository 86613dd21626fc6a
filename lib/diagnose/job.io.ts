import type { Db } from "#db/client.ts";
import { UserError } from "#lib/errors.ts";
import type { Settings } from "#lib/settings.ts";
import { discoverSources } from "#lib/sources/discover.io.ts";
import { isoUtc } from "#lib/time.ts";
import { diagnose } from "./diagnose.io.ts";
import { chooseDiagnostician } from "./diagnostician.io.ts";
import { gatherBrief, type Scanner } from "./gather.io.ts";
import { type DiagnosePayload, parseDiagnosePayload } from "./job-payload.ts";
import type { Diagnosis } from "./proposal.ts";
import { diagnosisById, saveDiagnosis } from "./proposals.io.ts";

export type JobPlace = {
  db: Db;
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  cwd: string;
  now_ms: number;
  signal: AbortSignal;
  onNotice?(text: string): void;
  scan?: Scanner;
};

/**
 * One diagnosis from the queue, from reading the stores to its stored row. A second try of one that is stored asks
 * nobody again. What a person has to know (no run to look at, an unknown model, a provider without a key) is stored as a
 * failed diagnosis and is no reason to try again. Null: `signal` broke it off, and nothing is stored.
 *
 * Throws a UserError for a payload that is none, and whatever the database throws.
 */
export async function diagnoseJob(value: unknown, place: JobPlace): Promise<Diagnosis | null> {
  const parsed = parseDiagnosePayload(value);
  if (!parsed.ok) throw new UserError("bad_input", `a diagnosis in the queue: ${parsed.problem}`);
  const known = diagnosisById(place.db, parsed.value.id);
  if (known !== null) return known;
  const started = performance.now();
  const diagnosis = await work(parsed.value, place).catch((error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    return failed(parsed.value, place, error.message, performance.now() - started);
  });
  // What was broken off can be asked again; what came just in time is kept, for it has been paid.
  if (place.signal.aborted && diagnosis.reading.kind === "failed") return null;
  saveDiagnosis(place.db, diagnosis);
  return diagnosis;
}

async function work(payload: DiagnosePayload, place: JobPlace): Promise<Diagnosis> {
  const { settings, env, cwd, now_ms, signal, onNotice, scan } = place;
  const { id, subject, days, limit, web, provider, model } = payload;
  // Unattended: what a working folder configures has no say.
  const asked = await chooseDiagnostician({ settings, env, cwd, project: false, provider, model });
  const gathered = await gatherBrief({
    settings,
    looked: await discoverSources(settings, null),
    config: asked.config,
    subject,
    days,
    limit,
    as_of_ms: now_ms,
    ...(scan === undefined ? {} : { scan }),
  });
  for (const notice of asked.notices) onNotice?.(notice);
  const { config } = asked;
  const who = { config, provider: asked.provider, model: asked.model };
  return diagnose(
    { gathered, ...who, web, env, now_ms, id },
    onNotice === undefined ? { signal } : { signal, onNotice },
  );
}

function failed(payload: DiagnosePayload, place: JobPlace, reason: string, elapsed: number): Diagnosis {
  const { id, subject, days, limit, provider, model } = payload;
  const at = isoUtc(place.now_ms);
  return {
    id,
    created_at: at,
    reading: { kind: "failed", reason },
    subject: subject ?? "",
    provider: provider ?? "",
    model: model ?? "",
    brief: "",
    reply: "",
    window: { days, limit, as_of: at },
    usage: null,
    cost_usd: null,
    elapsed_ms: Math.round(elapsed),
    scripted: false,
  };
}
