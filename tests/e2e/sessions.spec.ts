import { expect, hydrated, listening, test, withStore } from "./dashboard.ts";
import { KNOWN, knownSessions } from "./known-store.ts";
import { writeStore } from "./store.ts";

withStore((home) => {
  writeStore(home, [...knownSessions(), plain()]);
  return { MECHA_ZONE: "UTC" };
});

/** A session without a title or a run. */
function plain() {
  return { id: "20261001T000000-0000000c", created_at: "2026-10-01T00:00:00Z", model: "gamma", runs: [] };
}

const ALL = KNOWN.sessions + 1;

test("the newest session comes first, with its numbers", async ({ page }) => {
  await page.goto("/sessions");
  await expect(page.getByText(`Showing all ${ALL} sessions`)).toBeVisible();
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect(rows.first()).toContainText("Beta, week 48");
  await expect(rows.nth(1)).toContainText("Alpha, week 48, part b");
  await expect(rows.nth(1)).toContainText("12 runs");
  await expect(rows.nth(1)).toContainText("60 calls");
  await expect(rows.nth(1)).toContainText("36 errors");
  await expect(rows.nth(1)).toContainText(/✕ [1-9]\d* of 12 ended on a failed call/);
  await expect(rows.last()).toContainText("20261001T000000-0000000c");
});

test("filters live in the address and survive a reload", async ({ page }) => {
  await page.goto("/sessions");
  await hydrated(page);
  await page.getByRole("combobox", { name: "Stop cause" }).selectOption("max_turns");
  await expect(page.getByText(`Showing 1 of ${ALL} sessions`)).toBeVisible();
  await page.getByRole("combobox", { name: "Stop cause" }).selectOption("");
  await page.getByRole("checkbox", { name: "ended on a failed call" }).check();
  await expect(page.getByText(`Showing 2 of ${ALL} sessions`)).toBeVisible();
  await page.getByRole("searchbox").fill("part b");
  await expect(page.getByText(`Showing 1 of ${ALL} sessions`)).toBeVisible();
  await expect(page).toHaveURL(/q=part(\+|%20)b/);
  await page.reload();
  await expect(page.getByText(`Showing 1 of ${ALL} sessions`)).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "ended on a failed call" })).toBeChecked();
  await expect(page.getByRole("searchbox")).toHaveValue("part b");
});

test("filters on runs must hold of one and the same run", async ({ page }) => {
  await page.goto("/sessions?stop_cause=completed&ended_on_failed_call=1&model=alpha");
  await expect(page.getByText(`Showing 2 of ${ALL} sessions`)).toBeVisible();
  await page.goto("/sessions?stop_cause=interrupted&errors=1");
  await expect(page.getByText(`None of the ${ALL} sessions fits these filters.`)).toBeVisible();
  await page.getByRole("link", { name: "Clear all filters" }).click();
  await expect(page.getByText(`Showing all ${ALL} sessions`)).toBeVisible();
});

test("a click on a column sorts the whole list", async ({ page }) => {
  await page.goto("/sessions");
  await page.getByTitle("Sort by errors").click();
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  await expect(page).toHaveURL(/sort=-errors/);
  await expect(rows.first()).toContainText("36 errors");
  await page.getByTitle("Sort by errors").click();
  await expect(rows.first()).toContainText("0 errors");
});

test("the keyboard goes through the list and back to other pages", async ({ page }) => {
  await page.goto("/sessions");
  await listening(page, 2);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "Alpha, week 48, part b" })).toBeFocused();
  await page.keyboard.press("k");
  await expect(page.getByRole("link", { name: "Beta, week 48" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "Beta, week 48" })).toBeVisible();
  await listening(page, 2);
  await page.keyboard.press("g");
  await page.keyboard.press("f");
  await expect(page.getByRole("heading", { level: 1, name: "Findings" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page.getByRole("heading", { level: 1, name: "Health" })).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("s");
  await expect(page.getByRole("heading", { level: 1, name: "Sessions" })).toBeVisible();
  await listening(page, 2);
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("g h j ?");
  await expect(page.getByRole("searchbox")).toHaveValue("g h j ?");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keyboard" })).toBeHidden();
});

test("nothing scrolls sideways at any width", async ({ page }) => {
  for (const width of [390, 768, 900, 1023, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/sessions");
    await hydrated(page);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(over, `at ${width} px`).toBeLessThanOrEqual(0);
  }
});

test("a window that cannot be used is replaced by the one that the picker shows", async ({ page }) => {
  await page.goto("/?days=abc");
  await expect(page.getByText('days="abc" is not a number of days')).toContainText(
    "the last 30 days are shown",
  );
  await expect(page.getByRole("combobox", { name: "Window" }).locator("option:checked")).toHaveText(
    "last 30 days",
  );
});
