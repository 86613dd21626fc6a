import path from "node:path";
import { aRaw, aSource } from "#tests/unit/verdict/raw.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, hydrated, listening, open, test, withStore } from "./dashboard.ts";
import { knownSessions } from "./known-store.ts";
import { partedWords } from "./lines.ts";
import { storeVerdicts } from "./results.ts";
import { sheetsOf, storeProposals } from "./review-store.ts";
import { writeStore, writeTriggers } from "./store.ts";

withStore((home) => {
  writeStore(home, knownSessions());
  const data = path.join(home, "data");
  const arms = { baseline: aSource(), candidate: aSource({ label: "max_turns=40" }) };
  const [verdict] = storeVerdicts({ data, results: "" }, [
    { ...aRaw("++++++--=", "++==="), arms, created_at: "2026-11-26T12:00:00Z" },
  ]);
  storeProposals(data, [
    { id: "one", ...(verdict ? { verdictId: verdict.id } : {}) },
    { id: "two", kind: "declined", change: null, metric: null, reason: "too little to go on" },
  ]);
  writeTriggers(home, { morning: 'schedule = "0 7 * * *"\nprompt = "p"\ncatch_up = "never"\n' }, [
    {
      trigger: "morning",
      started_at: "2026-11-25T07:00:00Z",
      status: "error",
      slot: "2026-11-25T07:00:00Z",
      error: "no",
    },
  ]);
  return { MECHA_DATA_DIR: data, MECHA_ZONE: "UTC" };
});

const WEEK = "/review/2026-W48";

test("what changed comes first, in sentences from the numbers", async ({ page }) => {
  await page.goto(WEEK);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 2026-W48");
  await expect(page.getByText("2026-11-23 to 2026-11-29 (UTC)")).toBeVisible();
  const told = page.getByRole("list", { name: "What changed" });
  await expect(told).toContainText("worse: alpha: tool errors rose above their limits: 60.0%, 72 of 120");
  await expect(told).toContainText("the weeks before make 0.7% to 19.3% likely");
  await expect(told).toContainText("verdict ACCEPT on max_turns=40");
  await expect(told).toContainText("alpha: max_turns 40 → 20 on 2026-11-23");
  await expect(told).toContainText("1 proposal made, 1 of them measured; 1 diagnosis without one");
  await expect(told).toContainText("27 runs in 3 sessions, 105 in the eight weeks before");
});

test("no date is parted by the end of a line, however narrow the page is", async ({ page }) => {
  await page.goto(WEEK);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 2026-W48");
  expect(await partedWords(page, /\d{4}-\d\d-\d\d/g)).toEqual([]);
});

test("each model has its rates with limits, and the numbers behind the charts", async ({ page }) => {
  await page.goto(WEEK);
  const alpha = page.getByRole("region", { name: "alpha, recorded" });
  await expect(alpha).toContainText("24 runs in 2 sessions, 96 runs in the eight weeks before");
  await expect(alpha.getByRole("img")).toHaveCount(3);
  await expect(
    alpha.getByRole("img", { name: "60.0% 72/120 this week, ▲ above its limits; 10.0% 48/480" }),
  ).toBeVisible();
  const beta = page.getByRole("region", { name: "beta, recorded" });
  await expect(beta).toContainText("n = 3, too few");
  await page.getByText("The charts as tables").click();
  const table = page.getByRole("table", { name: "alpha" });
  await expect(table.getByRole("row")).toHaveCount(10);
  await expect(table.getByRole("row", { name: /^2026-W48/ })).toContainText("▲ 60.0% 72/120");
  await expect(table.getByRole("row", { name: /^2026-W40/ })).toContainText("0———");
});

