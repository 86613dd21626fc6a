import { readFileSync } from "node:fs";
import { aCard, noMeta } from "#tests/unit/eval/cards.ts";
import { expect, test } from "./dashboard.ts";
import { listening, type Places, withResults, writeCard, writeText } from "./results.ts";

const made = (day: number) => ({ meta: { ...noMeta, created_at: `2026-11-${day}T10:00:00Z` } });

/** Two cards of two runs a case that can be compared, one of single runs, and what else lies about in such a folder. */
function fill(places: Places) {
  const cases = { steady: "✓✓", slips: "✓✓", mends: "✗✗", wobbles: "✓✗", breaks: "✓!" };
  writeCard(places, aCard("base.json", cases, { model: "alpha", ...made(20) }));
  const changed = { ...cases, slips: "✓✗", mends: "✓✓", breaks: "✓✓" };
  writeCard(places, aCard("more/cand.json", changed, { model: "beta", ...made(21) }));
  writeCard(places, aCard("single.json", { steady: "✓", slips: "✗" }, { model: "alpha", ...made(22) }));
  writeCard(places, aCard("doubt.json", { steady: "✓", slips: "✗" }, made(23)), (text) =>
    text.replace('"passed": 1', '"passed": 2'),
  );
  writeText(places.results, "note.json", '{"note":"by hand","runs":[{"run":1}]}');
  writeText(places.results, "broken.json", '{"scorecard":');
  writeText(places.results, "readme.txt", "not JSON at all");
}

withResults(fill);

const COMPARE = "/scorecards/compare?cards=base.json&cards=more%2Fcand.json";
const caseIds = "[data-index] a";

test("everything in the folder is listed, cards by their date, the others as what they are", async ({
  page,
}) => {
  await page.goto("/scorecards");
  const list = page.getByRole("list", { name: "Results" });
  await expect(list.getByRole("listitem").filter({ has: page.getByRole("checkbox") })).toHaveCount(4);
  const names = await list
    .locator("input[name=cards]")
    .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
  expect(names).toEqual(["doubt.json", "single.json", "more/cand.json", "base.json"]);
  await expect(list).toContainText("a note about several runs, not a scorecard");
  await expect(list).toContainText("not JSON");
  await expect(list).toContainText("in doubt: the headline says passed 2, its own cases give 1");
  await expect(page.getByText("6 files · 4 scorecards · 1 other file")).toBeVisible();
});

test("filters narrow the list, and stand in the address", async ({ page }) => {
  await page.goto("/scorecards");
  await listening(page);
  await page.getByRole("combobox", { name: "Model" }).selectOption("beta");
  await expect(page).toHaveURL(/model=beta/);
  await expect(page.getByText("1 of 6 files")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("searchbox").fill("nothing like it");
  await expect(page.getByText("None of the 6 files fits these filters.")).toBeVisible();
});

test("the list is ordered by a click on a column, and the address says so", async ({ page }) => {
  await page.goto("/scorecards");
  await listening(page);
  await page.getByRole("link", { name: "Passed, all runs" }).click();
  await expect(page).toHaveURL(/sort=-passed/);
  const first = page.getByRole("list", { name: "Results" }).getByRole("listitem").first();
  await expect(first).toContainText("more/cand.json");
  await page.getByRole("link", { name: /Passed, all runs.*descending/ }).click();
  await expect(first).toContainText("base.json");
});

test("cards are chosen, the choice stands in the address, and leads to the comparison", async ({ page }) => {
  await page.goto("/scorecards");
  await listening(page);
  await page.getByRole("checkbox", { name: "Choose base.json" }).check();
  await page.getByRole("checkbox", { name: "Choose more/cand.json" }).check();
  await expect(page).toHaveURL(/cards=base\.json&cards=more/);
  await page.reload();
  const chosen = page.getByRole("region", { name: "Chosen cards" });
  await expect(chosen).toContainText("base.json(baseline)");
  await expect(page.getByRole("checkbox", { name: "Choose more/cand.json" })).toBeChecked();
  await chosen.getByRole("link", { name: "Compare 2" }).click();
  await expect(page.getByRole("heading", { name: "2 scorecards side by side" })).toBeVisible();
  await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "Scorecards" }).click();
  await expect(page.getByRole("checkbox", { name: "Choose base.json" })).toBeChecked();
});

