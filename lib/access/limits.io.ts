import { type Bucket, isFull, LIMITS, type LimitName, take } from "./rate-limit.ts";

/** Addresses are for strangers to choose: what is remembered of them has an end. */
const BUCKETS_MAX = 10_000;

const KEY = Symbol.for("mecha.limits");
type Holder = { [KEY]?: Map<string, Bucket> };

/**
 * Counts one against a limit of this process. `whose`: a token's name or an address. Gives 0 where it may pass, else how
 * long (ms) until it may. A server's pages and its door may each have their own copy of this module; the counts hang
 * where both find them.
 */
export function countAgainst(name: LimitName, whose: string, now: number): number {
  const holder = globalThis as Holder;
  holder[KEY] ??= new Map();
  const buckets = holder[KEY];
  const key = `${name} ${whose}`;
  const { bucket, waitMs } = take(buckets.get(key) ?? null, LIMITS[name], now);
  // Put last: the one that is forgotten first is the one that was not asked for the longest.
  buckets.delete(key);
  buckets.set(key, bucket);
  if (buckets.size > BUCKETS_MAX) forget(buckets, now);
  return waitMs;
}

/**
 * Counts an attempt to sign in from `address`. Gives 0 where it may be made, else how long (ms) until the next. What one
 * address does beyond its own limit does not use up that of all the others.
 */
export function countAttempt(address: string, now: number): number {
  return countAgainst("signIn", address, now) || countAgainst("signInAll", "all", now);
}

/** First those that say nothing any more; where that is not enough, the ones that were not asked for the longest. */
function forget(buckets: Map<string, Bucket>, now: number): void {
  for (const [key, bucket] of buckets)
    if (isFull(bucket, LIMITS[key.slice(0, key.indexOf(" ")) as LimitName], now)) buckets.delete(key);
  for (const key of buckets.keys()) {
    if (buckets.size <= BUCKETS_MAX / 2) return;
    buckets.delete(key);
  }
}
