import type { TriggerMark } from "./finding.ts";

/** How a run of a trigger is marked wherever it is drawn: a glyph and a word, so that neither has to be known. */
export const TRIGGER_MARKS: Record<TriggerMark["outcome"], { glyph: string; word: string }> = {
  ok: { glyph: "✓", word: "ok" },
  error: { glyph: "✕", word: "error" },
  did_nothing: { glyph: "○", word: "did nothing" },
  skipped: { glyph: "·", word: "skipped" },
};
