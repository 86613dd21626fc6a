import { aCard, noMeta } from "#tests/unit/eval/cards.ts";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, open, test } from "./dashboard.ts";
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

for (const look of LOOKS)
  test(`axe finds nothing, and nothing scrolls sideways: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    await page.goto("/scorecards");
    const links = page.getByRole("list", { name: "Verdicts" }).getByRole("link");
    await expect(links).toHaveCount(3);
    const verdicts = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    for (const path of [...PAGES, ...verdicts]) {
      await open(page, path);
      await expectAccessible(page);
    }
  });

for (const look of LOOKS)
  test(`so it is with a case open, and with a link just made: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    await open(page, `${BASE}&cards=folder%2Fwith%2Fa-card-of-a-rather-long-name-indeed.json`);
    await page.getByRole("link", { name: "mends" }).click();
    await expect(page.getByRole("dialog").getByRole("region")).toHaveCount(2);
    await expectAccessible(page);
    await page.goto("/scorecards");
    await page.getByRole("list", { name: "Verdicts" }).getByRole("link").first().click();
    await page.waitForLoadState("networkidle");
    await page.getByRole("textbox", { name: "Who it is for" }).fill("the board");
    await page.getByRole("button", { name: "Make a link" }).click();
    await expect(page.getByText("Copy it now")).toBeVisible();
    await expectAccessible(page);
    const url = await page.locator("code").filter({ hasText: "/v/" }).textContent();
    await page.goto(url ?? "");
    await expectAccessible(page);
  });
