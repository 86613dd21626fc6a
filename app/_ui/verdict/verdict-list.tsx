import { visible } from "#lib/format.ts";
import type { VerdictRow } from "#lib/verdict/store.io.ts";
import { currencyWords } from "#lib/verdict/words.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { Untrusted } from "../rate.tsx";
import { Instant } from "../time.tsx";
import { Outcome } from "./outcome.tsx";

/** Stored verdicts, newest first: what was judged, what came of it, and why. */
export function VerdictList({ rows, zone }: { rows: VerdictRow[]; zone: string }) {
  return (
    <ol aria-label="Verdicts">
      {rows.map((row) => (
        <li
          key={row.id}
          className="row grid gap-x-4 gap-y-0.5 border-line border-b py-1.5 text-sm lg:grid-cols-[6.5rem_minmax(12rem,1fr)_minmax(14rem,1.6fr)_9rem_8.5rem]"
        >
          <Outcome outcome={row.outcome} />
          <span className="min-w-0 break-words">
            <a href={verdictHref(row.id)} className="link">
              <Untrusted mono>{visible(row.change ?? `${row.candidate} against ${row.baseline}`)}</Untrusted>
            </a>
          </span>
          <span className="min-w-0 break-words text-muted text-xs leading-5">{visible(row.reason)}</span>
          <span className="min-w-0 break-words text-muted text-xs leading-5">
            {row.predictedMetric === null
              ? currencyWords(row.currency)
              : `${row.predictedMetric}: ${row.prediction ?? "unknown"}`}
          </span>
          <span className="text-muted text-xs leading-5 lg:text-right">
            <Instant at={row.createdAt} zone={zone} />
          </span>
        </li>
      ))}
    </ol>
  );
}
