import { describe, expect, it } from "vitest";
import { chanceOf, FLOOR_CHANCE } from "#lib/gate/chance.ts";

describe("the sign test beside a slice", () => {
  it.each([
    // P(X ≥ 6 of 8) = (28 + 8 + 1) / 256
    [{ wins: 6, losses: 2, ties: 19 }, 37 / 256, 74 / 256],
    [{ wins: 3, losses: 0, ties: 10 }, 1 / 8, 1 / 4],
    [{ wins: 2, losses: 6, ties: 0 }, 247 / 256, 74 / 256],
    [{ wins: 4, losses: 4, ties: 0 }, 163 / 256, 1],
    [{ wins: 0, losses: 5, ties: 0 }, 1, 1 / 16],
  ])("%j", (tally, asGood, twoSided) => {
    const chance = chanceOf(tally);
    expect(chance.as_good).toBe(asGood);
    expect(chance.two_sided).toBe(twoSided);
  });

  it("adds up: the odds of at least w wins and of at most w-1 are one", () => {
    for (const n of [1, 9, 40, 333]) {
      for (let wins = 1; wins <= n; wins += 7) {
        const above = chanceOf({ wins, losses: n - wins, ties: 0 }).as_good ?? Number.NaN;
        const below = chanceOf({ wins: n - wins + 1, losses: wins - 1, ties: 0 }).as_good ?? Number.NaN;
        expect(above + below).toBeCloseTo(1, 12);
      }
    }
  });

  it("says nothing where all tied, and of an empty slice", () => {
    expect(chanceOf({ wins: 0, losses: 0, ties: 9 })).toEqual({
      untied: 0,
      as_good: null,
      two_sided: null,
      best: 2 ** -9,
    });
    expect(chanceOf({ wins: 0, losses: 0, ties: 0 }).best).toBeNull();
  });

  it("stays exact and quick for large slices, and leaves out what would take too long", () => {
    expect(chanceOf({ wins: 5000, losses: 5000, ties: 0 }).as_good).toBeCloseTo(0.5039894, 6);
    expect(chanceOf({ wins: 15_000, losses: 15_000, ties: 0 }).as_good).toBeNull();
    expect(chanceOf({ wins: 2000, losses: 0, ties: 0 }).as_good).toBe(0);
  });

  it("the floors can show no more than one in 256 and one in 16", () => {
    expect(FLOOR_CHANCE).toEqual({ selection: 1 / 256, holdout: 1 / 16 });
  });
});
