import { percent } from "#lib/format.ts";
import { type Rate, RUNS_FLOOR } from "#lib/rate.ts";
import { grouped } from "../number.ts";
import { Unknown } from "../rate.tsx";

/**
 * A share with its pair, in columns that line up at the left, one below the other where a column is narrow; under the
 * floor it fades and says so.
 */
export function CardRate({ rate, why = "nothing to count" }: { rate: Rate | null; why?: string }) {
  if (rate === null || rate.of === 0) return <Unknown why={why} />;
  const thin = rate.of < RUNS_FLOOR;
  return (
    <span className="inline-flex max-w-full flex-wrap items-baseline whitespace-nowrap">
      <span className={`min-w-15 ${thin ? "text-muted" : ""}`}>{percent(rate, 1)}</span>
      <span className="text-muted text-xs">
        {`${grouped(rate.hits)} / ${grouped(rate.of)}${thin ? " · too few" : ""}`}
      </span>
    </span>
  );
}
