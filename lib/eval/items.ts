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
