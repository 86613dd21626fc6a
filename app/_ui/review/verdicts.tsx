import { visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import { predictionWords, verdictSubject } from "#lib/review/outcome-words.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { short } from "#lib/review/words.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { Instant } from "../time.tsx";
import { Outcome } from "../verdict/outcome.tsx";
import { More, None } from "./more.tsx";
import { WordsView } from "./words-view.tsx";

/** The verdicts reached in the week, oldest first. */
export function Verdicts({ report, zone }: { report: ReviewReport; zone: string }) {
  const { shown, more } = firstOf(report.verdicts, SHOWN.verdicts);
  if (shown.length === 0) return <None>No verdict was reached.</None>;
  return (
    <ul className="text-sm">
      {shown.map((verdict) => (
        <li key={verdict.id} className="py-1">
          <Outcome outcome={verdict.outcome} />{" "}
          <a href={verdictHref(verdict.id)} className="link font-mono text-xs">
            <WordsView words={verdictSubject(verdict)} />
          </a>{" "}
          <span className="text-muted text-xs">
            <bdi>{visible(short(verdict.reason))}</bdi>
            {verdict.predicted_metric !== null && (
              <>
                {" · "}
                <WordsView words={predictionWords(verdict)} />
              </>
            )}
            {" · "}
            <Instant at={verdict.created_at} zone={zone} />
          </span>
        </li>
      ))}
      <More more={more + report.verdicts_left_out} href="/scorecards#verdicts" />
    </ul>
  );
}
