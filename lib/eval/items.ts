import type { Case } from "./case.ts";

/** One case run: the unit that is run, graded, resumed and counted. */
export type Item = {
  /** `id`, or `id#r2` where cases run more than once. */
  id: string;
  case: Case;
  /** 1-based within the case. */
  run: number;
};

/** Every run of every case, case by case, in the order of the file. */
export function itemsOf(cases: readonly Case[], runsPerCase: number): Item[] {
  return cases.flatMap((one) =>
    Array.from({ length: runsPerCase }, (_, at) => ({
      id: runsPerCase === 1 ? one.id : `${one.id}#r${at + 1}`,
      case: one,
      run: at + 1,
    })),
  );
}

/** The name of an item's folder: what could mean something in a path becomes a dash. */
export function folderName(itemId: string): string {
  return itemId.replaceAll("#", "-").replace(/[^A-Za-z0-9_-]/gu, "-");
}

/** An arm of a comparison: `a` as configured, `b` with the change. A plain pass has none. */
export type ArmKey = "" | "a" | "b";

/** An item in an arm: one job. */
export type Job = { arm: ArmKey; item: Item };

/**
 * The jobs of all arms, interleaved item by item, so that whatever drifts while they run (a busy server, a cache that
 * warms up) falls on both arms alike. Which arm goes first alternates for the same reason.
 */
export function jobsOf(items: readonly Item[], arms: readonly ArmKey[]): Job[] {
  return items.flatMap((item, at) => {
    const order = at % 2 === 0 ? arms : arms.toReversed();
    return order.map((arm) => ({ arm, item }));
  });
}

/** What identifies a job: in a journal, and wherever results are counted once. */
export function jobKey(arm: ArmKey, caseId: string, run: number): string {
  return JSON.stringify([arm, caseId, run]);
}
