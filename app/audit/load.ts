import "server-only";
import { connection } from "next/server";
import { isSignInNeeded } from "#app/_access/need.ts";
import { fromDatabase } from "#app/database.ts";
import { type Params, parseWindowAsk } from "#app/search.ts";
import { type AuditRow, listAudit } from "#lib/access/audit.io.ts";
import { readSettings } from "#lib/settings.io.ts";

/** Lines on one page of the audit. */
const ROWS = 50;

export type AuditPage = {
  rows: AuditRow[];
  /** The line after which the list goes on; null at its end. */
  next: number | null;
  /** Whether this page is not the first. */
  later: boolean;
  zone: string;
  /** The zone as the address names it; null for the server's own. */
  zoneAsked: string | null;
  signInNeeded: boolean;
  problems: string[];
};

/** One page of the audit, newest first, older than the line `before` of the address. */
export async function loadAudit(params: Params): Promise<AuditPage> {
  await connection();
  const { ask, problems } = parseWindowAsk({ zone: params.zone }, readSettings().zone, null);
  const before = lineIn(params.before, problems);
  const rows = fromDatabase((db) => listAudit(db, { limit: ROWS + 1, before })) ?? [];
  const shown = rows.slice(0, ROWS);
  return {
    rows: shown,
    next: rows.length > ROWS ? (shown.at(-1)?.id ?? null) : null,
    later: before !== null,
    zone: ask.zone,
    zoneAsked: ask.zoneAsked,
    signInNeeded: isSignInNeeded(),
    problems,
  };
}

function lineIn(written: Params[string], problems: string[]): number | null {
  if (written === undefined || written === "") return null;
  const line = typeof written === "string" && /^\d{1,15}$/.test(written) ? Number(written) : null;
  if (line === null) problems.push("before: this is no line of the audit; the list starts at its newest");
  return line;
}
