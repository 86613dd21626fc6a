import { linesMemory } from "#lib/sources/lines-memory.ts";
import { skimCode } from "./skim-code.ts";

/** Where lines of unread records stop, in bytes of the memory: see `Adapter.skim`. */
type Skim = (start: number, filled: number, lineBytesMax: number) => number;

type Loaded = { skim: Skim; memory: ArrayBuffer };
let known: Loaded | null | undefined;

/**
 * Passes over unread records written as mecha writes them, with nothing glued behind: nearly all there is in a store, so
 * this is machine code that looks at sixteen bytes at once. Where there is none, or the buffer is not of its memory,
 * nothing is passed over, and each line is judged by `isUnread`, with the same result.
 */
export function skim(buf: Uint8Array, start: number, filled: number, lineBytesMax: number): number {
  known ??= load();
  if (known === null || buf.buffer !== known.memory) return start;
  const { byteOffset } = buf;
  return known.skim(byteOffset + start, byteOffset + filled, Math.min(lineBytesMax, MOST)) - byteOffset;
}

/** A buffer is never that long. */
const MOST = 0x7fffffff;

function load(): Loaded | null {
  const shared = linesMemory();
  const bytes = skimCode();
  // Processors without instructions for it refuse the code.
  if (shared === null || !WebAssembly.validate(bytes)) return null;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { m: { m: shared.memory } });
  return { skim: exports.skim as Skim, memory: shared.memory.buffer };
}
