import { and, desc, eq, getTableColumns, lt, or, type SQL, sql } from "drizzle-orm";
import { among } from "#db/among.ts";
import type { Db } from "#db/client.ts";
import { experiments, proposals, verdicts } from "#db/schema.ts";
import { changeKey } from "#lib/agent/change-key.ts";
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

/** What became of each, in their order. Of what was measured, only that is read which can have become of one of them. */
export function fatesOf(db: Db, diagnoses: readonly Diagnosis[]): Fate[] {
  const keys = diagnoses.flatMap(({ reading }) =>
    reading.kind === "proposal" ? [changeKey(reading.proposal.change)] : [],
  );
  const ids = diagnoses.map(({ id }) => id);
  const own = experimentsWhere(db, among(experiments.proposalId, ids));
  const reached = own.flatMap(({ verdict_id }) => (verdict_id === null ? [] : [verdict_id]));
  const judged = verdictsOf(db, new Set(keys), reached);
  const verdictIds = judged.map(({ id }) => id);
  const others = experimentsWhere(db, among(experiments.verdictId, verdictIds));
  const made = [...own, ...others];
  return diagnoses.map((diagnosis) => fateOf(diagnosis, made, judged));
}

/** How the predictions of everything stored have held. */
export function storedCalibration(db: Db): Calibration {
  const { brief: _brief, reply: _reply, ...columns } = getTableColumns(proposals);
  const rows = db.select(columns).from(proposals).where(eq(proposals.kind, "proposal")).all();
  // The long texts of everything ever said count for nothing here.
  const diagnoses = rows.map((row) => diagnosisOf({ ...row, brief: "", reply: "" }));
  const fates = fatesOf(db, diagnoses);
  return calibration(
    diagnoses.flatMap((diagnosis, at) => {
      const fate = fates[at];
      return fate === undefined ? [] : [{ diagnosis, fate }];
    }),
  );
}

function experimentsWhere(db: Db, where: SQL): FateExperiment[] {
  return db
    .select({
      id: experiments.id,
      proposal_id: experiments.proposalId,
      change: experiments.change,
      state: experiments.state,
      created_ms: experiments.createdAt,
      verdict_id: experiments.verdictId,
    })
    .from(experiments)
    .where(where)
    .all()
    .flatMap(({ proposal_id, change, ...rest }) =>
      proposal_id === null ? [] : [{ proposal_id, change_key: changeKey(change), ...rest }],
    );
}

/** The verdicts of these changes, and those of these ids. */
function verdictsOf(db: Db, keys: ReadonlySet<string>, ids: readonly string[]): FateVerdict[] {
  const judged = db.selectDistinct({ change: verdicts.change }).from(verdicts).all();
  const changes = judged.flatMap(({ change }) =>
    change !== null && keys.has(changeKey(change)) ? [change] : [],
  );
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
    .where(or(among(verdicts.change, changes), among(verdicts.id, ids)))
    .all()
    .map(({ change, ...rest }) => ({ ...rest, change_key: change === null ? null : changeKey(change) }));
}
