import { aCard } from "#tests/unit/eval/cards.ts";
import { expect, test } from "./dashboard.ts";
import { withResults, writeCard, writeText } from "./results.ts";

withResults((places) => {
  writeCard(places, aCard("base.json", { a: "✓" }));
  writeText(places.data, "mecha.db", "this is no database, however long it is: ".repeat(100));
});

test("a database that cannot be used is said, and takes nothing else along", async ({ page }) => {
  await page.goto("/scorecards");
  await expect(page.getByRole("checkbox", { name: "Choose base.json" })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: "cannot be used" })).toContainText("mecha.db");
  await page.goto("/verdicts/abcdef01");
  await expect(page.getByRole("alert").filter({ hasText: "cannot be used" })).toBeVisible();
  const answer = await page.goto("/v/AAAAAAAAAAAAAAAAAAAAAA");
  expect(answer?.status()).toBe(404);
});
