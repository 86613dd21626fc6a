import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, proposals, verdicts } from "#db/schema.ts";
import { type Calibration, calibration } from "./calibration.ts";
import { type Fate, type FateExperiment, type FateVerdict, fateOf } from "./fate.ts";
import type { Diagnosis } from "./proposal.ts";
import { diagnosisOf, rowOf } from "./proposal-row.ts";

/** Stores a diagnosis under its id. A second time changes nothing: what was said stands. True: it is new. */
export function saveDiagnosis(db: Db, diagnosis: Diagnosis): boolean {
  return db.insert(proposals).values(rowOf(diagnosis)).onConflictDoNothing().run().changes > 0;
}

/** Newest first. `before`: the last one of the page before. */
export function listDiagnoses(
  db: Db,
  { limit, before }: { limit: number; before?: Pick<Diagnosis, "created_at" | "id"> },
): Diagnosis[] {
  const older =
    before &&
    or(
      lt(proposals.createdAt, before.created_at),
      and(eq(proposals.createdAt, before.created_at), lt(proposals.id, before.id)),
    );
  return db
    .select()
    .from(proposals)
    .where(older)
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .limit(limit)
    .all()
    .map(diagnosisOf);
}

/** Null: there is none of that id. */
export function diagnosisById(db: Db, id: string): Diagnosis | null {
  const row = db.select().from(proposals).where(eq(proposals.id, id)).get();
  return row === undefined ? null : diagnosisOf(row);
}

/** What became of each, in their order. */
export function fatesOf(db: Db, diagnoses: readonly Diagnosis[]): Fate[] {
  const changes = diagnoses.flatMap(({ reading }) =>
    reading.kind === "proposal" ? [reading.proposal.change] : [],
  );
  const made = experimentsWithProposal(db);
  const own = made.flatMap(({ verdict_id }) => (verdict_id === null ? [] : [verdict_id]));
  const judged = verdictsOf(db, changes, own);
  return diagnoses.map((diagnosis) => fateOf(diagnosis, made, judged));
}

/** How the predictions of everything stored have held. */
export function storedCalibration(db: Db): Calibration {
  const rows = db.select().from(proposals).where(eq(proposals.kind, "proposal")).all();
  const diagnoses = rows.map(diagnosisOf);
  const fates = fatesOf(db, diagnoses);
  return calibration(
    diagnoses.flatMap((diagnosis, at) => {
      const fate = fates[at];
      return fate === undefined ? [] : [{ diagnosis, fate }];
    }),
  );
}

/**
 * The newest proposal of exactly this change that no verdict has measured yet: whoever measures it from a command line
 * tests its prediction. Null: there is none.
 */
export function unmeasuredProposal(db: Db, change: string): Diagnosis | null {
  const rows = db
    .select()
    .from(proposals)
    .where(and(eq(proposals.kind, "proposal"), eq(proposals.change, change)))
    .orderBy(desc(proposals.createdAt), desc(proposals.id))
    .all();
  const diagnoses = rows.map(diagnosisOf);
  const fates = fatesOf(db, diagnoses);
  return diagnoses.find((_, at) => fates[at]?.kind !== "verdict") ?? null;
}

function experimentsWithProposal(db: Db): FateExperiment[] {
  return db
    .select({
      id: experiments.id,
      proposal_id: experiments.proposalId,
      state: experiments.state,
      created_ms: experiments.createdAt,
      verdict_id: experiments.verdictId,
    })
    .from(experiments)
    .all()
    .flatMap(({ proposal_id, ...rest }) => (proposal_id === null ? [] : [{ proposal_id, ...rest }]));
}

/** Lists may be long, and SQLite bounds how many values a statement takes. */
const AT_ONCE = 500;

function verdictsOf(db: Db, changes: readonly string[], ids: readonly string[]): FateVerdict[] {
  const found = new Map<string, FateVerdict>();
  const keep = (column: typeof verdicts.change | typeof verdicts.id, values: readonly string[]): void => {
    const wanted = [...new Set(values)];
    for (let at = 0; at < wanted.length; at += AT_ONCE)
      for (const row of verdictRows(db, column, wanted.slice(at, at + AT_ONCE))) found.set(row.id, row);
  };
  keep(verdicts.change, changes);
  keep(verdicts.id, ids);
  return [...found.values()];
}

function verdictRows(
  db: Db,
  column: typeof verdicts.change | typeof verdicts.id,
  values: readonly string[],
): FateVerdict[] {
  return db
    .select({
      id: verdicts.id,
      change: verdicts.change,
      metric: verdicts.predictedMetric,
      outcome: verdicts.outcome,
      prediction: verdicts.prediction,
      created_at: verdicts.createdAt,
      measured_at: sql<string | null>`json_extract(${verdicts.document}, '$.arms.candidate.created_at')`,
    })
    .from(verdicts)
    .where(inArray(column, [...values]))
    .all();
}
