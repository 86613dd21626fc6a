import { expect, hydrated, test, withStore } from "./dashboard.ts";
import { AS_OF, KNOWN, knownSessions } from "./known-store.ts";
import { partedWords } from "./lines.ts";
import { writeStore } from "./store.ts";

withStore((home) => {
  writeStore(home, knownSessions());
  return { MECHA_ZONE: "UTC" };
});

const HOME = `/?days=35&as_of=${AS_OF}`;

test("the headline numbers have their pairs", async ({ page }) => {
  await page.goto(HOME);
  const totals = page.getByRole("region", { name: "Totals, recorded" });
  const errors = KNOWN.alphaErrors + KNOWN.betaErrors;
  const calls = KNOWN.alphaCalls + KNOWN.betaCalls;
  await expect(totals).toContainText(`${errors} / ${calls}`);
  await expect(totals).toContainText(`${((100 * errors) / calls).toFixed(1)}%`);
  await expect(totals).toContainText(`${KNOWN.alphaFailedEnds} / ${KNOWN.runs}`);
  await expect(totals).toContainText(`${KNOWN.maxTurns} / ${KNOWN.runs}`);
  await expect(totals).toContainText("≥ $1.20");
  await expect(totals).toContainText(`120 of ${KNOWN.runs} runs priced`);
});

test("the coverage strip leads to the account of what was left out", async ({ page }) => {
  await page.goto(HOME);
  const strip = page.getByRole("list", { name: "What these numbers rest on" });
  await expect(strip).toContainText(`${KNOWN.runs} runs`);
  await expect(strip).toContainText(`${KNOWN.sessions} of ${KNOWN.sessions} sessions`);
  await expect(strip).toContainText("as of");
  await strip.getByRole("link", { name: "0 unreadable" }).click();
  await expect(page).toHaveURL(/#coverage-sessions_unreadable$/);
  await expect(page.locator("#coverage-sessions_unreadable")).toBeInViewport();
});

test("a week without runs is a gap in the line, and few runs are drawn faded", async ({ page }) => {
  await page.goto(HOME);
  const beta = page.locator('[data-series="beta"]');
  await expect(beta.locator("path")).toHaveCount(1);
  const faded = await beta.locator('[data-line="faded"]').getAttribute("d");
  expect(faded?.match(/M/g)).toHaveLength(2);
  const alpha = await page.locator('[data-series="alpha"] [data-line="solid"]').getAttribute("d");
  expect(alpha?.match(/M/g)).toHaveLength(1);
  expect(alpha?.match(/L/g)).toHaveLength(4);
});

test("the week that left its limits is marked and said", async ({ page }) => {
  await page.goto(HOME);
  await expect(page.getByText("left its limits in 2026-W48")).toBeVisible();
  await expect(page.locator("[data-outside]")).toHaveCount(1);
  await expect(page.getByText("max_turns 40 → 20")).toBeVisible();
  await expect(page.getByText("2026-11-23", { exact: true })).toBeVisible();
  const change = page.getByRole("listitem").filter({ hasText: "max_turns 40 → 20" });
  expect(await change.evaluate(baselinesOf)).toHaveLength(1);
});

test("one model alone shows its limits", async ({ page }) => {
  await page.goto(`${HOME}&model=alpha`);
  await expect(page.locator('[data-layer="limits"] path')).toHaveCount(3);
  await expect(page.locator('[data-series="beta"]')).toHaveCount(0);
});

test("the table behind the chart holds the same numbers", async ({ page }) => {
  await page.goto(HOME);
  await hydrated(page);
  await page.getByRole("button", { name: "table", exact: true }).click();
  const table = page.getByRole("table", { name: /Tool errors, per week/ });
  const week = (key: string) => table.getByRole("row", { name: new RegExp(key) });
  await expect(week("2026-W48")).toContainText("60.0%");
  await expect(week("2026-W48")).toContainText("72 / 120");
  await expect(week("2026-W46")).toContainText("—");
  await expect(week("2026-W45")).toContainText("1 / 6 · n = 3");
  await page.getByRole("button", { name: "chart", exact: true }).click();
  await expect(page.locator('[data-series="alpha"]')).toBeVisible();
});

test("paper gets the table", async ({ page }) => {
  await page.goto(HOME);
  await hydrated(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("table", { name: /Tool errors, per week/ })).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeHidden();
});

test("metric, bucket and model live in the address and survive a reload", async ({ page }) => {
  await page.goto(HOME);
  await hydrated(page);
  await page.getByRole("combobox", { name: "Rate" }).selectOption("cut_short");
  await expect(page.getByRole("heading", { name: "Cut short over time" })).toBeVisible();
  await page.getByRole("combobox", { name: "Bucket" }).selectOption("month");
  await expect(page).toHaveURL(/metric=cut_short/);
  await expect(page).toHaveURL(/per=month/);
  await page.getByRole("combobox", { name: "Model" }).selectOption("beta");
  await expect(page).toHaveURL(/model=beta/);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Cut short over time" })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Bucket" })).toHaveValue("month");
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("beta");
  await expect(page.getByRole("region", { name: "Totals, recorded" })).toContainText("0 / 12");
  await page.goBack();
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveValue("");
});

