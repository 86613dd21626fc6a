import { describe, expect, it } from "vitest";
import { countAgainst, countAttempt } from "#lib/access/limits.io.ts";
import { type Bucket, isFull, LIMITS, take } from "#lib/access/rate-limit.ts";

const limit = { burst: 3, perMs: 60_000 };

/** Takes at each of these times; which of them passed. */
function passed(times: readonly number[]): boolean[] {
  let bucket: Bucket | null = null;
  return times.map((now) => {
    const taken = take(bucket, limit, now);
    bucket = taken.bucket;
    return taken.waitMs === 0;
  });
}

describe("a bucket", () => {
  it("gives its burst, then one for each part of the time", () => {
    expect(passed([0, 0, 0, 0, 19_999, 20_000, 20_000, 40_000])).toEqual([
      true,
      true,
      true,
      false,
      false,
      true,
      false,
      true,
    ]);
  });
  it("never holds more than its burst", () => {
    expect(passed([0, 9e9, 9e9, 9e9, 9e9])).toEqual([true, true, true, true, false]);
  });
  it("says how long to wait, and then lets pass", () => {
    const empty = { left: 0, at: 1000 };
    const { waitMs, bucket } = take(empty, limit, 1000);
    expect(waitMs).toBe(20_000);
    expect(take(bucket, limit, 1000 + waitMs).waitMs).toBe(0);
    expect(take(bucket, limit, 1000 + waitMs - 1).waitMs).toBeGreaterThan(0);
  });
  it("is not filled by a clock that was set back, and goes on from there", () => {
    expect(passed([1e6, 1e6, 1e6, 0, 20_000])).toEqual([true, true, true, false, true]);
  });
  it("is forgotten only when it is full", () => {
    expect(isFull({ left: 2, at: 0 }, limit, 19_999)).toBe(false);
    expect(isFull({ left: 2, at: 0 }, limit, 20_000)).toBe(true);
  });
});

describe("the counts of a process", () => {
  it("are apart for each limit and each name", () => {
    const now = 1e12;
    for (let n = 0; n < LIMITS.change.burst; n++) expect(countAgainst("change", "one", now)).toBe(0);
    expect(countAgainst("change", "one", now)).toBeGreaterThan(0);
    expect(countAgainst("change", "other", now)).toBe(0);
    expect(countAgainst("read", "one", now)).toBe(0);
  });

  it("let one address try ten times a minute, and all together sixty times", () => {
    const now = 2e12;
    for (let n = 0; n < 10; n++) expect(countAttempt("10.0.0.1", now)).toBe(0);
    // What it tries beyond its own limit takes nothing from the others.
    for (let n = 0; n < 100; n++) expect(countAttempt("10.0.0.1", now)).toBeGreaterThan(0);
    for (let n = 0; n < 50; n++) expect(countAttempt(`10.1.0.${n}`, now)).toBe(0);
    expect(countAttempt("10.2.0.1", now)).toBeGreaterThan(0);
    expect(countAttempt("10.2.0.1", now + 60_000)).toBe(0);
  });

  it("do not forget who is held back when strangers come in masses", () => {
    const now = 3e12;
    for (let n = 0; n < 11; n++) countAgainst("signIn", "attacker", now);
    for (let n = 0; n < 25_000; n++) {
      countAgainst("stranger", `a${n}`, now);
      if (n % 100 === 0) expect(countAgainst("signIn", "attacker", now)).toBeGreaterThan(0);
    }
  });
});
