import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test, withStore } from "./dashboard.ts";

withStore((home) => ({ MECHA_RESULTS_DIR: path.join(home, "results"), MECHA_ZONE: "UTC" }));

test("without a card or a verdict the page says what makes them", async ({ page, dashboard }) => {
  await page.goto("/scorecards");
  await expect(page.getByText("There are no scorecards yet.")).toBeVisible();
  await expect(page.getByText("there is no such folder")).toBeVisible();
  await expect(page.getByText("mecha eval -o results/NAME.json")).toBeVisible();
  await expect(
    page.getByText("mecha eval import --format rows trials.jsonl -o results/trials.json"),
  ).toBeVisible();
  await expect(page.getByText("Nothing was judged yet.")).toBeVisible();
  await expect(page.getByText("mecha gate BASELINE.json CANDIDATE.json")).toBeVisible();
  // Looking makes no files.
  expect(existsSync(path.join(dashboard.home, "dashboard"))).toBe(false);
});

test("a comparison of nothing, a verdict of nobody and a link to nothing are answered in words", async ({
  page,
}) => {
  await page.goto("/scorecards/compare");
  await expect(page.getByText("No card was chosen.")).toBeVisible();
  await page.goto("/verdicts/abcdef01");
  await expect(page.getByRole("heading", { name: "No verdict has this id" })).toBeVisible();
  const answer = await page.goto("/v/AAAAAAAAAAAAAAAAAAAAAA");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "This link opens nothing" })).toBeVisible();
});
