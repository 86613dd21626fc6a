import { and, desc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, proposals, verdicts } from "#db/schema.ts";
import { type Calibration, calibration } from "./calibration.ts";
import { type Fate, type FateExperiment, type FateVerdict, fateOf, isOf } from "./fate.ts";
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

/** The verdicts of these changes, however they are spelt, and those of these ids. */
function verdictsOf(db: Db, wanted: readonly string[], ids: readonly string[]): FateVerdict[] {
  const judged = db.selectDistinct({ change: verdicts.change }).from(verdicts).all();
  const changes = judged.flatMap(({ change }) =>
    change !== null && wanted.some((one) => isOf(one, change)) ? [change] : [],
  );
  const rows = [...verdictRows(db, verdicts.change, changes), ...verdictRows(db, verdicts.id, ids)];
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Lists may be long, and SQLite bounds how many values a statement takes. */
const AT_ONCE = 500;

function verdictRows(
  db: Db,
  column: typeof verdicts.change | typeof verdicts.id,
  values: readonly string[],
): FateVerdict[] {
  const rows: FateVerdict[] = [];
  for (let at = 0; at < values.length; at += AT_ONCE)
    rows.push(
      ...db
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
        .where(inArray(column, values.slice(at, at + AT_ONCE)))
        .all(),
    );
  return rows;
}
