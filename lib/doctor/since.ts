import { bucketsBetween, DAY_MS, isoUtc } from "#lib/time.ts";
import type { Finding } from "./finding.ts";
import { populationFindings, populationOf, slicesAt } from "./population.ts";
import { type DoctorInput, triggerHistories } from "./report.ts";
import { historyAt, runsOf, stuckSince, type TriggerHistory, WINDOW } from "./trigger-checks.ts";
import { triggerFindings, windowFindings } from "./triggers.ts";

/** Since when a finding has stood without a break. */
export type Standing = {
  finding: Finding;
  /** RFC 3339; null where nothing tells (an unreadable store). */
  since: string | null;
  /** It stood already where looking back ended, so it may be older than `since`. */
  or_earlier: boolean;
  /** It did not stand a day ago. */
  is_new: boolean;
};

/** A finding that stood within the days looked back over and does not stand now, as it was when it last did. */
export type Resolved = { finding: Finding; since: string; or_earlier: boolean; resolved_at: string };

export type FindingHistory = { standing: Standing[]; resolved: Resolved[] };

/** Runs of one trigger that are looked back over. */
const TRIGGER_RUNS_MAX = 500;

/**
 * New, standing or resolved, computed and never remembered: the same checks as of the end of each of the last `days` days
 * (in the zone of the input), and for triggers after each of their runs. Deleted transcripts can not be asked again, so
 * a store that deletes may show a finding as younger than it is. `findings` are those of the report of the same input.
 */
export function findingHistory(input: DoctorInput, findings: readonly Finding[], days = 90): FindingHistory {
  const start_ms = input.as_of_ms - days * DAY_MS;
  const histories = triggerHistories(input.triggers, input.zone).filter(({ trigger }) => trigger.enabled);
  const spells = new Map<string, Spell>([
    ...spellsOf(populationSteps(input, start_ms, days)),
    ...histories.flatMap((history) => [...triggerSpells(history, input.as_of_ms)]),
  ]);
  const now = new Set(findings.map(({ id }) => id));
  const resolved = [...spells.values()].flatMap(({ finding, since_ms, or_earlier, until_ms }) =>
    now.has(finding.id) || until_ms === null || until_ms < start_ms
      ? []
      : [{ finding, since: isoUtc(since_ms), or_earlier, resolved_at: isoUtc(until_ms) }],
  );
  return {
    standing: findings.map((finding) => standingOf(finding, spells.get(finding.id), input.as_of_ms)),
    resolved: resolved.sort((a, b) => Date.parse(b.resolved_at) - Date.parse(a.resolved_at)),
  };
}

function standingOf(finding: Finding, spell: Spell | undefined, as_of_ms: number): Standing {
  if (spell === undefined || spell.until_ms !== null)
    return { finding, since: null, or_earlier: false, is_new: false };
  const { since_ms, or_earlier } = spell;
  return {
    finding,
    since: isoUtc(since_ms),
    or_earlier,
    is_new: !or_earlier && since_ms > as_of_ms - DAY_MS,
  };
}

/** The newest time over which a finding stood. `until_ms`: the first step at which it no longer did; null = it does. */
type Spell = { finding: Finding; since_ms: number; or_earlier: boolean; until_ms: number | null };
type Step = { ms: number; findings: Finding[] };

function populationSteps(input: DoctorInput, start_ms: number, days: number): Step[] {
  const population = populationOf(input.scans);
  const { buckets } = bucketsBetween(start_ms, input.as_of_ms + 1, input.zone, "day", days + 2);
  return buckets
    .map(({ to_ms }) => Math.min(to_ms - 1, input.as_of_ms))
    .map((ms) => ({ ms, findings: populationFindings(slicesAt(population, ms)) }));
}

function triggerSpells(history: TriggerHistory, as_of_ms: number): Map<string, Spell> {
  const known = historyAt(history, as_of_ms);
  const runs = runsOf(known.rows).slice(-TRIGGER_RUNS_MAX);
  const steps = runs.map((run, i) => ({
    ms: run.started_ms,
    findings: windowFindings(history.trigger.name, runs.slice(Math.max(0, i + 1 - WINDOW), i + 1)),
  }));
  const spells = spellsOf(steps);
  const since_ms = stuckSince(known, as_of_ms);
  if (since_ms === null) return spells;
  for (const finding of triggerFindings(history, as_of_ms)) {
    if (!spells.has(finding.id))
      spells.set(finding.id, { finding, since_ms, or_earlier: false, until_ms: null });
  }
  return spells;
}

function spellsOf(steps: readonly Step[]): Map<string, Spell> {
  const spells = new Map<string, Spell>();
  steps.forEach(({ ms, findings }, i) => {
    const standing = new Set(findings.map(({ id }) => id));
    for (const spell of spells.values()) {
      if (spell.until_ms === null && !standing.has(spell.finding.id)) spell.until_ms = ms;
    }
    for (const finding of findings) {
      const open = spells.get(finding.id);
      if (open !== undefined && open.until_ms === null) open.finding = finding;
      else spells.set(finding.id, { finding, since_ms: ms, or_earlier: i === 0, until_ms: null });
    }
  });
  return spells;
}
