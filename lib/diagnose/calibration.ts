import { byteOrder } from "#lib/format.ts";
import type { Rate } from "#lib/rate.ts";
import type { Fate } from "./fate.ts";
import type { Diagnosis } from "./proposal.ts";

/** Predictions of one group: kept, of those that were kept or missed. */
export type CalibrationGroup = {
  /** Class, metric, or who predicted. */
  key: string;
  kept: Rate;
  /** Proposals made. */
  proposals: number;
  /** Measured, and nothing could be said about the prediction. */
  unknown: number;
};

export type Calibration = {
  total: CalibrationGroup;
  by_class: CalibrationGroup[];
  by_metric: CalibrationGroup[];
  /** `provider/model` of who predicted. */
  by_diagnostician: CalibrationGroup[];
  /** Proposals that a script played: nobody's opinion, and in none of the groups. */
  scripted: CalibrationGroup;
};

export type CalibrationRow = { diagnosis: Diagnosis; fate: Fate };

/**
 * Of N predictions that were measured, how many held. One measurement counts once for each of those who made the same
 * prediction, however often they made it; the interval of a rate is `wilson`'s.
 */
export function calibration(rows: readonly CalibrationRow[]): Calibration {
  const made = rows.flatMap(({ diagnosis, fate }): Made[] => {
    if (diagnosis.reading.kind !== "proposal") return [];
    const { class: change_class, metric } = diagnosis.reading.proposal;
    const who = `${diagnosis.provider}/${diagnosis.model}`;
    return [{ change_class, metric, who, fate, scripted: diagnosis.scripted }];
  });
  const real = made.filter(({ scripted }) => !scripted);
  return {
    total: groupOf("all", real),
    by_class: groupsBy(real, ({ change_class }) => change_class),
    by_metric: groupsBy(real, ({ metric }) => metric),
    by_diagnostician: groupsBy(real, ({ who }) => who),
    scripted: groupOf(
      "scripted",
      made.filter(({ scripted }) => scripted),
    ),
  };
}

type Made = { change_class: string; metric: string; who: string; fate: Fate; scripted: boolean };

function groupsBy(made: readonly Made[], keyOf: (one: Made) => string): CalibrationGroup[] {
  const groups = new Map<string, Made[]>();
  for (const one of made) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  return [...groups].sort(([a], [b]) => byteOrder(a, b)).map(([key, members]) => groupOf(key, members));
}

function groupOf(key: string, members: readonly Made[]): CalibrationGroup {
  const group: CalibrationGroup = { key, kept: { hits: 0, of: 0 }, proposals: members.length, unknown: 0 };
  const counted = new Set<string>();
  for (const { fate, metric, who } of members) {
    if (fate.kind !== "verdict") continue;
    const once = JSON.stringify([fate.verdict_id, metric, who]);
    if (counted.has(once)) continue;
    counted.add(once);
    if (fate.prediction === "unknown") group.unknown += 1;
    else {
      group.kept.of += 1;
      if (fate.prediction === "kept") group.kept.hits += 1;
    }
  }
  return group;
}
