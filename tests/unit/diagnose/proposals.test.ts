import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/client.ts";
import { experiments } from "#db/schema.ts";
import type { Diagnosis, Reading } from "#lib/diagnose/proposal.ts";
import {
  diagnosisById,
  fatesOf,
  listDiagnoses,
  saveDiagnosis,
  storedCalibration,
} from "#lib/diagnose/proposals.io.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { tempHome } from "#tests/support/cli.ts";
import { aDocument, aSource } from "../verdict/raw.ts";
import { aDiagnosis } from "./a-diagnosis.ts";

let opened: OpenDb;
let remove: () => void;
beforeEach(() => {
  const temp = tempHome();
  remove = temp.remove;
  opened = openDb(path.join(temp.home, "mecha.db"));
});
afterEach(() => {
  opened.close();
  remove();
});

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const proposal = {
  class: "security",
  change: "a\u0000\u202e'\n<b>",
  metric: "turns",
  rationale: "🦔\ufffdx",
} as const;
const READINGS: Reading[] = [
  aDiagnosis().reading,
  { kind: "proposal", proposal, command: null },
  { kind: "refused", proposal, reason: "it repeats" },
  { kind: "declined", reason: "nothing" },
  { kind: "unparsable", reason: "class is missing" },
  { kind: "failed", reason: "503" },
];

describe("stored diagnoses", () => {
  it.each(READINGS)("come back as they were: $kind", (reading) => {
    const diagnosis = aDiagnosis({ reading, usage: reading.kind === "failed" ? null : aDiagnosis().usage });
    expect(saveDiagnosis(opened.db, diagnosis)).toBe(true);
    expect(diagnosisById(opened.db, diagnosis.id)).toEqual(diagnosis);
  });

  it("hold no halves of characters, which a database cannot keep", () => {
    const broken = aDiagnosis({ reply: "a\ud800b\udc00🦔" }, { change: "x\ud83e" });
    saveDiagnosis(opened.db, broken);
    const stored = diagnosisById(opened.db, broken.id);
    expect(stored?.reply).toBe("a\ufffdb\ufffd🦔");
    expect(stored?.reading).toMatchObject({ proposal: { change: "x\ufffd" } });
  });

  it("never change, and one that is not there is null", () => {
    saveDiagnosis(opened.db, aDiagnosis());
    expect(saveDiagnosis(opened.db, aDiagnosis({ reply: "other" }))).toBe(false);
    expect(diagnosisById(opened.db, aDiagnosis().id)?.reply).toBe("PROPOSAL");
    expect(diagnosisById(opened.db, id(9))).toBeNull();
  });

  it("are listed newest first, page by page, without a gap or a repeat", () => {
    for (let n = 1; n <= 7; n++)
      saveDiagnosis(
        opened.db,
        aDiagnosis({ id: id(n), created_at: `2026-11-0${Math.ceil(n / 3)}T00:00:00Z` }),
      );
    const seen: string[] = [];
    let before: Diagnosis | undefined;
    for (;;) {
      const page = listDiagnoses(opened.db, before === undefined ? { limit: 2 } : { limit: 2, before });
      seen.push(...page.map((one) => one.id));
      before = page.at(-1);
      if (before === undefined) break;
    }
    expect(seen).toEqual([7, 6, 5, 4, 3, 2, 1].map(id));
  });
});

describe("what became of them", () => {
  const measured = (over: { created_at: string; change?: string }) =>
    aDocument("++++++++", "====", {
      created_at: over.created_at,
      arms: { baseline: aSource(), candidate: aSource({ created_at: over.created_at }) },
      prediction: {
        change_class: "config",
        change: over.change ?? "max_turns=60",
        metric: null,
        rationale: null,
        made_at: null,
      },
    });

  function anExperiment(proposalId: string, verdictId: string | null, state: "queued" | "done"): void {
    opened.db
      .insert(experiments)
      .values({
        id: `e-${proposalId}`,
        createdAt: 1,
        proposalId,
        change: "max_turns=60",
        changeClass: "config",
        holdoutIn: 3,
        request: "{}",
        state,
        verdictId,
      })
      .run();
  }

  it("is read from experiments and verdicts", () => {
    const all = [1, 2, 3].map((n) => aDiagnosis({ id: id(n), created_at: `2026-11-0${n}T00:00:00Z` }));
    for (const one of all) saveDiagnosis(opened.db, one);
    expect(fatesOf(opened.db, all).map(({ kind }) => kind)).toEqual([
      "not_measured",
      "not_measured",
      "not_measured",
    ]);
    const verdict = measured({ created_at: "2026-11-02T12:00:00Z", change: "max_turns=060" });
    saveVerdict(opened.db, verdict, 1);
    anExperiment(id(3), null, "queued");
    expect(fatesOf(opened.db, all)).toMatchObject([
      { kind: "verdict", verdict_id: verdict.id, experiment_id: null, prediction: "unknown" },
      { kind: "verdict", verdict_id: verdict.id },
      { kind: "queued", experiment_id: `e-${id(3)}` },
    ]);
    expect(storedCalibration(opened.db).total).toMatchObject({
      proposals: 3,
      unknown: 1,
      kept: { hits: 0, of: 0 },
    });
  });

  it("is the verdict of its experiment, whatever its change is called", () => {
    const one = aDiagnosis({ id: id(1) });
    saveDiagnosis(opened.db, one);
    const verdict = measured({ created_at: "2026-11-02T12:00:00Z", change: "two-knobs" });
    saveVerdict(opened.db, verdict, 1);
    anExperiment(id(1), verdict.id, "done");
    expect(fatesOf(opened.db, [one])).toMatchObject([
      { kind: "verdict", verdict_id: verdict.id, experiment_id: `e-${id(1)}` },
    ]);
  });

  it("is not what another proposal's experiment came to, whoever is asked about", () => {
    const [mine, other] = [1, 2].map((n) => aDiagnosis({ id: id(n), created_at: "2026-11-01T00:00:00Z" }));
    if (mine === undefined || other === undefined) throw new Error("two were made");
    for (const one of [mine, other]) saveDiagnosis(opened.db, one);
    const verdict = measured({ created_at: "2026-11-02T12:00:00Z" });
    saveVerdict(opened.db, verdict, 1);
    anExperiment(id(2), verdict.id, "done");
    expect(fatesOf(opened.db, [mine])).toEqual([{ kind: "not_measured" }]);
    expect(fatesOf(opened.db, [other])).toMatchObject([{ kind: "verdict", verdict_id: verdict.id }]);
  });

  it("is found also for more of them than a statement takes values, and for a change with any character", () => {
    const odd = "a\u0000b'\"\\ \ud83e\udd94";
    const many = Array.from({ length: 40_000 }, (_, n) => aDiagnosis({ id: id(n) }));
    const one = aDiagnosis({ id: id(50_000), created_at: "2026-11-01T00:00:00Z" }, { change: odd });
    const verdict = measured({ created_at: "2026-11-02T12:00:00Z", change: odd });
    saveVerdict(opened.db, verdict, 1);
    expect(fatesOf(opened.db, [...many, one]).at(-1)).toMatchObject({
      kind: "verdict",
      verdict_id: verdict.id,
    });
  });
});
