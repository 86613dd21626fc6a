import { mostlyErrored } from "#lib/gate/rules.ts";
import type { Coverage } from "./head.ts";
import { type CardDoubts, hasDoubts } from "./head-check.ts";
import type { Card, CardMeta } from "./scorecard.ts";

/** Why two cards may not measure the same thing. `blocks`: their rows must not be ranked against each other. */
export type Difference = { key: string; blocks: boolean; text: string };

/** What keeps a card from being ranked, whatever it is compared with. */
export function faultsOf({ report }: Card, coverage: Coverage, doubts: CardDoubts): Difference[] {
  const faults: Difference[] = [];
  const blocks = true;
  if (report.meta.partial) faults.push({ key: "partial", blocks, text: "its pass was broken off" });
  // A card that lost so many of its runs says little about its model.
  if (mostlyErrored(coverage)) {
    const ran = coverage.scored + coverage.errored;
    faults.push({ key: "errored", blocks, text: `${coverage.errored} of its ${ran} runs errored` });
  }
  if (coverage.total === 0) faults.push({ key: "empty", blocks, text: "it has no cases" });
  if (hasDoubts(doubts)) {
    faults.push({ key: "doubts", blocks, text: "its headline, grades or ids contradict its own cases" });
  }
  return faults;
}

/** How `card` differs from the `base` it is read against. */
export function differencesOf(base: Card, card: Card): Difference[] {
  const found = [caseDifference(base, card)];
  const k = [base, card].map((one) => one.report.head.runs_per_case);
  if (k[0] !== k[1]) {
    const times = k[1] === 1 ? "time" : "times";
    found.push({
      key: "runs_per_case",
      blocks: true,
      text: `it ran each case ${k[1]} ${times}, not ${k[0]}`,
    });
  }
  for (const [key, name, blocks] of RECORDED) found.push(recorded(base, card, key, name, blocks));
  return found.filter((one) => one !== null);
}

const RECORDED: [keyof CardMeta, string, boolean][] = [
  ["case_set_sha256", "case set", true],
  ["fixture_sha256", "fixture", true],
  ["judge", "judge", true],
  ["grader_version", "grader", true],
  ["sandbox", "sandbox", true],
  ["seed", "seed", false],
  ["concurrency", "concurrency", false],
];

function recorded(
  base: Card,
  card: Card,
  key: keyof CardMeta,
  name: string,
  blocks: boolean,
): Difference | null {
  const [a, b] = [base, card].map((one) => one.report.meta[key]);
  const [before, after] = [a, b].map((value) => JSON.stringify(value ?? null));
  if (before === after) return null;
  // Old cards record none of this: that is worth saying, but no proof of a difference.
  if (a === null || b === null) {
    const silent = a === null ? base.name : card.name;
    return { key, blocks: false, text: `its ${name} may differ: ${silent} does not record one` };
  }
  return { key, blocks, text: `its ${name} is ${shown(b)}, not ${shown(a)}` };
}

/** A judge by its two names, a hash by its beginning, anything else as it is written in the card. */
function shown(value: CardMeta[keyof CardMeta] | undefined): string {
  if (typeof value === "object" && value !== null && "provider" in value)
    return `${value.provider}/${value.model}`;
  return JSON.stringify(value ?? null).replace(/"([0-9a-f]{12})[0-9a-f]{52}"/, '"$1…"');
}

function caseDifference(base: Card, card: Card): Difference | null {
  const before = new Set(base.report.runs.map((run) => run.id));
  const after = new Set(card.report.runs.map((run) => run.id));
  const missing = [...before].filter((id) => !after.has(id)).length;
  const added = [...after].filter((id) => !before.has(id)).length;
  if (missing + added === 0) return null;
  const parts = [missing > 0 ? `lacks ${missing}` : "", added > 0 ? `adds ${added}` : ""];
  const text = `it ran other cases: it ${parts.filter((part) => part !== "").join(" and ")}`;
  return { key: "cases", blocks: true, text };
}
