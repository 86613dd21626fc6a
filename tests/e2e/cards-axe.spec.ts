import AxeBuilder from "@axe-core/playwright";
import { aCard, noMeta } from "#tests/unit/eval/cards.ts";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expect, hydrated, test } from "./dashboard.ts";
import { type Places, storeVerdicts, withResults, writeCard, writeText } from "./results.ts";

function fill(places: Places) {
  const cases = {
    "a-steady-case": "✓✓✓",
    "a-case-that-slips-sometimes-and-has-a-long-name": "✓✓✓",
    mends: "✗✗!",
    wobbles: "✓✗✓",
  };
  const meta = { ...noMeta, created_at: "2026-11-20T10:00:00Z" };
  writeCard(places, aCard("base.json", cases, { meta }));
  writeCard(
    places,
    aCard("folder/with/a-card-of-a-rather-long-name-indeed.json", {
      ...cases,
      mends: "✓✓✓",
      "a-steady-case": "✓✗✓",
    }),
  );
  for (const run of [1, 2, 3])
    writeCard(places, aCard(`series-run${run}.json`, { one: "✓", two: run === 2 ? "✗" : "✓" }));
  writeCard(places, aCard("doubt.json", { a: "✓", b: "✗" }), (text) =>
    text.replace('"passed": 1', '"passed": 2'),
  );
  writeText(places.results, "note.json", '{"note":"by hand","runs":[{"run":1}]}');
  writeText(places.results, "broken.json", "{");
  const arms = {
    baseline: aSource({ name: "base.json" }),
    candidate: aSource({ name: "cand.json", label: "max_turns=40", sha256: "ab".repeat(32) }),
  };
  storeVerdicts(places, [
    { ...aRaw("++++++--=", "++-=="), arms },
    { ...aRaw("++++++++", "++++"), created_at: "2026-11-29T12:00:00Z" },
    { ...aRaw("+---====", "=="), created_at: "2026-11-28T12:00:00Z" },
  ]);
}

withResults(fill);

const BASE = "/scorecards/compare?cards=base.json";
const PAGES = [
  "/scorecards",
  "/scorecards?cards=base.json&cards=doubt.json",
  "/scorecards?q=nothing-fits-this",
  "/scorecards/compare",
  `${BASE}&cards=folder%2Fwith%2Fa-card-of-a-rather-long-name-indeed.json&cards=doubt.json&cards=nobody.json`,
  `${BASE}&show=regressed`,
  "/scorecards/compare?cards=series-run1.json&cards=series-run2.json&cards=series-run3.json",
  "/verdicts/0000",
];

const LOOKS = [
  { colorScheme: "light", width: 1440, pages: PAGES },
  { colorScheme: "dark", width: 390, pages: PAGES },
  // What differs here is colour alone.
  { colorScheme: "dark", width: 1440, pages: PAGES.filter((_, index) => index % 4 === 0) },
] as const;

for (const { colorScheme, width, pages } of LOOKS) {
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 900 } });
    test("axe finds nothing, and nothing scrolls sideways", async ({ page }) => {
      test.setTimeout(120_000);
      await page.goto("/scorecards");
      const links = page.getByRole("list", { name: "Verdicts" }).getByRole("link");
      await expect(links).toHaveCount(3);
      const verdicts = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      for (const path of [...pages, ...verdicts]) {
        await page.goto(path);
        await hydrated(page);
        await expect(page.locator(".skeleton")).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const said = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
        expect([path, ...said]).toEqual([path]);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([path, wide]).toEqual([path, width]);
      }
    });

    test("so it is with a case open, and with a link just made", async ({ page }) => {
      await page.goto(`${BASE}&cards=folder%2Fwith%2Fa-card-of-a-rather-long-name-indeed.json`);
      await hydrated(page);
      await page.getByRole("link", { name: "mends" }).click();
      await expect(page.getByRole("dialog").getByRole("region")).toHaveCount(2);
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      await page.goto("/scorecards");
      await page.getByRole("list", { name: "Verdicts" }).getByRole("link").first().click();
      await page.waitForLoadState("networkidle");
      await page.getByRole("textbox", { name: "Who it is for" }).fill("the board");
      await page.getByRole("button", { name: "Make a link" }).click();
      await expect(page.getByText("Copy it now")).toBeVisible();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      const url = await page.locator("code").filter({ hasText: "/v/" }).textContent();
      await page.goto(url ?? "");
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });
  });
}
