import path from "node:path";
import { openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { experiments, proposals } from "#db/schema.ts";

type Row = Partial<typeof proposals.$inferInsert> & { id: string };

/** Stores diagnoses as a dashboard does; each that names one is linked with a finished experiment of that verdict. */
export function storeProposals(data: string, rows: readonly (Row & { verdictId?: string })[]): void {
  const { db, close } = openDb(path.join(data, DB_FILE));
  for (const { verdictId, ...row } of rows) {
    const claim = { change: "max_turns=40", changeClass: "config" } as const;
    db.insert(proposals)
      .values({
        createdAt: "2026-11-25T10:00:00Z",
        kind: "proposal",
        subject: "alpha",
        provider: "local",
        model: "asked",
        metric: "cut_short",
        brief: "",
        reply: "",
        window: "{}",
        elapsedMs: 1,
        scripted: false,
        ...claim,
        ...row,
      })
      .run();
    if (verdictId === undefined) continue;
    const at = Date.parse("2026-11-26T12:00:00Z");
    const made = { id: `experiment-of-${row.id}`, proposalId: row.id, createdAt: at, finishedAt: at };
    db.insert(experiments)
      .values({ ...made, ...claim, holdoutIn: 3, request: "{}", state: "done", verdictId })
      .run();
  }
  close();
}

/** The pages of a printed document. */
export function sheetsOf(pdf: Buffer): number {
  return pdf.toString("latin1").match(/\/Type\s*\/Page[^s]/g)?.length ?? 0;
}
