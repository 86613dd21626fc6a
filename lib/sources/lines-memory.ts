/** Memory that machine code can reach beside JavaScript; null where the platform has none to give. */
export type LinesMemory = { memory: WebAssembly.Memory; bytes: Uint8Array<ArrayBuffer> };

/** Of 64 KiB each: room for half a megabyte. */
const PAGES = 9;
/** Machine code looks at so many bytes at once, and so reads beyond the last line. */
const SPARE_BYTES = 64;
/**
 * Where in a page the buffer starts. At the very start the kernel copies a sixth slower: what it reads from the page
 * cache then has the same place in its page as what it writes.
 */
const OFFSET = 64;

let known: LinesMemory | null | undefined;

/** The one piece of such memory that a thread has. */
export function linesMemory(): LinesMemory | null {
  known ??= newMemory();
  return known;
}

/**
 * A buffer for lines, of the thread's one piece of memory where that is large enough: files are read one after another,
 * each to its end, so all readers of a thread may have the same one.
 */
export function linesBuffer(bytes: number): Buffer {
  const shared = linesMemory();
  if (shared === null || OFFSET + bytes + SPARE_BYTES > shared.bytes.length)
    return Buffer.allocUnsafeSlow(OFFSET + bytes).subarray(OFFSET);
  return Buffer.from(shared.bytes.buffer, OFFSET, bytes);
}

function newMemory(): LinesMemory | null {
  if (typeof WebAssembly === "undefined") return null;
  try {
    const memory = new WebAssembly.Memory({ initial: PAGES, maximum: PAGES });
    return { memory, bytes: new Uint8Array(memory.buffer) };
  } catch (error) {
    // A process whose address space is limited gets none: everything works without it, only slower.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
