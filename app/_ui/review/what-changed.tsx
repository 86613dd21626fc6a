import { TONES, weekChanges } from "#lib/review/changes.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { plain } from "#lib/review/words.ts";
import { WordsView } from "./words-view.tsx";

const TONE = { worse: "text-broken", better: "text-fine", neutral: "text-muted" } as const;

/** The week in sentences, the worst first. */
export function WhatChanged({ report }: { report: ReviewReport }) {
  return (
    <ul aria-label="What changed" className="max-w-[110ch] text-base">
      {weekChanges(report).map(({ tone, words }) => (
        <li key={plain(words)} className="flex gap-2 py-0.5">
          <span aria-hidden="true" className={`w-4 shrink-0 text-center font-semibold ${TONE[tone]}`}>
            {TONES[tone].glyph}
          </span>
          <span className="min-w-0">
            {TONES[tone].word !== "" && <span className="sr-only">{`${TONES[tone].word}: `}</span>}
            <WordsView words={words} />
          </span>
        </li>
      ))}
    </ul>
  );
}
