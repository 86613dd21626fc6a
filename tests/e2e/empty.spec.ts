import { expect, test } from "./dashboard.ts";

test("a machine without transcripts is told so in plain words", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByText("No transcripts were found on this machine")).toBeVisible();
  await expect(page.getByText("MECHA_SESSION_DIR=", { exact: false }).first()).toBeVisible();
  await expect(page.getByRole("list", { name: "Sources" })).toContainText("not there");
  await expect(page.getByRole("complementary", { name: "Demo data" })).toHaveCount(0);
});

test("nothing to check is not healthy", async ({ page }) => {
  await page.goto("/findings");
  await expect(page.getByText("Nothing could be checked")).toBeVisible();
  await expect(page.getByText("No check found anything")).toHaveCount(0);
  await expect(page.getByText("No trigger is set up.", { exact: true })).toBeVisible();
});

test("an empty list says where to look", async ({ page }) => {
  await page.goto("/sessions");
  await expect(page.getByText("No sessions were found.")).toBeVisible();
  await page.getByRole("link", { name: "See where mecha looked" }).click();
  await expect(page).toHaveURL(/#coverage$/);
});

for (const [path, words] of [
  ["/sessions/nobody", "No session has this id"],
  ["/verdicts/abcdef01", "No verdict has this id"],
  ["/verdicts/nothing.json", "No verdict has this id"],
  ["/experiments/nobody", "No experiment has this id"],
  ["/review/2026-W54", "No week has this name"],
] as const) {
  test(`${path} is nothing, in words and for programs`, async ({ page }) => {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(words);
    await expect(page).toHaveTitle("Not found · mecha");
    await page.getByRole("main").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(words);
  });
}

test("a path that is no page is answered with the pages that are", async ({ page }) => {
  const answer = await page.goto("/nothing-here");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "There is no such page" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Experiments" }).click();
  await expect(page).toHaveURL(/\/experiments$/);
});
