import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Db, type OpenDb, openDb } from "#db/client.ts";
import { experiments, proposals } from "#db/schema.ts";
import { readStored } from "#lib/review/stored.io.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { aWeek } from "../unit/review/known.ts";
import { aDocument } from "../unit/verdict/raw.ts";

let folder: string;
let opened: OpenDb;
let db: Db;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "review-"));
  opened = openDb(path.join(folder, "mecha.db"));
  db = opened.db;
});
afterEach(() => {
  opened.close();
  rmSync(folder, { recursive: true });
});

const NOW = Date.parse("2026-12-10T12:00:00Z");
const read = (now = NOW) => readStored(db, aWeek(), now);

function addProposal(id: string, createdAt: string, what: Partial<typeof proposals.$inferInsert> = {}) {
  const rest = { brief: "", reply: "", window: "{}", elapsedMs: 1, scripted: false } as const;
  const who = { subject: "alpha", provider: "local", model: "d" };
  const claim = {
    kind: "proposal",
    changeClass: "config",
    change: "max_turns=40",
    metric: "cut_short",
  } as const;
  db.insert(proposals)
    .values({ id, createdAt, ...who, ...claim, ...rest, ...what })
    .run();
}

function addExperiment(id: string, proposalId: string, what: Partial<typeof experiments.$inferInsert> = {}) {
  const claim = { change: "max_turns=40", changeClass: "config", holdoutIn: 3, request: "{}" } as const;
  const createdAt = Date.parse("2026-12-01T00:00:00Z");
  db.insert(experiments)
    .values({ id, proposalId, createdAt, state: "queued", ...claim, ...what })
    .run();
}

describe("verdicts of a week", () => {
  it("are those judged in it, to the millisecond and whatever offset their stamp names", () => {
    const stamps = {
      before: "2026-11-22T23:59:59.999Z",
      first: "2026-11-23T00:00:00Z",
      offset: "2026-11-30T00:30:00+01:00",
      after: "2026-11-30T00:00:00Z",
    };
    for (const [name, created_at] of Object.entries(stamps))
      saveVerdict(db, aDocument("++++++++", "====", { created_at, made_by: name }), 1);
    expect(read().verdicts.map(({ created_at }) => created_at)).toEqual([stamps.first, stamps.offset]);
    expect(read().verdicts[0]).toMatchObject({ outcome: "accept", currency: "case_passes" });
  });
});

describe("proposals of a week", () => {
  it("say what each diagnosis came to, and nothing became of one that proposes nothing", () => {
    addProposal("a", "2026-11-24T10:00:00Z");
    addProposal("b", "2026-11-25T10:00:00Z", {
      kind: "declined",
      change: null,
      reason: "too little to go on",
    });
    addProposal("c", "2026-11-30T10:00:00Z");
    expect(read().proposals).toMatchObject([
      { id: "a", kind: "proposal", fate: { kind: "not_measured" } },
      { id: "b", kind: "declined", reason: "too little to go on", fate: { kind: "nothing_to_measure" } },
    ]);
  });

  it("have the fate of their newest experiment", () => {
    addProposal("a", "2026-11-24T10:00:00Z");
    const verdict = aDocument("++++++++", "====", { created_at: "2026-12-03T10:00:00Z" });
    saveVerdict(db, verdict, 1);
    addExperiment("e1", "a", { state: "failed", finishedAt: Date.parse("2026-12-01T01:00:00Z") });
    addExperiment("e2", "a", {
      createdAt: Date.parse("2026-12-02T00:00:00Z"),
      finishedAt: Date.parse("2026-12-03T10:00:00Z"),
      state: "done",
      verdictId: verdict.id,
    });
    expect(read().proposals[0]?.fate).toEqual({
      kind: "verdict",
      experiment_id: "e2",
      verdict_id: verdict.id,
      outcome: "accept",
      prediction: "unknown",
    });
  });

  it("have the fate that they had at the moment of looking", () => {
    addProposal("a", "2026-11-24T10:00:00Z");
    const verdict = aDocument("++++++++", "====", { created_at: "2026-12-03T10:00:00Z" });
    saveVerdict(db, verdict, 1);
    addExperiment("e", "a", { state: "done", verdictId: verdict.id });
    const at = (time: string) => read(Date.parse(time)).proposals[0]?.fate.kind;
    expect([at("2026-11-30T00:00:00Z"), at("2026-12-02T00:00:00Z"), at("2026-12-06T00:00:00Z")]).toEqual([
      "not_measured",
      "queued",
      "verdict",
    ]);
  });

  it("are bounded, and the rest is counted", () => {
    for (let n = 0; n < 503; n++) addProposal(`p${n}`, "2026-11-24T10:00:00Z");
    const stored = read();
    expect([stored.proposals.length, stored.proposals_left_out]).toEqual([500, 3]);
  });
});
