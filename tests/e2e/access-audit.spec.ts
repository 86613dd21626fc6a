import type { Page } from "@playwright/test";
import { recordAudit } from "#lib/access/audit.io.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, test } from "./dashboard.ts";
import { fromItsOwnAddress, inDatabase, signInWith, withTokens } from "./guarded.ts";

const HOSTILE = '<img src=x onerror="document.title=1">\u202e\u0007';
const MADE = Date.parse("2026-11-29T23:30:00Z");

const tokens = withTokens(["ada"], (data) => {
  inDatabase(data, ({ db }) => {
    for (let n = 0; n < 60; n++) {
      recordAudit(db, {
        at: MADE + n * 1000,
        who: "ada",
        action: "enqueue",
        subject: `exp-${n}`,
        detail: null,
      });
    }
    recordAudit(db, {
      at: MADE + 1e5,
      who: null,
      action: "share",
      subject: HOSTILE,
      detail: HOSTILE.repeat(9),
    });
  });
});

const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

test.beforeEach(({ page }) => fromItsOwnAddress(page));

test("the newest come first, in the zone of the address, page by page", async ({ page }) => {
  await page.goto("/audit?zone=Asia/Kathmandu");
  await signInWith(page, tokens.ada ?? "");
  await expect(rows(page)).toHaveCount(50);
  await expect(rows(page).first()).toContainText("signed in");
  await expect(rows(page).nth(1)).toContainText("2026-11-30 05:16");
  await expect(rows(page).nth(1)).toContainText("this machine");
  await expect(page.getByText("times in Asia/Kathmandu", { exact: false }).first()).toBeVisible();
  await expect(rows(page).nth(2).getByRole("link")).toHaveAttribute("href", "/experiments/exp-59");
  await page.getByRole("link", { name: "Older" }).click();
  await expect(page).toHaveURL(/before=\d+&zone=Asia%2FKathmandu$/);
  await expect(rows(page).last()).toContainText("made a token");
  await expect(page.getByRole("link", { name: "Older" })).toHaveCount(0);
  await page.getByRole("link", { name: "Newest" }).click();
  await expect(rows(page)).toHaveCount(50);
  await page.goto("/audit?before=x%3Cb%3E");
  await expect(page.getByRole("main").getByRole("alert")).toContainText("before");
});

test("what names hold is text, and breaks nothing", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/audit");
  await signInWith(page, tokens.ada ?? "");
  await expect(rows(page).filter({ hasText: "made a link" })).toContainText("<img src=x onerror=");
  expect(await page.locator("main img").count()).toBe(0);
  await expect(page).toHaveTitle("Audit · mecha");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.getByRole("main").textContent()).not.toContain("\u202e");
});

for (const look of LOOKS)
  test(`the pages are accessible: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    await page.goto("/audit");
    await signInWith(page, "wrong");
    await expect(page.getByRole("alert").filter({ hasText: "✕" })).toBeVisible();
    await expectAccessible(page);
    await signInWith(page, tokens.ada ?? "");
    await expect(rows(page)).toHaveCount(50);
    await expectAccessible(page);
    await page.goto("/signin");
    await expect(page.getByText("You are signed in")).toBeVisible();
    await expectAccessible(page);
  });
