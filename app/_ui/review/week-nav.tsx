import type { ReviewReport } from "#lib/review/report.ts";

type Props = {
  week: ReviewReport["week"];
  hrefOf: (week: string) => string;
  /** Where the review is had as a file. */
  fileHref: string;
};

/** To the weeks beside this one, and to the file. */
export function WeekNav({ week, hrefOf, fileHref }: Props) {
  return (
    <nav aria-label="Weeks" className="-mt-3 mb-4 flex flex-wrap gap-x-5 gap-y-1 text-sm print:hidden">
      <a href={hrefOf(week.previous)} rel="prev" className="link">
        {`← ${week.previous}`}
      </a>
      {week.next === null ? (
        <span className="text-muted">{week.complete ? "the newest full week" : "the newest week"}</span>
      ) : (
        <a href={hrefOf(week.next)} rel="next" className="link">
          {`${week.next} →`}
        </a>
      )}
      <a href={fileHref} download={`review-${week.key}.html`} className="link">
        Save as one file
      </a>
    </nav>
  );
}
