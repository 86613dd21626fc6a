import { percent } from "#lib/format.ts";
import type { StopCause } from "#lib/transcript/record.ts";
import { grouped } from "./number.ts";

/** A stop cause with its number of runs. */
export type CauseCount = { cause: StopCause | "unrecorded"; runs: number };

/** What each cause means, in the words of a person who has not read the format. */
export const CAUSE_MEANING: Record<CauseCount["cause"], string> = {
  completed: "the model finished of its own accord",
  max_turns: "cut short: the turn limit was reached",
  output_token_budget: "cut short: the output token budget was spent",
  cost_budget: "cut short: the cost budget was spent",
  interrupted: "a person stopped it",
  loop: "cut short: the loop guard stopped a repeating run",
  no_output: "cut short: the model said and did nothing",
  unrecorded: "the row does not say why",
};

const TONE: Record<CauseCount["cause"], string> = {
  completed: "bg-strong/30",
  max_turns: "bg-attention",
  output_token_budget: "bg-attention/80",
  cost_budget: "bg-attention/60",
  loop: "bg-broken",
  no_output: "bg-broken/70",
  interrupted: "bg-accent/60",
  unrecorded: "bg-line",
};

/** The causes as one bar; its numbers are told in words to who cannot see it. */
export function CauseBar({ causes, runs }: { causes: CauseCount[]; runs: number }) {
  const words = causes.map(({ cause, runs: n }) => `${cause} ${n}`).join(", ");
  return (
    <span
      role="img"
      aria-label={`Stop causes: ${words}`}
      title={words}
      className="flex h-2 w-full min-w-24 gap-px overflow-hidden rounded-xs"
    >
      {causes.map(({ cause, runs: n }) => (
        <span
          key={cause}
          className={`h-full min-w-0.5 ${TONE[cause]}`}
          style={{ flexGrow: n / Math.max(1, runs) }}
        />
      ))}
    </span>
  );
}

/** The causes one below the other, each with its share, what it means and a bar. */
export function CauseList({
  causes,
  runs,
  hrefOf,
}: {
  causes: CauseCount[];
  runs: number;
  hrefOf: (cause: string) => string;
}) {
  return (
    <table className="w-full text-sm">
      <caption className="sr-only">Stop causes</caption>
      <tbody>
        {causes.map(({ cause, runs: n }) => (
          <tr key={cause}>
            <th scope="row" className="w-px whitespace-nowrap py-1 pr-4 text-left font-normal">
              <a href={hrefOf(cause)} title={CAUSE_MEANING[cause]} className="link font-mono text-xs">
                {cause}
              </a>
            </th>
            <td className="w-px whitespace-nowrap py-1 pr-2 text-right">{grouped(n)}</td>
            <td className="w-px whitespace-nowrap py-1 pr-4 text-right text-muted text-xs">
              {percent({ hits: n, of: runs }, 1)}
            </td>
            <td className="w-2/5 py-1">
              <span
                aria-hidden="true"
                className={`block h-2 min-w-0.5 rounded-xs ${TONE[cause]}`}
                style={{ width: `${(100 * n) / Math.max(1, runs)}%` }}
              />
            </td>
            <td className="hidden py-1 pl-4 text-muted text-xs sm:table-cell">{CAUSE_MEANING[cause]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
