import { expect, test } from "vitest";
import { backoffMs } from "#lib/queue/backoff.ts";
import { leaseMsFrom } from "#lib/queue/lease.ts";
import { patiently } from "#lib/queue/patiently.io.ts";
import { LATEST, msLeft } from "#lib/queue/time-left.ts";

test("a pause doubles with each attempt and has an end", () => {
  expect([1, 2, 3, 4, 9, 10, 1000].map(backoffMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
  ]);
  expect([0, -1].map(backoffMs)).toEqual([1_000, 1_000]);
});

test("a lease is a minute, or what the environment says in milliseconds", () => {
  expect(leaseMsFrom({})).toEqual({ ok: true, value: 60_000 });
  expect(leaseMsFrom({ MECHA_LEASE_MS: " 500 " })).toEqual({ ok: true, value: 500 });
  for (const bad of ["0", "99", "-5", "1e3", "3600001", "a minute"]) {
    const parsed = leaseMsFrom({ MECHA_LEASE_MS: bad });
    expect(parsed.ok, bad).toBe(false);
    expect(JSON.stringify(parsed)).toContain("MECHA_LEASE_MS");
  }
});

test("the time left goes by the latest results, however many run at once", () => {
  const every = (ms: number, n: number) => Array.from({ length: n }, (_, at) => 1_000_000 - at * ms);
  expect(msLeft(10, { startedAt: 0, ends: every(500, LATEST) })).toBe(5_000);
  // Four in four seconds since the start.
  expect(msLeft(6, { startedAt: 996_000, ends: every(1_000, 4) })).toBe(6_000);
  expect(msLeft(0, { startedAt: 0, ends: [] })).toBe(0);
  expect(msLeft(3, { startedAt: 0, ends: [] })).toBeNull();
  expect(msLeft(3, { startedAt: null, ends: [5] })).toBeNull();
});

test("a busy database is asked again, not for ever; any other trouble is told at once", async () => {
  const after = (busy: number, code: string) => {
    let tries = 0;
    const ran = patiently(() => {
      tries += 1;
      if (tries <= busy) throw Object.assign(new Error(code), { code });
      return tries;
    });
    return ran.catch((error: Error) => `${error.message} after ${tries}`);
  };
  expect(await after(2, "SQLITE_BUSY")).toBe(3);
  expect(await after(9, "SQLITE_BUSY")).toBe("SQLITE_BUSY after 6");
  expect(await after(1, "SQLITE_FULL")).toBe("SQLITE_FULL after 1");
});