test("findings are new, standing or resolved, and verdicts and proposals lead on", async ({ page }) => {
  await page.goto(WEEK);
  const findings = page.getByRole("region", { name: "Findings", exact: true });
  await expect(findings.getByRole("region", { name: "New" })).toContainText(
    "trigger morning: its most recent run failed since 2026-11-25",
  );
  await expect(findings.getByRole("region", { name: "Resolved" })).toContainText("None.");
  const proposals = page.getByRole("region", { name: "Proposals" });
  await expect(proposals).toContainText("declined too little to go on");
  await proposals.getByRole("link", { name: "→ ✓ ACCEPT" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("ACCEPT");
});

test("a week that lasts says so, and one that has not begun says when it does", async ({ page }) => {
  await page.goto(`${WEEK}?as_of=2026-11-25T08:00:00Z`);
  await expect(page.getByText("in progress: as of 2026-11-25 08:00")).toBeVisible();
  await expect(page.getByText("the newest week")).toBeVisible();
  await page.goto("/review/2026-W50?as_of=2026-11-25T08:00:00Z");
  await expect(page.getByText("the week 2026-W50 begins at 2026-12-07T00:00:00Z (UTC)")).toBeVisible();
  await page.getByRole("link", { name: "The newest week there is" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 2026-W48");
});

test("what names no week, and a week without runs, are answered in words", async ({ page }) => {
  await page.goto("/review/2026-W54");
  await expect(page.getByRole("heading", { name: "No week has this name" })).toBeVisible();
  await page.goto("/review/%3Cscript%3E");
  await expect(page.getByRole("heading", { name: "No week has this name" })).toBeVisible();
  await page.goto("/review/2027-W30?as_of=2027-08-30");
  await expect(page.getByText("No run started in this week, or in the eight before it.")).toBeVisible();
  await page.getByRole("link", { name: "The week of the newest run before it" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 2026-W48");
});

test("the address keeps zone and source from week to week", async ({ page }) => {
  await page.goto(`${WEEK}?zone=Asia%2FTokyo&source=mecha`);
  await expect(page.getByText("2026-11-23 to 2026-11-29 (Asia/Tokyo)")).toBeVisible();
  await page.getByRole("link", { name: "← 2026-W47" }).click();
  await expect(page).toHaveURL("/review/2026-W47?zone=Asia%2FTokyo&source=mecha");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Week 2026-W47");
  await page.getByRole("link", { name: "2026-W48 →" }).click();
  await expect(page).toHaveURL(`${WEEK}?zone=Asia%2FTokyo&source=mecha`);
});

test("the review of now is one click or two keys away", async ({ page }) => {
  await page.goto("/findings");
  await hydrated(page);
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Review" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Week \d{4}-W\d\d$/);
  await expect(page).toHaveURL(/\/review\/\d{4}-W\d\d$/);
  await page.goto("/findings");
  await listening(page, 1);
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect(page).toHaveURL(/\/review\/\d{4}-W\d\d$/);
});

test("it prints on two sheets, without its buttons", async ({ page }) => {
  await page.goto(WEEK);
  await expect(page.getByRole("region", { name: "Settings" })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeHidden();
  await expect(page.getByRole("navigation", { name: "Weeks" })).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
  expect(sheetsOf(await page.pdf({ format: "A4" }))).toBe(2);
});

test("the saved file opens without a server or script, and prints on two sheets", async ({
  page,
  browser,
  dashboard,
}) => {
  await page.goto(WEEK);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save as one file" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("review-2026-W48.html");
  const file = path.join(dashboard.home, "review.html");
  await download.saveAs(file);
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const alone = await context.newPage();
  await alone.goto(`file://${file}`);
  await expect(alone.getByText("tool errors rose above their limits")).toBeVisible();
  await expect(alone.getByRole("img")).toHaveCount(6);
  expect(sheetsOf(await alone.pdf({ format: "A4" }))).toBe(2);
  await context.close();
});

for (const look of LOOKS)
  test(`axe finds nothing, and nothing scrolls sideways: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    for (const address of [WEEK, `${WEEK}?as_of=2026-11-25T08:00:00Z`, "/review/2026-W54"]) {
      await open(page, address);
      if (address.startsWith(WEEK)) await page.getByText("The charts as tables").click();
      await expectAccessible(page);
    }
  });
