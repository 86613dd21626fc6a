import { percent } from "#lib/format.ts";
import { slicesChart, workChart } from "#lib/verdict/charts.ts";
import type { SliceView, VerdictView } from "#lib/verdict/view.ts";
import { chanceShare, FLOOR_WORDS, workShare } from "#lib/verdict/words.ts";
import { grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";
import { Drawing } from "./svg.tsx";

/** Wins, losses and ties of both slices: as bars over one scale, and as the raw counts. */
export function Slices({ slices }: { slices: SliceView[] | null }) {
  if (slices === null)
    return <p className="text-sm">Unknown: the file does not say which cases were held out.</p>;
  return (
    <div className="grid items-start gap-x-12 gap-y-4 lg:grid-cols-2">
      <Drawing drawing={slicesChart(slices)} />
      <div className="min-w-0">
        <table className="w-full text-sm [overflow-wrap:normal]">
          <thead className="text-muted text-xs">
            <tr className="border-strong border-b">
              {["slice", "better", "worse", "same", "won of the untied", "by chance"].map((name, at) => (
                <th
                  key={name}
                  scope="col"
                  className={`py-1 pr-2 align-bottom sm:pr-3 font-normal ${at === 0 ? "text-left" : "text-right"}`}
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {slices.map((one) => (
              <SliceRow key={one.slice} one={one} />
            ))}
          </tbody>
        </table>
        <p className="mt-2 max-w-[72ch] text-muted text-xs">
          Counted in pairs: what ran in both arms. Won of the untied: with its 95% interval. By chance: how
          often a change without effect would win at least as many. {FLOOR_WORDS}
        </p>
      </div>
    </div>
  );
}

function SliceRow({ one }: { one: SliceView }) {
  const { wins, losses, ties } = one.tally;
  const [low, high] = one.interval ?? [null, null];
  return (
    <tr className="border-line border-b">
      <th scope="row" className="py-1 pr-2 text-left font-normal sm:pr-3">
        {one.slice}
      </th>
      <td className="py-1 pr-2 text-right sm:pr-3">{grouped(wins)}</td>
      <td className="py-1 pr-2 text-right sm:pr-3">{grouped(losses)}</td>
      <td className="py-1 pr-2 text-right sm:pr-3">{grouped(ties)}</td>
      <td className="py-1 pr-2 text-right sm:pr-3">
        {low === null || high === null ? (
          <Unknown why="all pairs are tied" />
        ) : (
          <>
            {percent({ hits: wins, of: wins + losses }, 0)}{" "}
            <span className="whitespace-nowrap text-muted text-xs">{`${percent({ hits: low, of: 1 }, 0)} to ${percent({ hits: high, of: 1 }, 0)}`}</span>
          </>
        )}
      </td>
      <td className="py-1 pr-2 text-right sm:pr-3">{chanceShare(one)}</td>
    </tr>
  );
}

/** The work guardrail with its line. */
export function Work({ view }: { view: VerdictView }) {
  if (view.work === null) {
    return (
      <p className="text-sm">Unknown: the runs do not tell their tool calls, so the guardrail saw nothing.</p>
    );
  }
  const { baseline, candidate } = view.work;
  const floor = percent({ hits: view.work.floor, of: 1 }, 0);
  return (
    <div className="grid items-center gap-x-12 gap-y-2 lg:grid-cols-2">
      <Drawing drawing={workChart(view.work)} />
      <p className="max-w-[72ch] text-sm">
        {`${grouped(Math.round(baseline))} → ${grouped(Math.round(candidate))} tool calls (${workShare(view)}). `}
        <span className="text-muted text-xs">{`Under ${floor} of the baseline's work a gain is rejected: it may only be less work.`}</span>
      </p>
    </div>
  );
}

/** Case passes where another cost was judged: the second guardrail. */
export function Passes({ view }: { view: VerdictView }) {
  if (view.passes === null) return null;
  const passes = view.passes;
  return (
    <ul className="text-sm">
      {(["selection", "holdout"] as const).map((slice) => {
        const { wins, losses, ties } = passes[slice];
        return (
          <li key={slice}>
            <span className="mr-3 inline-block w-20 text-muted">{slice}</span>
            {`${grouped(wins)} fixed · ${grouped(losses)} broken · ${grouped(ties)} the same`}
          </li>
        );
      })}
    </ul>
  );
}
