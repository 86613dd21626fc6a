import path from "node:path";
import type { Finding } from "#lib/doctor/finding.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";

/** What a look could see. What it could not see it cannot call resolved. */
export type Sight = {
  /** Of the finished main runs that were read. */
  provenances: ReadonlySet<Provenance>;
  /** Places of stores, folders and files that could not be used. */
  unreadable: readonly string[];
  triggersDir: string;
};

/** The places that a report's findings call unreadable. */
export function unreadablePlaces(findings: readonly Finding[]): string[] {
  return findings.flatMap(({ component, evidence }) =>
    component === "store" && typeof evidence.place === "string" ? [evidence.place] : [],
  );
}

/** True when a finding with this id would have been seen, if it still stood. */
export function inSight(id: string, { provenances, unreadable, triggersDir }: Sight): boolean {
  const [component, , subject = ""] = id.split("/");
  const ofTriggers = (place: string) => place === triggersDir || path.dirname(place) === triggersDir;
  switch (component) {
    case "runs":
      // A rate over no run at all is no rate: an empty store is no sign that a model got better.
      return provenances.has(subject as Provenance) && unreadable.every(ofTriggers);
    case "triggers":
      return !unreadable.some((place) => ofTriggers(place) && mayHide(place, subject));
    default:
      return true;
  }
}

/** A trigger's file hides that trigger; the folder and the ledger hide all. */
function mayHide(place: string, trigger: string): boolean {
  return !place.endsWith(".toml") || path.basename(place, ".toml") === trigger;
}
