import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a reader does that knows no better: the text of each file, cut into lines, each decoded. Gives the outcomes. */
export function parseEveryLine(dir: string): number {
  let outcomes = 0;
  for (const name of readdirSync(dir)) {
    for (const line of readFileSync(path.join(dir, name), "utf8").split("\n")) {
      if (line !== "" && (JSON.parse(line) as { record: string }).record === "outcome") outcomes++;
    }
  }
  return outcomes;
}

/** The sum of what `rg -c` says, file by file. */
export function countOutcomes(output: string): number {
  return output
    .split("\n")
    .filter((line) => line !== "")
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(":") + 1)), 0);
}
