import "server-only";
import { stat } from "node:fs/promises";
import { connection } from "next/server";
import { cache } from "react";
import { cardMemo } from "#app/card-loaders.ts";
import { type Params, parseWindowAsk } from "#app/search.ts";
import { entriesFrom, type FirstPart, firstPart, wholeEntry } from "#app/transcript-parts.ts";
import { UserError } from "#lib/errors.ts";
import { placeOfListed } from "#lib/eval/list-reports.io.ts";
import { type Mark, markOf } from "#lib/eval/mark.ts";
import type { CaseRun } from "#lib/eval/scorecard.ts";
import { transcriptPlace } from "#lib/eval/transcript-place.io.ts";
import { readSettings } from "#lib/settings.io.ts";
import { parseCursor } from "#lib/sources/cursor.ts";
import type { Entry, TranscriptPage } from "#lib/sources/entry.ts";
import { type FailedCall, findFailedCall } from "#lib/sources/page.io.ts";
import type { SessionHead } from "#lib/transcript/run-row.ts";

/** A run of a report with its transcript, from the start or from a place in it. */
export type RunTranscript = FirstPart & {
  card: string;
  id: string;
  run: number;
  mark: Mark;
  /** Names of the checks that failed. */
  failed: string[];
  model: string;
  zone: string;
  bytes: number;
};

/** What the address names. Throws a UserError where there is no such run, or no transcript of it to be had. */
export const loadRunTranscript = cache(async (params: Params): Promise<RunTranscript> => {
  await connection();
  const { zone } = readSettings();
  const { head, run, card, model } = await found(params);
  const at = typeof params.at === "string" && parseCursor(params.at) !== null ? params.at : null;
  return {
    ...(await firstPart(head, at)),
    card,
    id: run.id,
    run: run.run,
    mark: markOf(run),
    failed: run.checks.filter((check) => !check.passed).map(({ name }) => name),
    model,
    zone: parseWindowAsk({ zone: params.zone }, zone, null).ask.zone,
    bytes: head.bytes,
  };
});

/** A further page of it. */
export async function loadRunEntries(params: Params): Promise<TranscriptPage> {
  const { head } = await found(params);
  return entriesFrom(head, textOf(params, "from"));
}

/** One entry with as much of its text as is ever shown. */
export async function loadRunEntry(params: Params): Promise<Entry> {
  const { head } = await found(params);
  return wholeEntry(head, textOf(params, "at"));
}

/** The next failed call behind a place. */
export async function loadRunFailedCall(params: Params): Promise<FailedCall> {
  const { head } = await found(params);
  return findFailedCall(head, textOf(params, "after"));
}

/** The file comes from the report, never from the address. */
async function found(
  params: Params,
): Promise<{ head: SessionHead; run: CaseRun; card: string; model: string }> {
  const [name, id, number] = ["card", "case", "run"].map((key) => textOf(params, key));
  if (name == null || id == null) throw new UserError("usage", "name a card, a case and a run");
  const { resultsDirs } = readSettings();
  const card = await cardMemo().load(resultsDirs, name);
  if (!card.ok) throw new UserError("not_found", card.problem);
  const { report } = card.value;
  const run = report.runs.find((one) => one.id === id && one.run === Number(number ?? 1));
  if (run === undefined) throw new UserError("not_found", "the card has no such run");
  const place = await placeOfListed(resultsDirs, name);
  if (run.transcript === null || place === null)
    throw new UserError("not_found", "no transcript of this run was kept");
  const file = await transcriptPlace(resultsDirs, place, run.transcript);
  if (!file.ok) throw new UserError("not_found", file.problem);
  return { head: await headOf(file.value, run, report), run, card: name, model: report.model };
}

async function headOf(
  file: string,
  run: CaseRun,
  { provider, model, meta }: { provider: string; model: string; meta: { created_at: string | null } },
): Promise<SessionHead> {
  return {
    source: "mecha",
    provenance: "recorded",
    id: run.id,
    path: file,
    created_at: meta.created_at ?? "",
    provider,
    model,
    workspace: "",
    title: null,
    subagent: false,
    parent_id: null,
    bytes: (await stat(file)).size,
  };
}

function textOf(params: Params, key: string): string | null {
  const value = params[key];
  return typeof value === "string" && value !== "" ? value : null;
}
