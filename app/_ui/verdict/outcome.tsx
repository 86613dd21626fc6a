import type { Disposition } from "#lib/gate/rules.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";

const TONE: Record<Disposition | "unknown", string> = {
  accept: "text-fine",
  propose: "text-attention",
  reject: "text-broken",
  unknown: "text-muted",
};

/** A verdict's glyph and word; colour comes last. */
export function Outcome({ outcome }: { outcome: Disposition | null }) {
  const { glyph, word } = OUTCOMES[outcome ?? "unknown"];
  return (
    <span className={`whitespace-nowrap font-semibold ${TONE[outcome ?? "unknown"]}`}>
      <span aria-hidden="true">{glyph}</span> {word}
    </span>
  );
}
