import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import { markerGroups } from "#lib/review/marker-words.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { plain } from "#lib/review/words.ts";
import { More, None } from "./more.tsx";
import { WordsView } from "./words-view.tsx";

/** The changes of model and settings dated in the week. */
export function Settings({ report: { markers, week } }: { report: ReviewReport }) {
  const { shown, more } = firstOf(markerGroups(markers, week.zone), SHOWN.markers);
  if (shown.length === 0) return <None>No change of model or settings is dated in this week.</None>;
  return (
    <ul className="text-sm">
      {shown.map(({ words, at }) => (
        <li key={`${at} ${plain(words)}`}>
          <WordsView words={words} />
        </li>
      ))}
      <More more={more} />
    </ul>
  );
}
