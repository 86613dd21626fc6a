import { type Outcome, STOP_CAUSES, type StopCause, type Usage } from "#lib/transcript/record.ts";

/**
 * Reads an outcome straight from its bytes when it is written exactly as mecha writes it: keys in order, no white space,
 * counts below 10^9. Null for anything else, which the general reader then takes. Ten thousand of them stand in a store
 * of ordinary size, and decoding them to text and objects first takes longer than reading a gigabyte does.
 */
export function outcomeFromBytes(buf: Uint8Array, start: number, end: number): Outcome | null {
  const cursor = new Cursor(buf, start, end);
  // In written order: each step moves the cursor on.
  const outcome: Outcome = {
    turns: cursor.count(TURNS),
    usage: usageAt(cursor),
    cost_usd: cursor.price(COST),
    usage_complete: cursor.truth(COMPLETE),
    stop_cause: cursor.cause(CAUSE),
    exhausted: cursor.truth(EXHAUSTED),
    ended_on_failed_call: cursor.truth(ENDED),
    tool_calls: cursor.count(CALLS),
    tool_errors: cursor.count(ERRORS),
    tool_denied: cursor.count(DENIED),
    tool_staged: cursor.count(STAGED),
    malformed_tool_args: cursor.count(MALFORMED),
    blocked_sends: cursor.count(BLOCKED),
    compactions: cursor.count(COMPACTIONS),
    taint: { private: cursor.truth(PRIVATE), untrusted: cursor.truth(UNTRUSTED) },
  };
  cursor.text(CLOSED);
  return cursor.ok && cursor.at === end ? outcome : null;
}

function usageAt(cursor: Cursor): Usage {
  const usage = {
    input_tokens: cursor.count(INPUT),
    output_tokens: cursor.count(OUTPUT),
    cache_creation_input_tokens: cursor.count(CACHE_CREATION),
    cache_read_input_tokens: cursor.count(CACHE_READ),
  };
  cursor.text(CLOSE);
  return usage;
}

const TURNS = bytes('{"record":"outcome","turns":');
const INPUT = bytes(',"usage":{"input_tokens":');
const OUTPUT = bytes(',"output_tokens":');
const CACHE_CREATION = bytes(',"cache_creation_input_tokens":');
const CACHE_READ = bytes(',"cache_read_input_tokens":');
const CLOSE = bytes("}");
const COST = bytes(',"cost_usd":');
const COMPLETE = bytes(',"usage_complete":');
const CAUSE = bytes(',"stop_cause":"');
const EXHAUSTED = bytes(',"exhausted":');
const ENDED = bytes(',"ended_on_failed_call":');
const CALLS = bytes(',"tool_calls":');
const ERRORS = bytes(',"tool_errors":');
const DENIED = bytes(',"tool_denied":');
const STAGED = bytes(',"tool_staged":');
const MALFORMED = bytes(',"malformed_tool_args":');
const BLOCKED = bytes(',"blocked_sends":');
const COMPACTIONS = bytes(',"compactions":');
const PRIVATE = bytes(',"taint":{"private":');
const UNTRUSTED = bytes(',"untrusted":');
const CLOSED = bytes("}}");
const TRUE = bytes("true");
const FALSE = bytes("false");
const CAUSES: [StopCause, Uint8Array][] = STOP_CAUSES.map((cause) => [cause, bytes(`${cause}"`)]);

/** Digits that surely fit every count, and a double exactly. */
const DIGITS_MAX = 9;

/** Steps over what is expected; once something else stands there, `ok` is false and stays so. */
class Cursor {
  ok = true;
  at: number;
  readonly #buf: Uint8Array;
  readonly #end: number;

  constructor(buf: Uint8Array, at: number, end: number) {
    this.#buf = buf;
    this.at = at;
    this.#end = end;
  }

  text(word: Uint8Array): void {
    if (!this.#passes(word)) this.ok = false;
  }

  count(before: Uint8Array): number {
    this.text(before);
    const first = this.at;
    let value = 0;
    for (let digit = this.#digit(); digit >= 0; digit = this.#digit()) {
      value = value * 10 + digit;
      this.at++;
    }
    const length = this.at - first;
    // JSON has no leading zeros.
    if (length === 0 || length > DIGITS_MAX || (length > 1 && this.#buf[first] === 0x30)) this.ok = false;
    return value;
  }

  truth(before: Uint8Array): boolean {
    this.text(before);
    if (this.#passes(TRUE)) return true;
    this.text(FALSE);
    return false;
  }

  /** A key that may be left out. */
  cause(before: Uint8Array): StopCause | null {
    if (!this.#passes(before)) return null;
    for (const [cause, word] of CAUSES) if (this.#passes(word)) return cause;
    this.ok = false;
    return null;
  }

  /** A key that may be left out: digits, a point, digits. */
  price(before: Uint8Array): number | null {
    if (!this.#passes(before)) return null;
    const first = this.at;
    while (this.at < this.#end && this.#buf[this.at] !== 0x2c) this.at++;
    const text = String.fromCharCode(...this.#buf.subarray(first, Math.min(this.at, first + 40)));
    if (this.at - first > 40 || !/^(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) this.ok = false;
    return Number(text);
  }

  #passes(word: Uint8Array): boolean {
    const { length } = word;
    if (this.#end - this.at < length) return false;
    for (let i = 0; i < length; i++) if (this.#buf[this.at + i] !== word[i]) return false;
    this.at += length;
    return true;
  }

  #digit(): number {
    const byte = this.at < this.#end ? (this.#buf[this.at] ?? 0) : 0;
    return byte >= 0x30 && byte <= 0x39 ? byte - 0x30 : -1;
  }
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