test("no more than five cards are chosen or shown", async ({ page }) => {
  const six = ["a", "b", "c", "d", "e", "f"].map((name) => `cards=${name}.json`).join("&");
  await page.goto(`/scorecards?${six}`);
  await listening(page);
  await expect(page.getByRole("region", { name: "Chosen cards" })).toContainText("5 of 5");
  await expect(page.getByRole("checkbox", { name: "Choose base.json" })).toBeDisabled();
  await page.goto(`/scorecards/compare?${six}`);
  await expect(page.getByRole("alert").filter({ hasText: "the first 5 are shown" })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "no results folder holds" })).toHaveCount(5);
});

test("a comparison shows the headlines, and regressions before everything else", async ({ page }) => {
  await page.goto(COMPARE);
  const head = page.getByRole("table", { name: "The headline of each card" });
  const row = (name: string) =>
    head.getByRole("row").filter({
      has: page.getByRole("rowheader", { name: new RegExp(`^${name.replace("^", "\\^")}`) }),
    });
  await expect(row("Passed, all runs")).toContainText("40.0%2 / 5");
  await expect(row("Passed, all runs")).toContainText("60.0%3 / 5");
  await expect(row("Passed, any run")).toContainText("80.0%4 / 5");
  await expect(row("Against the baseline")).toContainText("▼ 1 regressed▲ 2 improved");
  await expect(row("Runs")).toContainText("9 · 1 · 0 · 10");
  await expect(row("pass^k and pass@k").getByRole("img").first()).toHaveAccessibleName(
    "pass^1 60.0%, pass@1 60.0%; pass^2 40.0%, pass@2 80.0%",
  );
  await expect(page.locator(caseIds)).toHaveText(["slips", "mends", "breaks", "steady", "wobbles"]);
  await expect(page.locator('[data-index="0"]')).toContainText("1 of 2 runs passed▼ regressed");
  await expect(page.locator('[data-index="2"]')).toContainText("1 of 2 runs passed, 1 ended in an error");
});

test("filters and order of the cases stand in the address and survive a reload", async ({ page }) => {
  await page.goto(COMPARE);
  await listening(page);
  const show = (name: string) => page.locator("label").filter({ hasText: name });
  await expect(show("Improved")).toHaveText("Improved2");
  await show("Improved").click();
  await expect(page.locator(caseIds)).toHaveText(["mends", "breaks"]);
  await expect(page).toHaveURL(/show=improved/);
  await page.getByRole("button", { name: "Case" }).click();
  await expect(page.locator(caseIds)).toHaveText(["breaks", "mends"]);
  await expect(page).toHaveURL(/sort=case/);
  await page.reload();
  await expect(page.locator(caseIds)).toHaveText(["breaks", "mends"]);
  await listening(page);
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Case id" });
  await expect(search).toBeFocused();
  await page.keyboard.type("MEN");
  await expect(page.locator(caseIds)).toHaveText(["mends"]);
  await expect(page.getByText("1 of 5 cases")).toBeVisible();
  await page.goto(`${COMPARE}&show=flaky`);
  await expect(page.locator(caseIds)).toHaveText(["slips", "breaks", "wobbles"]);
  await page.goto(`${COMPARE}&show=errored`);
  await expect(page.locator(caseIds)).toHaveText(["breaks"]);
  await page.goto(`${COMPARE}&tag=none`);
  await expect(page.getByText("None of the 5 cases fits these filters.")).toBeVisible();
  await page.goto(`${COMPARE}&sort=A`);
  await expect(page.locator(caseIds).first()).toHaveText("mends");
});

