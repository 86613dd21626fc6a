const OPEN = "<think>";
const CLOSE = "</think>";
/** White space that may stand before the first tag. */
const BLANK_MAX = 200;

/**
 * Takes apart an answer whose server leaves the thoughts of a model in its text, between tags at its very start. What is
 * thought is no answer: it is neither told nor graded, and a judgment drafted in it is none.
 */
export class InlineThinking {
  #at: "start" | "thinking" | "behind" | "text" = "start";
  /** What cannot be told yet: a tag may come in pieces. */
  #held = "";
  #thoughts: string[] = [];

  /** What this piece adds to the answer. */
  add(piece: string): string {
    if (this.#at === "text") return piece;
    this.#held += piece;
    if (this.#at === "start") this.#begin();
    if (this.#at === "thinking") this.#think();
    if (this.#at === "behind") {
      // The lines between the thoughts and the answer are neither's.
      this.#held = this.#held.trimStart();
      if (this.#held !== "") this.#at = "text";
    }
    return this.#at === "text" ? this.#release() : "";
  }

  /** What the end of the answer adds to it. Thoughts that nothing ends are thoughts only where they were cut off. */
  end(wasCut: boolean): string {
    if (this.#at === "thinking") {
      const text = this.#thoughts.join("") + this.#held;
      this.#thoughts = wasCut ? [text] : [];
      this.#held = wasCut ? "" : OPEN + text;
    }
    this.#at = "text";
    return this.#release();
  }

  get thinking(): string {
    return (this.#thoughts.join("") + (this.#at === "thinking" ? this.#held : "")).trim();
  }

  #begin(): void {
    const text = this.#held.trimStart();
    if (text.startsWith(OPEN)) {
      this.#held = text.slice(OPEN.length);
      this.#at = "thinking";
    } else if (!OPEN.startsWith(text) || this.#held.length > BLANK_MAX) this.#at = "text";
  }

  #think(): void {
    const close = this.#held.indexOf(CLOSE);
    const end = close < 0 ? Math.max(0, this.#held.length - CLOSE.length) : close;
    this.#thoughts.push(this.#held.slice(0, end));
    this.#held = this.#held.slice(close < 0 ? end : end + CLOSE.length);
    if (close >= 0) this.#at = "behind";
  }

  #release(): string {
    const text = this.#held;
    this.#held = "";
    return text;
  }
}
