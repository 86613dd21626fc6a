/** What is kept of one stream of a program: all of it, or its first and its last half of `bytesMax`. */
export type BoundedOutput = {
  push(chunk: Uint8Array): void;
  /** Bytes that came, kept or not. */
  bytesSeen(): number;
  bytesDropped(): number;
  /** Cut between characters, never inside one; where bytes are missing a line of its own says how many. */
  text(): string;
};

/**
 * The end is kept beside the beginning because that is where a failing program says why. Memory is `bytesMax`,
 * whatever comes.
 */
export function boundedOutput(bytesMax: number): BoundedOutput {
  const headMax = Math.ceil(bytesMax / 2);
  const head: Uint8Array[] = [];
  const tail = ring(bytesMax - headMax);
  let seen = 0;
  let headBytes = 0;
  const cut = () => {
    const start = Buffer.concat(head);
    if (seen <= bytesMax) return { start: Buffer.concat([start, tail.content()]), end: Buffer.alloc(0) };
    return { start: withoutTornEnd(start), end: withoutTornStart(tail.content()) };
  };
  const bytesDropped = () => {
    const { start, end } = cut();
    return seen - start.length - end.length;
  };
  return {
    push(chunk) {
      seen += chunk.length;
      const first = chunk.subarray(0, headMax - headBytes);
      if (first.length > 0) head.push(Uint8Array.from(first));
      headBytes += first.length;
      tail.push(chunk.subarray(first.length));
    },
    bytesSeen: () => seen,
    bytesDropped,
    text() {
      const { start, end } = cut();
      const dropped = seen - start.length - end.length;
      if (dropped === 0) return start.toString("utf8");
      return `${start.toString("utf8")}\n[… ${dropped} bytes left out: a stream is kept up to ${bytesMax} bytes …]\n${end.toString("utf8")}`;
    },
  };
}

/** The last `size` bytes of what was pushed. */
function ring(size: number): { push(chunk: Uint8Array): void; content(): Buffer } {
  let buffer: Buffer | null = null;
  let next = 0;
  let filled = 0;
  return {
    push(chunk) {
      if (chunk.length === 0 || size === 0) return;
      buffer ??= Buffer.alloc(size);
      const last = chunk.subarray(Math.max(0, chunk.length - size));
      const untilEdge = Math.min(last.length, size - next);
      buffer.set(last.subarray(0, untilEdge), next);
      buffer.set(last.subarray(untilEdge), 0);
      next = (next + last.length) % size;
      filled = Math.min(size, filled + last.length);
    },
    content() {
      if (buffer === null) return Buffer.alloc(0);
      if (filled < size) return Buffer.from(buffer.subarray(0, filled));
      return Buffer.concat([buffer.subarray(next), buffer.subarray(0, next)]);
    },
  };
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

function withoutTornEnd(content: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, content.length); back += 1) {
    const byte = content[content.length - back] ?? 0;
    if (isContinuation(byte)) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? content.subarray(0, content.length - back) : content;
  }
  return content;
}

function withoutTornStart(content: Buffer): Buffer {
  let skip = 0;
  while (skip < 3 && isContinuation(content[skip])) skip += 1;
  return content.subarray(skip);
}
