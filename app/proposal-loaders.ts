import "server-only";
import { connection } from "next/server";
import { fromDatabase } from "#app/database.ts";
import { derive } from "#app/derive.ts";
import { type Providers, providerChoices } from "#app/provider-choices.ts";
import { lookAt } from "#app/scans.ts";
import { type Params, paramText, parseWindowAsk } from "#app/search.ts";
import type { Db } from "#db/client.ts";
import { type Calibration, calibration } from "#lib/diagnose/calibration.ts";
import type { Fate } from "#lib/diagnose/fate.ts";
import type { Diagnosis } from "#lib/diagnose/proposal.ts";
import { diagnosisById, fatesOf, listDiagnoses, storedCalibration } from "#lib/diagnose/proposals.io.ts";
import { byteOrder, visible } from "#lib/format.ts";
import { type DiagnosisJob, openDiagnoses } from "#lib/queue/diagnosis-jobs.io.ts";
import { readSettings } from "#lib/settings.io.ts";
import { shellLine } from "#lib/shell-quote.ts";

/** Diagnoses on one page: each brings along all that its model was told. */
const PROPOSAL_ROWS = 12;

export type ProposalRow = {
  diagnosis: Diagnosis;
  fate: Fate;
  /** To be pasted into a shell; null where there is none. */
  command: string | null;
};

export type ProposalsPage = {
  rows: ProposalRow[];
  /** The id after which the list goes on; null at its end. */
  next: string | null;
  /** What the list was narrowed to; null = all of it, from the newest. */
  older: string | null;
  open: DiagnosisJob[];
  /** Models that have finished runs, those with the most first. */
  subjects: string[];
  providers: Providers;
  zone: string;
  serverZone: string;
  now: number;
  problems: string[];
};

/** A page of the stored diagnoses, newest first, and what the form above them offers. */
export async function loadProposals(params: Params): Promise<ProposalsPage> {
  await connection();
  const { zone: serverZone } = readSettings();
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, serverZone, null);
  const older = paramText(params, "older");
  const now = Date.now();
  const only = paramText(params, "proposal");
  const stored = fromDatabase((db) => {
    const last = older === null ? null : diagnosisById(db, older);
    if (older !== null && last === null)
      problems.push("The diagnosis after which the list was to go on is not there; it starts at the newest.");
    const before = last === null ? {} : { before: last };
    const open = openDiagnoses(db, now);
    const found =
      only === null ? listDiagnoses(db, { limit: PROPOSAL_ROWS + 1, ...before }) : oneOf(db, only);
    if (only !== null && found.length === 0 && !open.some(({ payload }) => payload.id === only))
      problems.push("There is no diagnosis of this id.");
    const shown = found.slice(0, PROPOSAL_ROWS);
    return {
      shown,
      more: found.length > PROPOSAL_ROWS,
      fates: fatesOf(db, shown),
      open,
    };
  });
  const { shown = [], more = false, fates = [], open = [] } = stored ?? {};
  return {
    rows: shown.map((diagnosis, at) => rowOf(diagnosis, fates[at] ?? { kind: "nothing_to_measure" })),
    next: more ? (shown.at(-1)?.id ?? null) : null,
    older: only ?? older,
    open: open.filter(({ payload }) => !shown.some(({ id }) => id === payload.id)),
    subjects: await subjects(),
    providers: await providerChoices(false),
    zone: ask.zone,
    serverZone,
    now,
    problems,
  };
}

/** The one that the address names, alone. */
function oneOf(db: Db, id: string): Diagnosis[] {
  const one = diagnosisById(db, id);
  return one === null ? [] : [one];
}

function rowOf(diagnosis: Diagnosis, fate: Fate): ProposalRow {
  const { reading } = diagnosis;
  const words = reading.kind === "proposal" ? reading.command : null;
  const line = words === null ? null : shellLine(words);
  // A row that somebody else has written may hold anything, and what is pasted is run.
  return { diagnosis, fate, command: line === null || visible(line) !== line ? null : line };
}

/** Models whose runs could be looked at. */
async function subjects(): Promise<string[]> {
  const { scans } = await lookAt(null, [{}]);
  const [all] = scans;
  return derive(all, "subjects", () => {
    const runs = new Map<string, number>();
    for (const { model, subagent } of all.flatMap((scan) => scan.runs))
      if (!subagent && model !== "") runs.set(model, (runs.get(model) ?? 0) + 1);
    return [...runs].sort(([a, n], [b, m]) => m - n || byteOrder(a, b)).map(([model]) => model);
  });
}

/** How the predictions of everything stored have held. */
export async function loadCalibration(): Promise<Calibration> {
  await connection();
  return fromDatabase(storedCalibration) ?? calibration([]);
}
