import type { SeriesView } from "#app/cards-view.ts";
import { visible } from "#lib/format.ts";
import { Untrusted } from "../rate.tsx";
import { CardRate } from "./card-rate.tsx";
import { CurveTable, PassCurve } from "./curve.tsx";
import { RunStrip } from "./marks.tsx";

/** Cards that look like repeats of one measurement, read as one: what a single run cannot tell. */
export function Series({ series }: { series: SeriesView }) {
  const { name, letters, reliability, flaky, flakyCases } = series;
  const { pass_all, pass_any, flaky_runs, curve, warnings, runs_per_case } = reliability;
  return (
    <div className="mb-4">
      <p className="mb-2 text-sm">
        <bdi className="font-mono text-xs">{visible(name)}</bdi>
        <span className="text-muted">{` · cards ${letters.join(", ")} as ${runs_per_case ?? "uneven"} runs of each case`}</span>
      </p>
      <div className="flex flex-wrap gap-x-8 gap-y-3">
        <PassCurve curve={curve} />
        <dl className="grid grid-cols-[auto_1fr] content-start gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted">passed, all runs</dt>
          <dd>
            <CardRate rate={pass_all} />
          </dd>
          <dt className="text-muted">passed, any run</dt>
          <dd>
            <CardRate rate={pass_any} />
          </dd>
          <dt className="text-muted">flaky cases</dt>
          <dd>
            <CardRate rate={{ hits: flaky, of: pass_all.of }} />
          </dd>
          <dt className="text-muted">runs that contradict</dt>
          <dd>
            <CardRate rate={flaky_runs} />
          </dd>
        </dl>
        <CurveTable curve={curve} />
      </div>
      {flakyCases.length > 0 && (
        <ul aria-label="Flaky cases" className="mt-3 text-sm">
          {flakyCases.map(({ id, cell }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-4">
              <RunStrip cell={cell} />
              <Untrusted mono>{visible(id)}</Untrusted>
            </li>
          ))}
          {flaky > flakyCases.length && (
            <li className="text-muted text-xs">{`and ${flaky - flakyCases.length} more`}</li>
          )}
        </ul>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="mt-2 max-w-[72ch] text-attention text-xs">{`! ${visible(warning)}`}</p>
      ))}
    </div>
  );
}
