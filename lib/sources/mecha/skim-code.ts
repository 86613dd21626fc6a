// The machine code of `skim`, put together instruction by instruction: the numbers are the opcodes of the WebAssembly
// specification (with its SIMD instructions), and what stands in `body` and below follows its text form.

/** The words at the start of an unread record, up to its kind and behind it. */
const TAG = '{"record":"';
const KINDS_8 = ['message"', 'rewrite"', 'summary"'];
const KIND_6 = 'taint"';

/** A module that takes memory from outside and gives one function, `skim(start, filled, lineBytesMax)`. */
export function skimCode(): Uint8Array<ArrayBuffer> {
  const I32 = 0x7f;
  const code = [...LOCALS, ...body(), END];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [0x60, 3, I32, I32, I32, 1, I32]),
    ...section(2, [1, M, 1, M, 0x02, 0x00, 1]),
    ...section(3, [0]),
    ...section(7, [4, ...text("skim"), 0x00, 0]),
    ...section(10, [...unsigned(code.length), ...code]),
  ]);
}

const M = 0x6d;
const END = 0x0b;

/** A section of one entry. */
function section(id: number, entry: number[]): number[] {
  return [id, ...unsigned(entry.length + 1), 1, ...entry];
}

// Locals: where a line starts, where the newline behind all lines stands, the longest line to pass over (parameters);
// where the next 64 bytes stand, where one of interest stands, a byte; the kind of a record, a bit for each of the 64
// bytes that is of interest; sixteen times each number that is needed for all; what was found in each quarter of the 64.
const [LINE, FILLED, MAX, PLACE, HIT, BYTE, KIND, HITS] = [0, 1, 2, 3, 4, 5, 6, 7];
const [NEWLINES, QUOTES, SHIFTS, LIMITS, HERE] = [8, 9, 10, 11, 12];
const QUARTERS = [13, 14, 15, 16];
const LOCALS = [3, 3, 0x7f, 2, 0x7e, 9, 0x7b];

const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const int = (value: number) => [0x41, ...signed(BigInt(value))];
const long = (word: string) => [0x42, ...signed(BigInt.asIntN(64, bits(word)))];
/** Sixteen times the same byte. */
const setEach = (local: number, byte: number) => [...int(byte), 0xfd, 0x0f, ...set(local)];
const load8 = [0x2d, 0, 0];
const load32 = (offset: number) => [0x28, 0, offset];
const load64 = (offset: number) => [0x29, 0, offset];
const load128 = (offset: number) => [0xfd, 0x00, 0, offset];
const [equal, unequal, less, more, notLess] = [[0x46], [0x47], [0x49], [0x4b], [0x4f]];
const [add, subtract, or] = [[0x6a], [0x6b], [0x72]];
const [equalLong, unequalLong, lowestBit, toInt, toLong] = [[0x51], [0x52], [0x7a], [0xa7], [0xad]];
const [addLong, andLong, orLong, shiftLong, isZeroLong] = [[0x7c], [0x83], [0x84], [0x86], [0x50]];
const [equalEach, lessEach, addEach, bitOfEach] = [
  [0xfd, 0x23],
  [0xfd, 0x25],
  [0xfd, 0x6e],
  [0xfd, 0x64],
];
const [andAll, orAll, anyOf] = [
  [0xfd, 0x4e],
  [0xfd, 0x50],
  [0xfd, 0x53],
];
const block = (...body: number[][]) => [0x02, 0x40, ...body.flat(), END];
const loop = (...body: number[][]) => [0x03, 0x40, ...body.flat(), END];
const when = (...body: number[][]) => [0x04, 0x40, ...body.flat(), END];
/** Leaves a block, or goes to the start of a loop; the innermost one is 0. */
const go = (depth: number) => [0x0c, depth];
const goIf = (depth: number) => [0x0d, depth];

const [NEWLINE, SPACE, QUOTE, OPEN, CLOSE] = [0x0a, 0x20, 0x22, 0x7b, 0x7d];
/** From here to the opening brace it is as far as from there round to the numbers below zero. */
const SHIFT = 0x80 - OPEN;
const MINUS_ONE = [0x42, 0x7f];
const isByte = (byte: number) => [...get(BYTE), ...int(byte), ...equal].flat();

