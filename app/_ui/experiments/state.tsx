import type { ExperimentState } from "#lib/queue/experiment.ts";

export const STATES: Record<ExperimentState, { glyph: string; word: string; tone: string }> = {
  queued: { glyph: "·", word: "queued", tone: "text-muted" },
  running: { glyph: "▸", word: "running", tone: "text-accent" },
  done: { glyph: "✓", word: "done", tone: "text-ink" },
  failed: { glyph: "!", word: "failed", tone: "text-attention" },
  cancelled: { glyph: "✕", word: "cancelled", tone: "text-muted" },
};

export function State({ state }: { state: ExperimentState }) {
  const { glyph, word, tone } = STATES[state];
  return (
    <span className={`whitespace-nowrap font-semibold ${tone}`}>
      <span aria-hidden="true">{glyph} </span>
      {word}
    </span>
  );
}
