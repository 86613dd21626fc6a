import { visible } from "#lib/format.ts";
import { dispositionOf } from "#lib/gate/judge.ts";
import { pairsIn, type Tally } from "#lib/gate/tally.ts";
import { reasonOf } from "#lib/verdict/view.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import type { AbResult } from "./ab.ts";

/** What two arms came to, as `mecha eval --ab-config` prints it. */
export function abText({ overrides, arm_a, arm_b, cases, document }: AbResult): string {
  const { judgement, currency } = document;
  const { selection, holdout, work_baseline, work_candidate, passes } = judgement;
  const lines = [
    "── config A/B ──",
    `arm A (as configured): ${arm_a.passed}/${arm_a.total} cases`,
    `arm B (${visible(overrides.join(" "))}): ${arm_b.passed}/${arm_b.total} cases`,
    ...cases.filter((one) => one.now && !one.was).map(({ id }) => `  IMPROVED: ${visible(id)}`),
    ...cases.filter((one) => one.was && !one.now).map(({ id }) => `  REGRESSED: ${visible(id)}`),
    "",
    ...(currency === "case_passes" ? [] : [`judged     the runs' own ${currency}, lower is better`]),
    `selection  ${tallyText(selection)}    holdout  ${tallyText(holdout)}`,
    ...(passes === null
      ? []
      : [`cases      ${tallyText(passes.selection)}    holdout  ${tallyText(passes.holdout)}`]),
    `work       ${work_baseline} tool calls → ${work_candidate}`,
    ...(judgement.prediction === null ? [] : [`prediction ${judgement.prediction}`]),
    "",
    `verdict: ${verdictWords(document)}`,
    "",
    `One sample of ${pairsIn(selection) + pairsIn(holdout)} cases: a model that is asked again answers differently.`,
  ];
  return `${lines.join("\n")}\n`;
}

function tallyText({ wins, losses, ties }: Tally): string {
  return `${wins}+ ${losses}- ${ties}=`;
}

function verdictWords({ judgement }: AbResult["document"]): string {
  return `${OUTCOMES[dispositionOf(judgement.disposition)].shout} — ${reasonOf(judgement)}`;
}
