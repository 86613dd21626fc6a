import { memo } from "react";
import type { Entry, ResultState } from "#lib/sources/entry.ts";
import { clockTime, dateTime } from "../dates.ts";
import { LongText } from "./long-text.tsx";
import type { TranscriptOrigin } from "./origin.ts";

const STATE: Record<ResultState, { glyph: string; word: string; tone: string }> = {
  ok: { glyph: "✓", word: "ok", tone: "text-muted" },
  failed: { glyph: "✕", word: "failed", tone: "text-broken" },
  denied: { glyph: "⊘", word: "denied", tone: "text-attention" },
  cancelled: { glyph: "–", word: "cancelled", tone: "text-muted" },
  staged: { glyph: "◇", word: "staged", tone: "text-accent" },
};

const KIND: Record<Entry["kind"], { name: string; mono: boolean; look: string }> = {
  prompt: { name: "prompt", mono: false, look: "bg-raised font-medium" },
  text: { name: "model", mono: false, look: "" },
  thinking: { name: "thinking", mono: false, look: "text-muted italic" },
  call: { name: "call", mono: true, look: "" },
  result: { name: "result", mono: true, look: "text-muted" },
  image: { name: "image", mono: true, look: "text-muted" },
  config: { name: "settings", mono: true, look: "text-muted" },
  summary: { name: "summary", mono: false, look: "text-muted" },
  outcome: { name: "run ended", mono: true, look: "bg-raised" },
  notice: { name: "left out", mono: false, look: "text-attention" },
};

type EntryProps = { entry: Entry; origin: TranscriptOrigin; zone: string; current: boolean };

/** One piece of a transcript. A failed result is marked by a word, a glyph and an edge, not by colour alone. */
export const EntryView = memo(function EntryView({ entry, origin, zone, current }: EntryProps) {
  const { kind, state, time, at } = entry;
  const { name, mono, look } = KIND[kind];
  const failed = state === "failed";
  return (
    <li
      id={`at-${at}`}
      data-entry={at}
      data-failed={failed || undefined}
      tabIndex={-1}
      className={`grid grid-cols-1 gap-x-4 border-line border-b px-2 py-2 [contain-intrinsic-size:auto_64px] [content-visibility:auto] sm:grid-cols-[6.5rem_minmax(0,1fr)] ${look} ${failed ? "border-l-2 border-l-broken" : "border-l-2 border-l-transparent"} ${current ? "bg-accent-wash" : ""}`}
    >
      <div className="flex gap-2 text-muted text-xs not-italic sm:block">
        {state === null ? (
          <span>{name}</span>
        ) : (
          <span className={STATE[state].tone}>
            <span aria-hidden="true">{STATE[state].glyph} </span>
            {state === "ok" ? name : STATE[state].word}
          </span>
        )}
        {time !== null && (
          <time dateTime={time} title={`${dateTime(time, zone)} (${zone})`} className="sm:block">
            {clockTime(time, zone)}
          </time>
        )}
      </div>
      <div className="min-w-0">
        <LongText entry={entry} origin={origin} mono={mono} />
      </div>
    </li>
  );
});
