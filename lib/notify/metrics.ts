import type { Finding } from "#lib/doctor/finding.ts";
import type { HealthReport } from "#lib/health/report.ts";
import type { ModelSlice } from "#lib/health/tally.ts";
import type { Source } from "#lib/sources/source.ts";
import { coverageFamilies } from "./coverage-families.ts";
import type { Family } from "./exposition.ts";
import { modelLabels } from "./model-labels.ts";
import { runFamilies } from "./run-families.ts";

/** What `/metrics` is drawn from. */
export type MetricsFacts = {
  report: HealthReport;
  findings: readonly Finding[];
  sources: readonly { source: Source; found: boolean; problem: string | null }[];
  /** When the files were looked at, ms since the epoch; null where none were. */
  scanned_ms: number | null;
};

/** Models of one answer, those with the most runs; the rest is counted. */
const MODELS_MAX = 200;

/**
 * The numbers of `sessions health` and `doctor` as gauges. Counts alone: who wants a rate divides them, and sees what by.
 * Main runs and those of sub-agents are families apart, and nothing adds up over provenances.
 */
export function metricFamilies({ report, findings, sources, scanned_ms }: MetricsFacts): Family[] {
  const window = report.window.days === null ? "all" : `${report.window.days}d`;
  const main = largest(report.models);
  const below = largest(report.subagents);
  const names = modelLabels([...main.kept, ...below.kept].map(({ model }) => model));
  const labelsOf = ({ provenance, model }: ModelSlice) => ({
    provenance,
    model: names.get(model) ?? "",
    window,
  });
  const one = (name: string, help: string, value: number): Family => ({
    name,
    help,
    samples: [{ labels: { window }, value }],
  });
  return [
    ...runFamilies("mecha_", "", main.kept, labelsOf),
    ...runFamilies("mecha_subagent_", " of sub-agents", below.kept, labelsOf),
    one("mecha_models_left_out", "Models whose numbers are not in this answer.", main.models + below.models),
    one("mecha_runs_left_out", "Finished runs of those models.", main.runs + below.runs),
    findingFamily(findings),
    ...coverageFamilies(report, window),
    readableFamily(sources),
    scannedFamily(scanned_ms),
  ];
}

function largest(slices: readonly ModelSlice[]): { kept: ModelSlice[]; models: number; runs: number } {
  if (slices.length <= MODELS_MAX) return { kept: [...slices], models: 0, runs: 0 };
  const sorted = [...slices].sort((a, b) => b.tally.runs - a.tally.runs);
  const rest = sorted.slice(MODELS_MAX);
  const runs = rest.reduce((sum, { tally }) => sum + tally.runs, 0);
  return { kept: sorted.slice(0, MODELS_MAX), models: rest.length, runs };
}

const COMPONENTS = ["runs", "triggers", "store"] as const satisfies readonly Finding["component"][];
const SEVERITIES = ["broken", "attention"] as const satisfies readonly Finding["severity"][];

/** A zero stands there too: an alert on a line that comes and goes is hard to write. */
function findingFamily(findings: readonly Finding[]): Family {
  return {
    name: "mecha_findings",
    help: "What mecha doctor finds, whatever the window.",
    samples: COMPONENTS.flatMap((component) =>
      SEVERITIES.map((severity) => ({
        labels: { component, severity },
        value: findings.filter((one) => one.component === component && one.severity === severity).length,
      })),
    ),
  };
}

function readableFamily(sources: MetricsFacts["sources"]): Family {
  const kinds = [...new Set(sources.filter(({ found, problem }) => found || problem !== null).map(kindOf))];
  return {
    name: "mecha_source_readable",
    help: "1 where every place of a kind of source can be read, else 0.",
    samples: kinds.map((kind) => ({
      labels: { source: kind },
      value: sources.some((one) => kindOf(one) === kind && one.problem !== null) ? 0 : 1,
    })),
  };
}

function kindOf({ source }: MetricsFacts["sources"][number]): string {
  return source.kind;
}

function scannedFamily(scanned_ms: number | null): Family {
  return {
    name: "mecha_scan_timestamp_seconds",
    help: "When the files were looked at.",
    samples: scanned_ms === null ? [] : [{ labels: {}, value: scanned_ms / 1000 }],
  };
}
