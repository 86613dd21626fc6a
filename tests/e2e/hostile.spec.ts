import { expect, hydrated, test, withStore } from "./dashboard.ts";
import { partedWords } from "./lines.ts";
import { type FakeSession, writeStore } from "./store.ts";

const SCRIPT = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';
const ID = '20261129T080000-"><script>alert(1)</script>';

// Bidirectional marks and control characters, line ends and tabs apart.
const UNSEEN = /[\u202a-\u202e\u2066-\u2069]|(?![\n\t])\p{Cc}/u;

withStore((home) => {
  writeStore(home, [
    {
      id: "20261129T080000-00000001",
      created_at: "2026-11-29T08:00:00Z",
      title: `${SCRIPT} \u202egnp.exe \u001b[31mred\u0000 \u2066x`,
      model: `evil</script><b>\u202e${"m".repeat(300)}`,
      workspace: "/tmp/<i>place</i>",
      runs: [
        {
          prompt: `${SCRIPT}\n{{constructor.constructor('window.hacked=1')()}}\n[link](javascript:window.hacked=1)`,
          calls: [{ tool: SCRIPT, text: `\u202eabc\u001b]0;title\u0007 ${SCRIPT}`, result: "failed" }],
        },
      ],
    },
    { id: ID.replaceAll("/", "_"), created_at: "2026-11-28T08:00:00Z", title: "", model: "", runs: [{}] },
    ...Array.from({ length: 13 }, (_, day) => turnsChange(10 + day)),
  ]);
});

/** The smallest room between two neighbours. */
function gapsBetween(marks: Element[]): number {
  const boxes = marks.map((mark) => mark.getBoundingClientRect());
  return Math.min(...boxes.slice(1).map(({ left }, at) => left - (boxes[at]?.right ?? 0)));
}

/** Each day another setting. */
function turnsChange(day: number): FakeSession {
  return {
    id: `202611${day}T080000-00000002`,
    created_at: `2026-11-${day}T08:00:00Z`,
    model: "steady",
    title: "more turns",
    runs: [{ config: { max_turns: day } }],
  };
}

test("what a transcript says is text on every page, and nothing of it runs", async ({ page }) => {
  const pages = ["/?days=all", "/findings", "/sessions", "/sessions/20261129T080000-00000001?source=mecha"];
  for (const path of pages) {
    await page.goto(path);
    await hydrated(page);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(await page.locator("img, main script, main b > script").count()).toBe(0);
  }
  await expect(page.getByRole("heading", { level: 1 })).toContainText(
    '<img src=x onerror="window.hacked=1">',
  );
  await expect(page.getByRole("heading", { level: 1 })).toContainText("\\u{202e}gnp.exe");
  await expect(page.getByRole("region", { name: "Transcript" })).toContainText("\\u{202e}abc");
  expect(await page.getByRole("main").textContent()).not.toMatch(UNSEEN);
});

test("on a phone a name of any length leaves the word beside it whole", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/?days=all");
  const row = page.locator("tr").filter({ hasText: "mmmm" });
  const name = await row.getByText("Model", { exact: true }).boundingBox();
  expect(name?.height).toBeLessThan(24);
});

test("of many changes each keeps its number beside its date", async ({ page }) => {
  await page.goto("/?days=all");
  await page.getByText("changes of model or settings").click();
  await expect(page.getByText("▼ 12", { exact: true })).toBeVisible();
  expect(await partedWords(page, /▼ \d+/g)).toEqual([]);
  // Where the days are as near to each other as two digits are wide.
  await page.setViewportSize({ width: 480, height: 844 });
  await page.reload();
  const flags = page.locator('[data-layer="markers"] text');
  await expect(flags.first()).toBeVisible();
  expect(await flags.evaluateAll(gapsBetween)).toBeGreaterThan(2);
});

test("an id that is no file name still has its page", async ({ page }) => {
  await page.goto("/sessions");
  await page
    .getByRole("link", { name: /20261128|<script>/ })
    .last()
    .click();
  await expect(page.getByRole("region", { name: "Transcript" })).toBeVisible();
});

test("hostile search parameters are text too", async ({ page }) => {
  const bad = encodeURIComponent(`"><script>window.hacked=1</script>\u202e`);
  for (const path of [
    `/?model=${bad}&zone=${bad}&metric=${bad}`,
    `/sessions?q=${bad}&sort=${bad}`,
    `/findings?as_of=${bad}`,
  ]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    expect(await page.getByRole("main").textContent()).not.toMatch(UNSEEN);
  }
});
