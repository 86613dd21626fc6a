import type { ModelSlice, Tally } from "#lib/health/tally.ts";
import type { Family, Sample } from "./exposition.ts";

/** A value of null is no sample: the format of those runs cannot say. */
const COUNTS: { name: string; help: string; of: (tally: Tally) => number | null }[] = [
  { name: "runs", help: "Finished runs", of: ({ runs }) => runs },
  { name: "sessions", help: "Sessions that hold a finished run", of: ({ sessions }) => sessions },
  {
    name: "runs_ended_on_failed_call",
    help: "Finished runs that the model ended itself with its last tool call failed",
    of: (tally) => tally.ended_on_failed_call,
  },
  { name: "runs_cut_short", help: "Finished runs that the harness ended", of: (tally) => tally.cut_short },
  { name: "turns", help: "Turns of the model in finished runs", of: ({ turns }) => turns },
  { name: "tool_calls", help: "Tool calls of finished runs", of: ({ tool_calls }) => tool_calls },
  {
    name: "tool_errors",
    help: "Tool calls that failed; one that was denied has not",
    of: ({ tool_errors }) => tool_errors,
  },
  {
    name: "tool_denied",
    help: "Tool calls that a person, a policy or a hook denied",
    of: ({ tool_denied }) => tool_denied,
  },
  { name: "tool_cancelled", help: "Tool calls that were cancelled", of: (tally) => tally.tool_cancelled },
  { name: "tool_staged", help: "Tool calls left for a person to send", of: ({ tool_staged }) => tool_staged },
  {
    name: "malformed_tool_args",
    help: "Tool calls whose arguments were not JSON, among the errors",
    of: (tally) => tally.malformed_tool_args,
  },
  {
    name: "blocked_sends",
    help: "Tool calls refused because private and outside content had met, among the denied",
    of: (tally) => tally.blocked_sends,
  },
  {
    name: "compactions",
    help: "Summaries that took the place of a conversation",
    of: ({ compactions }) => compactions,
  },
  {
    name: "cost_usd",
    help: "Dollars over the finished runs that carry a price: a lower bound where there are others",
    of: ({ cost_usd, runs_priced }) => (runs_priced === 0 ? null : cost_usd),
  },
  { name: "runs_priced", help: "Finished runs that carry a price", of: ({ runs_priced }) => runs_priced },
  {
    name: "runs_usage_complete",
    help: "Finished runs whose token counts are whole",
    of: (tally) => tally.usage_complete_runs,
  },
];

export type LabelsOf = (slice: ModelSlice) => Record<string, string>;

/** The counts of each slice: `prefix` begins the names, `whose` is said in the help. */
export function runFamilies(
  prefix: string,
  whose: string,
  slices: readonly ModelSlice[],
  labelsOf: LabelsOf,
): Family[] {
  const samples = (entriesOf: (tally: Tally) => [Record<string, string>, number | null][]): Sample[] =>
    slices.flatMap((slice) =>
      entriesOf(slice.tally).flatMap(([more, value]) =>
        value === null ? [] : [{ labels: { ...labelsOf(slice), ...more }, value }],
      ),
    );
  return [
    ...COUNTS.map(({ name, help, of }) => ({
      name: prefix + name,
      help: `${help}${whose}, in the window.`,
      samples: samples((tally) => [[{}, of(tally)]]),
    })),
    {
      name: `${prefix}runs_by_stop_cause`,
      help: `Finished runs${whose} by why they ended, in the window.`,
      samples: samples(({ stop_causes }) =>
        Object.entries(stop_causes).map(([stop_cause, runs]) => [{ stop_cause }, runs]),
      ),
    },
    {
      name: `${prefix}tokens`,
      help: `Tokens of finished runs${whose}, in the window: a lower bound where not all counts are whole.`,
      samples: samples(({ usage }) =>
        Object.entries(usage).map(([key, tokens]) => [{ kind: key.replace(/_tokens$/, "") }, tokens]),
      ),
    },
  ];
}
