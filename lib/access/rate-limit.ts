/** At most `burst` at once, and as many again in each `perMs`, spread evenly. */
export type Limit = { burst: number; perMs: number };

/** What is left of a limit, and at which time (ms) it was. */
export type Bucket = { left: number; at: number };

export type Taken = {
  bucket: Bucket;
  /** 0 where it may pass; else how long (ms) until it may. */
  waitMs: number;
};

const MINUTE_MS = 60_000;

/** How often a minute; each line is counted apart. */
export const LIMITS = {
  /** Attempts to sign in, and wrong bearer tokens: of one address, and of all together. */
  signIn: { burst: 10, perMs: MINUTE_MS },
  signInAll: { burst: 60, perMs: MINUTE_MS },
  /** Requests that change something, and answers for programs: of one token. */
  change: { burst: 120, perMs: MINUTE_MS },
  read: { burst: 600, perMs: MINUTE_MS },
  /** What is shown without a token, that is the sign-in page and shared verdicts: to one address. */
  stranger: { burst: 300, perMs: MINUTE_MS },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** Takes one out of a bucket; `before` is null for one that was never used. A clock set back fills nothing. */
export function take(before: Bucket | null, { burst, perMs }: Limit, now: number): Taken {
  const had = before ?? { left: burst, at: now };
  const left = Math.min(burst, had.left + (Math.max(0, now - had.at) * burst) / perMs);
  if (left >= 1) return { bucket: { left: left - 1, at: now }, waitMs: 0 };
  return { bucket: { left, at: now }, waitMs: Math.ceil(((1 - left) * perMs) / burst) };
}

/** Whether a bucket would be full again by `now`: it need not be remembered any longer. */
export function isFull({ left, at }: Bucket, { burst, perMs }: Limit, now: number): boolean {
  return left + (Math.max(0, now - at) * burst) / perMs >= burst;
}
