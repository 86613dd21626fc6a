import { visible } from "#lib/format.ts";
import { casesOf, passedAll, scoreOf } from "./cases.ts";
import type { CaseRun, Report } from "./scorecard.ts";
import { writeReport } from "./write-report.ts";

export type RulesFlip = { id: string; without_rules: boolean; with_rules: boolean };

/** Two arms, without and with the learned rules, in the shape that no reader of scorecards takes for one. */
export type RulesAb = { ab_rules: true; without_rules: object; with_rules: object; flips: RulesFlip[] };

/** Compares the arms case by case: nothing is judged here. */
export function rulesAb(without: Report, withRules: Report): RulesAb {
  const later = new Map(casesOf(withRules.runs).map((one) => [one.id, passedAll(one)]));
  const flips = casesOf(without.runs).flatMap((one) => {
    const now = later.get(one.id);
    const was = passedAll(one);
    return now === undefined || now === was ? [] : [{ id: one.id, without_rules: was, with_rules: now }];
  });
  return {
    ab_rules: true,
    without_rules: JSON.parse(writeReport(without)),
    with_rules: JSON.parse(writeReport(withRules)),
    flips,
  };
}

/** The delta in words. It is a finding and decides nothing. */
export function rulesText({ without_rules, with_rules, flips }: RulesAb): string {
  const score = (arm: object) => {
    const { passed, total } = scoreOf((arm as { cases: CaseRun[] }).cases);
    return `${passed}/${total} cases`;
  };
  const improved = flips.filter((flip) => flip.with_rules);
  const regressed = flips.filter((flip) => !flip.with_rules);
  const net = improved.length - regressed.length;
  const lines = [
    "── rules A/B ──",
    `without rules: ${score(without_rules)}`,
    `with rules:    ${score(with_rules)}`,
    ...improved.map(({ id }) => `  IMPROVED: ${visible(id)}`),
    ...regressed.map(({ id }) => `  REGRESSED: ${visible(id)}`),
    "",
    `net: ${net > 0 ? "+" : ""}${net}`,
  ];
  return `${lines.join("\n")}\n`;
}
