import type { Page } from "@playwright/test";
import { findVerdict, listVerdicts } from "#lib/verdict/store.io.ts";
import { expect, hydrated, open, test } from "./dashboard.ts";
import {
  copyOfData,
  type Place,
  pasteIntoBash,
  placeIn,
  slow,
  withDbOf,
  withPlace,
  withWorker,
  writePlace,
  writeRuns,
} from "./loop-place.ts";

withPlace({}, writeRuns);

test("from a diagnosis to a verdict that others can read, in the browser alone", async ({
  page,
  dashboard,
  browser,
}) => {
  slow();
  const place = placeIn(dashboard.home);
  await withWorker(place, async () => {
    await diagnose(page);
    const line = await proposedCommand(page);
    expect(line).toBe("mecha eval --ab-config max_turns=60 eval/cases.jsonl");
    // Pasted where the same is stored, and before anybody has measured it.
    const elsewhere = copyOfData(place);
    const pasted = await pasteIntoBash(elsewhere, line);
    expect([pasted.code, pasted.err]).toEqual([0, expect.stringContaining("cut_short")]);

    // Slow enough that both arms can be watched while they move, on a busy machine too.
    writePlace(place, { delayMs: 350 });
    await measure(page);
    await watchBothArms(page);
    await expect(page.getByRole("region", { name: "Verdict" })).toContainText("ACCEPT", { timeout: 60_000 });
    await expect(page.getByRole("region", { name: "Verdict" })).toContainText("kept");
    expect(onlyJudgement(elsewhere)).toEqual(onlyJudgement(place));

    await page.getByRole("link", { name: "Read and share the verdict" }).click();
    const url = await share(page);
    const stranger = await browser.newContext();
    const fresh = await stranger.newPage();
    expect((await fresh.goto(url))?.status()).toBe(200);
    await expect(fresh.getByRole("heading", { level: 1 })).toContainText("ACCEPT");
    await stranger.close();
  });

  await page.goto("/proposals");
  await expect(page.getByRole("list", { name: "Diagnoses" })).toContainText("prediction kept");
  await page.goto("/proposals/calibration");
  // A script's prediction is nobody's, so it counts for nobody.
  await expect(
    page.getByText("1 proposal that a script played, of which 1 measured and 1 kept"),
  ).toBeVisible();
  await page.goto("/experiments");
  await expect(page.getByRole("list", { name: "Experiments" })).toContainText(
    /done.*max_turns=60.*60 \/ 60 runs.*ACCEPT/s,
  );
  await page.goto("/review");
  await expect(page.getByRole("region", { name: "Verdicts" })).toContainText("max_turns=60");
  await expect(page.getByRole("region", { name: "Proposals" })).toContainText("max_turns=60");
  await page.goto("/audit");
  for (const what of ["asked for a diagnosis", "queued an experiment", "made a link to a verdict"])
    await expect(page.getByRole("main")).toContainText(what);
  await page.getByRole("row").filter({ hasText: "asked for a diagnosis" }).getByRole("link").click();
  await expect(page).toHaveURL(/\/proposals\?proposal=/);
  await expect(page.getByRole("list", { name: "Diagnoses" }).getByRole("heading")).toHaveCount(1);
});

async function diagnose(page: Page) {
  await open(page, "/proposals");
  await expect(page.getByText("Nothing was diagnosed yet.")).toBeVisible();
  await page.getByRole("combobox", { name: "Who is asked" }).selectOption("proposer");
  await page.getByRole("button", { name: "Run a diagnosis" }).click();
}

async function proposedCommand(page: Page): Promise<string> {
  const book = page.getByRole("list", { name: "Diagnoses" });
  await expect(book).toContainText("lower cut_short", { timeout: 30_000 });
  await expect(book).toContainText("scripted");
  await expect(book).toContainText("not measured yet");
  await book.getByText("what the model was told").click();
  await expect(book.locator("details[open] pre")).toContainText("qwen3-moe");
  return (await book.locator("code").first().textContent()) ?? "";
}

async function measure(page: Page) {
  await page.getByRole("link", { name: "Measure it" }).click();
  await hydrated(page);
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveValue("60");
  await expect(page.getByRole("combobox", { name: "Predicted to fall" })).toHaveValue("cut_short");
  await expect(page.getByRole("region", { name: "What it will take" })).toContainText("60 case runs");
  await page.getByRole("button", { name: "Put it into the queue" }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
}

/** Both arms move while nobody touches the page, and the prediction stands above them. */
async function watchBothArms(page: Page) {
  await expect(
    page.getByText(/Predicted: lower cut_short, fixed .* before anything was measured/),
  ).toBeVisible();
  const moves = async (name: string) => {
    const bar = page.getByRole("progressbar", { name: `${name}: case runs done` });
    await expect(bar).toHaveAttribute("aria-valuenow", /^[1-9]/, { timeout: 20_000 });
    const before = Number(await bar.getAttribute("aria-valuenow"));
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(before);
  };
  await Promise.all([
    ...["Baseline (arm A)", "Candidate (arm B)"].map(moves),
    expect(page.getByText(/About .* left\./)).toBeVisible({ timeout: 20_000 }),
  ]);
  await expect(page.getByRole("region", { name: "Last lines of the log" })).toContainText("arm B");
}

async function share(page: Page): Promise<string> {
  await hydrated(page);
  await page.getByRole("textbox", { name: "Who it is for" }).fill("the board");
  await page.getByRole("button", { name: "Make a link" }).click();
  const code = page.getByRole("status").filter({ hasText: "Copy it now" }).locator("code");
  await expect(code).toContainText("/v/");
  return (await code.textContent()) ?? "";
}

/** What was judged and what came of it, without when. */
function onlyJudgement(place: Place) {
  return withDbOf(place, (db) => {
    const [row, ...more] = listVerdicts(db, { limit: 5 });
    expect(more).toEqual([]);
    const { judgement, currency, prediction, episodes } = findVerdict(db, row?.id ?? "");
    const { made_at: _, ...said } = prediction;
    return { judgement, currency, said, episodes };
  });
}