test("another baseline turns regressions into improvements", async ({ page }) => {
  await page.goto(COMPARE);
  await listening(page);
  await page.getByRole("link", { name: "t", exact: true }).click();
  await expect(page).toHaveURL(/tag=t/);
  await page.getByRole("link", { name: "make it the baseline" }).click();
  await expect(page).toHaveURL(/tag=t.*baseline=more|baseline=more.*tag=t/);
  await expect(page.getByText("▼ 2 regressed")).toBeVisible();
  await expect(page.getByText("▲ 1 improved")).toBeVisible();
  await page.goto(`${COMPARE}&baseline=nobody`);
  await expect(
    page.getByRole("alert").filter({ hasText: 'baseline="nobody" is none of the cards' }),
  ).toBeVisible();
});

test("a card that cannot be compared stands apart with the reason, and ranks nothing", async ({ page }) => {
  await page.goto("/scorecards/compare?cards=single.json&cards=base.json&cards=note.json");
  await expect(page.getByText("it ran each case 2 times, not 1")).toBeVisible();
  await expect(page.getByText("! not comparable", { exact: true })).toBeVisible();
  await expect(
    page.getByRole("alert").filter({ hasText: "note.json is a note about several runs" }),
  ).toBeVisible();
  await expect(page.getByText("▼ regressed")).toHaveCount(0);
  await page.goto("/scorecards/compare?cards=doubt.json&cards=single.json");
  await expect(page.getByText("nothing is ranked: the baseline itself is in doubt")).toBeVisible();
  await expect(page.getByText("the headline says passed 2, its own cases give 1")).toBeVisible();
});

test("what is shown is taken along as CSV and as JSON", async ({ page }) => {
  await page.goto(`${COMPARE}&show=regressed`);
  await listening(page);
  const save = async (name: string) => {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name, exact: true }).click(),
    ]);
    return readFileSync(await download.path(), "utf8");
  };
  expect(await save("CSV")).toBe(
    "case,tags,base.json passed,base.json runs,base.json marks,base.json change,more/cand.json passed,more/cand.json runs,more/cand.json marks,more/cand.json change\r\n" +
      "slips,t,2,2,pp,same,1,2,pf,regressed\r\n",
  );
  const json = JSON.parse(await save("JSON"));
  expect(json).toMatchObject({ baseline: "base.json", cases: [{ id: "slips" }] });
  expect(json.cases).toHaveLength(1);
});

test("a case opens beside the matrix, has an address, and the keyboard goes on to the next", async ({
  page,
}) => {
  await page.goto(COMPARE);
  await listening(page);
  await page.getByRole("link", { name: "slips" }).click();
  const drawer = page.getByRole("dialog", { name: "slips" });
  const candidate = drawer.getByRole("region", { name: "Card more/cand.json" });
  await expect(candidate.getByRole("list", { name: "Checks that failed" })).toHaveText(
    "✗ says itnot in the answer",
  );
  await expect(candidate.getByRole("list", { name: "Tools called, in order" })).toHaveText("fs_read");
  await expect(candidate).toContainText("2 turns · 1 call · 1.0 s");
  await expect(candidate).toContainText("Done.");
  await expect(page).toHaveURL(/case=slips/);
  await page.keyboard.press("j");
  await expect(page.getByRole("dialog", { name: "mends" })).toContainText("2 of 5");
  await page.reload();
  await expect(page.getByRole("dialog", { name: "mends" })).toContainText("says it");
  await listening(page, 3);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect(page).not.toHaveURL(/case=/);
});

test("the keyboard goes to the page, through its lists, and opens what is selected", async ({ page }) => {
  await page.goto("/");
  await listening(page, 1);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await expect(page.getByRole("heading", { level: 1, name: "Scorecards" })).toBeVisible();
  await page.goto(COMPARE);
  await listening(page);
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "slips" })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "mends" })).toBeFocused();
  await page.keyboard.press("k");
  await expect(page.getByRole("link", { name: "slips" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "slips" })).toBeVisible();
});
