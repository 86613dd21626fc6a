const NEWLINE = 0x0a;

/** Cuts a stream of chunks into lines. A line over the cap is passed over, and those behind it still come. */
export class LineCutter {
  #parts: Buffer[] = [];
  #held = 0;
  #passing = false;
  readonly #bytesMax: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The lines that end in this chunk, without their ends; null stands for one that is too long, as soon as it is. */
  add(chunk: Buffer): (string | null)[] {
    const lines: (string | null)[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#hold(chunk.subarray(start, end), lines);
      if (!this.#passing) lines.push(Buffer.concat(this.#parts, this.#held).toString("utf8"));
      this.#forget();
      this.#passing = false;
      start = end + 1;
    }
    this.#hold(chunk.subarray(start), lines);
    return lines;
  }

  #hold(part: Buffer, lines: (string | null)[]): void {
    if (this.#passing || part.length === 0) return;
    this.#held += part.length;
    if (this.#held <= this.#bytesMax) {
      this.#parts.push(part);
      return;
    }
    this.#forget();
    this.#passing = true;
    // Whoever sends it may never end it.
    lines.push(null);
  }

  #forget(): void {
    this.#parts = [];
    this.#held = 0;
  }
}
