import { counted, visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { coverageParts } from "#lib/review/words.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";

/** What was read for the week, what was left out, and what could not be used. */
export function Coverage({ report, found }: { report: ReviewReport; found: FoundSource[] }) {
  const { shown, more } = firstOf(report.coverage.problems, SHOWN.problems);
  return (
    <div className="text-muted text-xs">
      <p>{coverageParts(report).join(" · ")}</p>
      {found.length > 0 && (
        <ul className="break-all font-mono">
          {found.map(({ source, found: isThere }) => (
            <li key={`${source.kind} ${source.place}`}>
              {visible(source.place)}
              {!isThere && " (not there)"}
            </li>
          ))}
        </ul>
      )}
      {shown.map(({ place, problem }) => (
        <p key={place} className="text-attention">{`! ${visible(`${place}: ${problem}`)}`}</p>
      ))}
      {more > 0 && <p className="text-attention">{`! ${counted(more, "more problem")}`}</p>}
    </div>
  );
}