test("the table by model is sorted by a click, and the order is in the address", async ({ page }) => {
  await page.goto(HOME);
  await hydrated(page);
  const names = page.getByRole("region", { name: "By model" }).locator("tbody tr td:first-child a");
  await expect(names).toHaveText(["alpha", "beta"]);
  await page.getByRole("button", { name: "Cost" }).click();
  await expect(page).toHaveURL(/sort=-cost/);
  await page.getByRole("button", { name: /^Model/ }).click();
  await page.getByRole("button", { name: /^Model/ }).click();
  await expect(page).toHaveURL(/sort=-model/);
  await expect(names).toHaveText(["beta", "alpha"]);
  await page.reload();
  await expect(names).toHaveText(["beta", "alpha"]);
});

test("numbers lead to the sessions behind them", async ({ page }) => {
  await page.goto(HOME);
  await page.getByRole("link", { name: `${KNOWN.alphaFailedEnds} / ${KNOWN.runs}` }).click();
  await expect(page).toHaveURL(/ended_on_failed_call=1/);
  await expect(page.getByText(`Showing 2 of ${KNOWN.sessions} sessions`)).toBeVisible();
});

test("the zone decides which week a run belongs to, and is said", async ({ page }) => {
  await page.goto(`${HOME}&zone=Pacific/Kiritimati`);
  await expect(page.getByRole("contentinfo")).toContainText("Times in Pacific/Kiritimati");
  await page.goto(`${HOME}&zone=Nowhere/Land`);
  await expect(page.getByRole("alert").filter({ hasText: "zone" })).toContainText(
    'zone="Nowhere/Land" is not a time zone',
  );
  await expect(page.getByRole("contentinfo")).toContainText("Times in UTC");
  await expect(page.getByLabel("Time zone").locator("option:checked")).toHaveText("UTC");
});

test("a count stands on one line with what it counts, however narrow the page is", async ({ page }) => {
  await page.goto(HOME);
  expect(
    await partedWords(
      page,
      /[\d\u202f]+ (?:turns?|tool calls?|staged|blocked sends?|compactions?|tokens in|out\b|read from cache)/g,
    ),
  ).toEqual([]);
});

test("an address that makes no sense is answered, with what was passed over", async ({ page }) => {
  await page.goto("/?days=-3&metric=joy&per=eon&as_of=yesterday&source=vim&sort=%00");
  for (const key of ["days", "metric", "per", "as_of", "source"]) {
    await expect(page.getByRole("alert").filter({ hasText: key }).first()).toBeVisible();
  }
});

test("a window without runs says when the newest one was", async ({ page }) => {
  for (const model of ["", "&model=alpha"]) {
    await page.goto(`/?days=7&as_of=2026-10-20${model}`);
    await expect(
      page.getByText(`No session started in this window; ${KNOWN.sessions} sessions lie outside it.`),
    ).toBeVisible();
  }
  await page.goto("/?days=1&as_of=2026-11-29");
  await expect(page.getByText("The newest one started on 2026-11-23.")).toBeVisible();
  await page.getByRole("link", { name: "Show all time" }).click();
  await expect(page.getByRole("region", { name: "Totals, recorded" })).toBeVisible();
});

/** The lines that the texts of the parts of a row stand on. */
function baselinesOf(row: Element): number[] {
  const lines = [...row.children].map((part) => {
    // What has no height stands on the line of the text before it.
    const mark = document.createElement("span");
    mark.style.display = "inline-block";
    part.append(mark);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return Math.round(bottom);
  });
  return [...new Set(lines)];
}
