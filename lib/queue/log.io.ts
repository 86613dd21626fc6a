import { and, asc, desc, eq, gt, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experimentLog } from "#db/schema.ts";
import { clipped } from "#lib/utf8.ts";

export type LogLine = { id: number; at: number; line: string };

const LINES_MAX = 2_000;
const CHARACTERS_MAX = 2_000;

/** Lines that may stand there beyond the bound: to look for the oldest costs more than to write. */
const SLACK = 100;

/** Adds a line to an experiment's log. It keeps its newest 2 000 lines or a few more, each cut at 2 000 characters. `now` in ms. */
export function addLog(db: Db, experimentId: string, line: string, now: number): void {
  const text = clipped(line, CHARACTERS_MAX);
  const { lastInsertRowid } = db.insert(experimentLog).values({ experimentId, at: now, line: text }).run();
  if (Number(lastInsertRowid) % SLACK !== 0) return;
  db.run(sql`delete from ${experimentLog} where experiment_id = ${experimentId} and id <= (
    select id from ${experimentLog} where experiment_id = ${experimentId}
    order by id desc limit 1 offset ${LINES_MAX})`);
}

/** Lines of a log in their order: the newest `limit`, or the first `limit` behind the line `after`. */
export function logLines(
  db: Db,
  experimentId: string,
  { after, limit }: { after?: number; limit: number },
): LogLine[] {
  const columns = { id: experimentLog.id, at: experimentLog.at, line: experimentLog.line };
  const of = eq(experimentLog.experimentId, experimentId);
  if (after !== undefined)
    return db
      .select(columns)
      .from(experimentLog)
      .where(and(of, gt(experimentLog.id, after)))
      .orderBy(asc(experimentLog.id))
      .limit(limit)
      .all();
  return db
    .select(columns)
    .from(experimentLog)
    .where(of)
    .orderBy(desc(experimentLog.id))
    .limit(limit)
    .all()
    .reverse();
}
