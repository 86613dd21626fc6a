import { characterStart } from "#lib/utf8.ts";

/** A part of a file, in whole lines where that is possible. */
export type Window = {
  bytes: Uint8Array;
  /** Lines in `bytes`; a last one without its line end counts. */
  lines: number;
  /** `limit`: as many lines as asked for. `bytes`: as much as fits. `line`: one line alone is more than fits. */
  cut: "none" | "limit" | "bytes" | "line";
  /** Lines before the window, at most as many as were to be skipped. */
  skipped: number;
};

const LF = 0x0a;

/** Takes lines from a stream of bytes: skips `skip` of them, then keeps at most `linesMax` and `bytesMax`. */
export class LineWindow {
  readonly #limits: { skip: number; linesMax: number; bytesMax: number };
  readonly #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #lines = 0;
  #skipped = 0;
  #more = false;

  constructor(limits: { skip: number; linesMax: number; bytesMax: number }) {
    this.#limits = limits;
  }

  /** False: it has what it needs. The bytes are not copied. */
  push(chunk: Uint8Array): boolean {
    let from = 0;
    while (this.#skipped < this.#limits.skip) {
      const end = chunk.indexOf(LF, from);
      if (end === -1) return true;
      this.#skipped += 1;
      from = end + 1;
    }
    const start = from;
    while (this.#lines < this.#limits.linesMax) {
      const end = chunk.indexOf(LF, from);
      from = end === -1 ? chunk.length : end + 1;
      if (end === -1) break;
      this.#lines += 1;
    }
    this.#keep(chunk.subarray(start, from));
    this.#more ||= from < chunk.length;
    return !this.#more && this.#keptBytes <= this.#limits.bytesMax;
  }

  end(): Window {
    const all = Buffer.concat(this.#kept);
    const skipped = this.#skipped;
    if (all.length <= this.#limits.bytesMax)
      return { bytes: all, lines: linesOf(all), cut: this.#more ? "limit" : "none", skipped };
    const whole = all.lastIndexOf(LF, this.#limits.bytesMax - 1) + 1;
    if (whole > 0) {
      const bytes = all.subarray(0, whole);
      return { bytes, lines: linesOf(bytes), cut: "bytes", skipped };
    }
    return {
      bytes: all.subarray(0, characterStart(all, this.#limits.bytesMax)),
      lines: 1,
      cut: "line",
      skipped,
    };
  }

  #keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#kept.push(part);
    this.#keptBytes += part.length;
  }
}

function linesOf(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) lines += 1;
  return bytes.length > 0 && bytes.at(-1) !== LF ? lines + 1 : lines;
}
