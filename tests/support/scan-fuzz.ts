import { expect } from "vitest";
import { mecha } from "#lib/sources/mecha/adapter.ts";
import {
  type Resume,
  readOn,
  readSession,
  readSieved,
  type SessionRead,
  sieveSession,
} from "#lib/sources/scan-session.ts";
import { type Buffers, type FileView, newBuffers, type Reading } from "#lib/sources/scan-view.ts";
import { Prng } from "./prng.ts";
import { fuzzFile } from "./session-fuzz.ts";
import { readSlowly, type SlowRead } from "./slow-reader.ts";

export type Seen = {
  sessions: number;
  runs: number;
  oversize: number;
  torn: number;
  unknown: number;
  notUtf8: number;
};

/** Reads `cases` files made from consecutive seeds by the scanner and by the slow reader, and compares. */
export function fuzzReads(firstSeed: number, cases: number): Seen {
  const seen: Seen = { sessions: 0, runs: 0, oversize: 0, torn: 0, unknown: 0, notUtf8: 0 };
  for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
    const random = new Prng(seed);
    const file = fuzzFile(random);
    const max = lineMax(random);
    const slow = readSlowly(file, max);
    const reading = (): Reading => ({
      file: viewOf(file, random),
      adapter: mecha,
      buffers: oddBuffers(random),
      bounds: boundsOf(max),
    });
    compare(readSession(reading(), false), slow, `seed ${seed}`);
    compare(readApart(reading), slow, `seed ${seed}, picked out first`);
    seen.sessions += slow.found === "session" ? 1 : 0;
    seen.runs += slow.runs.length;
    seen.oversize += slow.lines_oversize;
    seen.torn += slow.lines_torn;
    seen.unknown += slow.lines_unknown;
    seen.notUtf8 += slow.lines_not_utf8;
  }
  return seen;
}

/** Reads files that grow to their full length in steps, going on where possible, and compares after each step. */
export function fuzzAppends(firstSeed: number, cases: number): { resumed: number } {
  let resumed = 0;
  for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
    const random = new Prng(seed);
    const file = fuzzFile(random);
    const max = lineMax(random);
    let last: Resume | null = null;
    for (let size = 0; size < file.length; ) {
      size = Math.min(file.length, size + random.below(random.pick([40, 400, 4000])));
      const view = viewOf(file.subarray(0, size), random);
      const reading = { file: view, adapter: mecha, buffers: oddBuffers(random), bounds: boundsOf(max) };
      const further: SessionRead | null = last === null ? null : readOn(reading, last);
      if (further !== null) resumed++;
      const read: SessionRead = further ?? readSession(reading, true);
      last = read.found === "session" ? read.resume : null;
      compare(read, readSlowly(file.subarray(0, size), max), `seed ${seed} at ${size}`);
    }
  }
  return { resumed };
}

/** As two threads do it: one picks out, the other works out; what cannot be picked out is read as a whole. */
function readApart(reading: () => Reading): SessionRead {
  const read = sieveSession(reading());
  if (read.found !== "sieved") return read;
  if (read.sieved === null) return readSession(reading(), false);
  return readSieved(reading(), "fuzz.jsonl", read.sieved);
}

function compare(fast: SessionRead, slow: SlowRead, what: string): void {
  if (fast.found === "sieved") throw new Error(`${what}: not worked out`);
  const session = fast.found === "session" ? fast : null;
  expect(
    {
      found: fast.found,
      id: session?.head.id ?? null,
      created_at: session?.head.created_at ?? null,
      runs: session?.fold?.runs ?? [],
      ...fast.counts,
    },
    what,
  ).toEqual(slow);
}

/** Half the files have a cap that some lines are over. */
function lineMax(random: Prng): number {
  return random.chance(0.5) ? 1_000_000 : 40 + random.below(900);
}

function boundsOf(line_bytes_max: number) {
  return { since_ms: null, as_of_ms: null, line_bytes_max };
}

/** From next to no room to more than any file needs, mostly where machine code can reach it. */
function oddBuffers(random: Prng): Buffers {
  const size = (least: number) => least + random.below(random.chance(0.3) ? 20 : 3000);
  const buffers = newBuffers(size(4), size(4));
  return random.chance(0.7) ? buffers : { ...buffers, lines: Buffer.alloc(buffers.lines.length) };
}

/** A file in memory whose reads come short now and then. */
function viewOf(file: Buffer, random: Prng): FileView {
  return {
    relative: "fuzz.jsonl",
    size: file.length,
    read(into, at, length, position) {
      const most = random.chance(0.1) ? 1 + random.below(length) : length;
      return file.copy(into, at, position, Math.min(position + most, file.length));
    },
  };
}
