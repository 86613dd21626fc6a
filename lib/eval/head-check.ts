import { isObject } from "#lib/json-text.ts";
import { casesOf } from "./cases.ts";
import { headOf } from "./head.ts";
import type { CaseRun, Head, Report } from "./scorecard.ts";

/** A headline number that its own cases do not give. */
export type HeadDifference = { key: string; written: string; recomputed: string };

/** Doubts about a card that follow from the card alone; each is said wherever its numbers are shown. */
export type CardDoubts = {
  head: HeadDifference[];
  /** `id (run N)` whose `passed` contradicts its checks or its error. */
  contradictions: string[];
  /** Case ids that came more than once in a card that ran each case once. */
  doubled: string[];
};

/** Compares a report with what its cases give. Keys that an old card lacks are not compared. */
export function doubtsOf(report: Report): CardDoubts {
  return {
    head: headDifferences(report.head, anyAsTold(report.head, headOf(report.runs))),
    contradictions: report.runs.filter(contradicts).map((run) => `${run.id} (run ${run.run})`),
    doubled:
      report.head.runs_per_case > 1
        ? []
        : casesOf(report.runs)
            .filter((one) => one.runs.length > 1)
            .map((one) => one.id),
  };
}

/** Does a card contradict itself anywhere? */
export function hasDoubts({ head, contradictions, doubled }: CardDoubts): boolean {
  return head.length + contradictions.length + doubled.length > 0;
}

/** Where each case ran once, "any run passed" is "all passed": some harnesses write it all the same. */
function anyAsTold(written: Head, recomputed: Head): Head {
  if (recomputed.runs_per_case > 1) return recomputed;
  const told = new Set(written.by_tag?.filter((row) => row.passed_any !== null).map((row) => row.tag));
  const by_tag = recomputed.by_tag?.map((row) =>
    told.has(row.tag) ? { ...row, passed_any: row.passed } : row,
  );
  return { ...recomputed, passed_any: recomputed.passed, by_tag: by_tag ?? null };
}

function headDifferences(written: Head, recomputed: Head): HeadDifference[] {
  const out: HeadDifference[] = [];
  for (const key of Object.keys(recomputed) as (keyof Head)[]) {
    // null on the written side: an old card that lacks the key, or one that never knew.
    if (written[key] === null || same(written[key], recomputed[key])) continue;
    out.push({ key, written: shown(written[key]), recomputed: shown(recomputed[key]) });
  }
  return out;
}

/** Equal, up to the rounding of a sum taken in another order. */
function same(a: unknown, b: unknown): boolean {
  if (typeof a === "number" && typeof b === "number") {
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((x, i) => same(x, b[i]));
  if (isObject(a) && isObject(b)) {
    return Object.keys({ ...a, ...b }).every((key) => same(a[key] ?? null, b[key] ?? null));
  }
  return a === b;
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : JSON.stringify(value);
}

/** A card without checks has nothing to contradict. */
function contradicts(run: CaseRun): boolean {
  const failed = run.checks.some((check) => !check.passed);
  if (run.passed) return failed || run.error !== null;
  return run.error === null && run.checks.length > 0 && !failed;
}
