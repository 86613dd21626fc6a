import { aCard } from "#tests/unit/eval/cards.ts";
import { expect, open, test } from "./dashboard.ts";
import { withResults, writeCard } from "./results.ts";

const NAMES = [1, 2, 3, 4, 5].map((n) => `a-card-of-a-rather-long-name-${n}.json`);
/** As long as cells get: repeats, hundreds of cases, thousands of runs, and some of each kind. */
const CASES = Object.fromEntries(
  Array.from({ length: 240 }, (_, n) => [`case-${n}`, n % 3 > 0 ? "✓✓✓✓✓" : "✓✗✓!✗"]),
);

withResults((places) => {
  for (const name of NAMES) writeCard(places, aCard(name, CASES, { model: "alpha" }));
});

test("five cards of many repeats fit side by side, each in its own column", async ({ page }) => {
  for (const width of [390, 767, 768, 900, 1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await open(page, `/scorecards/compare?${new URLSearchParams(NAMES.map((name) => ["cards", name]))}`);
    const { over, wide } = await page.evaluate(() => ({
      over: document.documentElement.scrollWidth - window.innerWidth,
      wide: [...document.querySelectorAll("main td")]
        .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth)
        .map((cell) => `${cell.textContent} is ${cell.scrollWidth} of ${cell.clientWidth}`),
    }));
    expect(over, `at ${width} px`).toBeLessThanOrEqual(0);
    expect(wide, `at ${width} px`).toEqual([]);
  }
});
