/** Text in pieces whose ends may fall between the two halves of a character. */
export type WholeCharacters = {
  /** What of the text so far, with this piece, is whole. */
  take(piece: string): string;
  /** What was held back at the end. */
  rest(): string;
};

const HIGH_SURROGATE = /[\ud800-\udbff]$/;

/** Holds half a character back until its other half comes. */
export function wholeCharacters(): WholeCharacters {
  let held = "";
  return {
    take(piece) {
      const text = held + piece;
      held = HIGH_SURROGATE.test(text) ? text.slice(-1) : "";
      return text.slice(0, text.length - held.length);
    },
    rest() {
      const last = held;
      held = "";
      return last;
    },
  };
}
