const KEPT = 4096;
const SAID_MAX = 400;

/** The end of what a program wrote on its standard error; the rest is forgotten as it comes. */
export class StderrTail {
  #tail = Buffer.alloc(0);

  add(chunk: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-KEPT);
  }

  /** Its last lines, as one line; empty when it said nothing. */
  said(): string {
    const lines = this.#tail.toString("utf8").split(/\r?\n/);
    const words = lines
      .map((line) => line.trim())
      .filter((line) => line !== "")
      .join(" / ");
    return words.length > SAID_MAX ? `…${words.slice(-SAID_MAX).replace(/\p{Cs}/gu, "")}` : words;
  }
}