function body(): number[] {
  return [
    ...setEach(NEWLINES, NEWLINE),
    ...setEach(QUOTES, QUOTE),
    ...setEach(SHIFTS, SHIFT),
    ...setEach(LIMITS, SPACE + SHIFT + 1),
    ...block(passLines()),
    ...get(LINE),
  ];
}

function passLines(): number[] {
  return loop(
    // A line of another kind ends it.
    get(LINE),
    load64(0),
    long(TAG.slice(0, 8)),
    unequalLong,
    goIf(1),
    get(LINE),
    load32(7),
    int(Number(bits(TAG.slice(7)))),
    unequal,
    goIf(1),
    get(LINE),
    load64(TAG.length),
    set(KIND),
    block(
      ...KINDS_8.map((word) => [...get(KIND), ...long(word), ...equalLong, ...goIf(0)]),
      [...get(KIND), ...long("\xff".repeat(6)), ...andLong, ...long(KIND_6), ...equalLong, ...goIf(0)],
      go(2),
    ),
    get(LINE),
    int(16),
    add,
    set(PLACE),
    loop(
      ...QUARTERS.map((quarter, index) => [...lookAt(16 * index), ...set(quarter)]),
      QUARTERS.flatMap((quarter, index) => [...get(quarter), ...(index > 0 ? orAll : [])]),
      anyOf,
      when(
        QUARTERS.flatMap((quarter, index) => [...bitsOf(quarter, index), ...(index > 0 ? orLong : [])]),
        set(HITS),
        judgeHits(),
      ),
      get(PLACE),
      int(64),
      add,
      set(PLACE),
      go(0),
    ),
  );
}

/**
 * Marks newlines, and what stands before a quote where that may be an opening brace or white space: shifted so, all from
 * the brace on, beyond ASCII and round to the space is less than a limit, in one comparison.
 */
function lookAt(offset: number): number[] {
  return [
    [
      ...get(PLACE),
      ...load128(offset),
      ...tee(HERE),
      ...get(SHIFTS),
      ...addEach,
      ...get(LIMITS),
      ...lessEach,
    ],
    [...get(PLACE), ...load128(offset + 1), ...get(QUOTES), ...equalEach, ...andAll],
    [...get(HERE), ...get(NEWLINES), ...equalEach, ...orAll],
  ].flat();
}

function bitsOf(quarter: number, index: number): number[] {
  const shift = index > 0 ? [0x42, ...signed(BigInt(16 * index)), ...shiftLong] : [];
  return [...get(quarter), ...bitOfEach, ...toLong, ...shift];
}

/** Goes on with the next line at a newline, and leaves everything where a further object may start. */
function judgeHits(): number[] {
  return loop(
    [...get(PLACE), ...get(HITS), ...lowestBit, ...toInt, ...add, ...tee(HIT)],
    load8,
    int(NEWLINE),
    equal,
    when(
      [...get(HIT), ...get(FILLED), ...notLess, ...goIf(5)],
      [...get(HIT), ...get(LINE), ...subtract, ...get(MAX), ...more, ...goIf(5)],
      [...get(HIT), ...int(1), ...add, ...set(LINE), ...go(4)],
    ),
    [...get(HIT), ...int(1), ...add, ...set(HIT)],
    byteBefore(),
    isByte(OPEN),
    when(byteBefore(), isByte(CLOSE), goIf(5)),
    [...get(HITS), ...get(HITS), ...MINUS_ONE, ...addLong, ...andLong, ...tee(HITS)],
    isZeroLong,
    [0x45],
    goIf(0),
  );
}

/** Goes back to the last byte before this one that is no white space: one always stands at the start of the line. */
function byteBefore(): number[] {
  return loop(
    [...get(HIT), ...int(1), ...subtract, ...tee(HIT), ...load8, ...set(BYTE)],
    isByte(SPACE),
    [...get(BYTE), ...int(0x09), ...subtract, ...int(5), ...less],
    or,
    goIf(0),
  );
}

function text(word: string): number[] {
  return [...word].map((char) => char.charCodeAt(0));
}

/** The bytes of a word as a number, the first one lowest. */
function bits(word: string): bigint {
  return text(word).reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);
}

/** A number as the format writes them, seven bits in a byte. */
function signed(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const isLast = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}
