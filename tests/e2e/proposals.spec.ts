import type { Locator } from "@playwright/test";
import { jobs } from "#db/schema.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, listening, open, test } from "./dashboard.ts";
import { partedWords } from "./lines.ts";
import { placeIn, withDbOf, withPlace } from "./loop-place.ts";
import { aDiagnosis, aProposal, proposed, saveAll, saveJudged } from "./proposals-store.ts";

// Oldest first; the newest stands on top of the page.
const MANY = Array.from({ length: 14 }, (_, n) =>
  aDiagnosis(proposed({ change: `max_turns=${100 + n}`, metric: n % 2 === 0 ? "cut_short" : "turns" })),
);
const KEPT = aDiagnosis(proposed({ change: "max_turns=50" }));
const MISSED = aDiagnosis(proposed({ change: "effort=low", metric: "tool_error_rate" }), {
  model: "small-2",
});
const ARCHITECTURE = aDiagnosis(
  proposed({ class: "architecture", change: "Read files through an index", metric: "turns" }),
);
const SECURITY = aDiagnosis(proposed({ class: "security", change: "Let the shell reach the network" }));
const DECLINED = aDiagnosis(
  { kind: "declined", reason: "24 runs say too little" },
  { cost_usd: null, usage: null },
);
const REFUSED = aDiagnosis({
  kind: "refused",
  proposal: aProposal({ rationale: "as the guide says" }),
  reason: "it repeats 40 words of what it read",
});
const UNPARSABLE = aDiagnosis(
  { kind: "unparsable", reason: "there is no line metric" },
  { reply: "I would rather not." },
);
const FAILED = aDiagnosis(
  { kind: "failed", reason: "the provider said 401" },
  { brief: "", reply: "", model: "" },
);
const SCRIPTED = aDiagnosis(proposed(), { provider: "proposer", model: "proposer", scripted: true });
const ALL = [...MANY, KEPT, MISSED, ARCHITECTURE, SECURITY, DECLINED, REFUSED, UNPARSABLE, FAILED, SCRIPTED];

withPlace({}, (place) => {
  withDbOf(place, (db) => {
    saveAll(db, ALL);
    saveJudged(db, "max_turns=50", ["++++++++", "+++="], "cut_short");
    saveJudged(db, "effort=low", ["----====", "--=="], "tool_error_rate");
    saveJudged(db, "max_turns=101", ["++++++++", "++=="], "turns");
  });
});

test("each diagnosis is shown as what it is, with what became of it", async ({ page }) => {
  await page.goto("/proposals");
  const entry = (id: string) => page.locator(`[id="${id}"]`);
  await expect(entry(SCRIPTED.id)).toContainText("scripted");
  await expect(entry(SCRIPTED.id)).toContainText("a script, no model");
  await expect(entry(SCRIPTED.id).getByRole("link", { name: "Measure it" })).toBeVisible();
  await expect(entry(KEPT.id)).toContainText("lower cut_short");
  await expect(entry(KEPT.id)).toContainText("prediction kept");
  await expect(entry(KEPT.id)).toContainText("2300 tokens · $0.01 · 4.2 s");
  await expect(entry(MISSED.id)).toContainText("REJECT");
  await expect(entry(MISSED.id)).toContainText("prediction missed");
  await expect(entry(DECLINED.id)).toContainText("24 runs say too little");
  await expect(entry(DECLINED.id)).toContainText("tokens unknown · cost unknown · 4.2 s");
  await expect(entry(REFUSED.id)).toContainText("It repeats 40 words of what it read.");
  await expect(entry(UNPARSABLE.id)).toContainText("there is no line metric");
  await expect(entry(FAILED.id)).toContainText("the provider said 401");
  for (const { id } of [ARCHITECTURE, SECURITY]) await expect(entry(id)).toContainText("a person decides");
  for (const { id } of [ARCHITECTURE, SECURITY, DECLINED, REFUSED, UNPARSABLE, FAILED]) {
    await expect(entry(id).locator("code")).toHaveCount(0);
    await expect(entry(id).getByRole("link", { name: /Measure/ })).toHaveCount(0);
  }
  expect(await partedWords(page, /4\.2 s/g)).toEqual([]);
});

test("the command is copied as it stands", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await open(page, `/proposals?proposal=${KEPT.id}`);
  await expect(page.getByRole("list", { name: "Diagnoses" }).getByRole("heading")).toHaveCount(1);
  await page.getByRole("button", { name: /Copy the command/ }).click();
  await expect(page.getByText("✓ copied")).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    "mecha eval --ab-config max_turns=50 eval/cases.jsonl",
  );
});

test("the list goes on to older ones, each once", async ({ page }) => {
  const seen: string[] = [];
  await page.goto("/proposals");
  for (let pages = 0; pages < 4; pages++) {
    const ids = page.getByRole("list", { name: "Diagnoses" }).locator("li[id]");
    // The frame of the page comes first, and the list when it is read.
    await expect(ids.first()).toBeVisible();
    const shown = await ids.evaluateAll((all) => all.map(({ id }) => id));
    seen.push(...shown);
    const older = page.getByRole("link", { name: "older" });
    if ((await older.count()) === 0) break;
    await older.click();
    await page.waitForURL((url) => url.searchParams.get("older") === seen.at(-1));
    // The address comes before the page: what stands there until then is what was just read.
    await expect(ids.first()).not.toHaveId(shown[0] ?? "");
  }
  expect(seen).toEqual(ALL.map(({ id }) => id).reverse());
});

test("calibration counts each measured prediction once, by who made it", async ({ page }) => {
  await page.goto("/proposals/calibration");
  await expect(page.getByText("2 of 3 held, 95% interval 21% to 94%")).toBeVisible();
  const row = (name: string) =>
    page.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  await expect(row("cloud/big-1")).toContainText("2 / 2");
  await expect(row("cloud/small-2")).toContainText("0 / 1");
  await expect(row("tool_error_rate")).toContainText("0 / 1");
  await expect(row("security")).toContainText("none measured");
  await expect(page.getByText(/1 proposal that a script played/)).toBeVisible();
});

test("the scale over the intervals stands over their marks", async ({ page }) => {
  await page.goto("/proposals/calibration");
  const table = page.getByRole("table").first();
  const middleOf = async (part: Locator) => {
    const box = await part.boundingBox();
    return box === null ? Number.NaN : box.x + box.width / 2;
  };
  const middle = await middleOf(table.locator("svg line").nth(2));
  expect(Math.abs((await middleOf(table.getByText("50%", { exact: true }).first())) - middle)).toBeLessThan(
    2,
  );
});

test("keys lead to the pages and through the list", async ({ page }) => {
  await open(page, "/");
  await listening(page, 1);
  await page.keyboard.press("g");
  await page.keyboard.press("p");
  await page.waitForURL(/\/proposals$/);
  await listening(page, 2);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.locator('[data-index="1"] a').first()).toBeFocused();
  await page.keyboard.press("g");
  await page.keyboard.press("x");
  await page.waitForURL(/\/experiments$/);
});

test("a form with a wrong number of days keeps what was typed", async ({ page }) => {
  await open(page, "/proposals");
  await page.getByRole("textbox", { name: "Of the last days" }).fill("soon");
  await page.getByRole("textbox", { name: "Which model of it" }).fill("big-2");
  await page.getByRole("button", { name: "Run a diagnosis" }).click();
  await expect(page.getByText(/a whole number of days/)).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Of the last days" })).toHaveValue("soon");
  await expect(page.getByRole("textbox", { name: "Which model of it" })).toHaveValue("big-2");
});

test("without a worker a diagnosis waits, and the page says so", async ({ page, dashboard }) => {
  await open(page, "/proposals");
  await page.getByRole("button", { name: "Run a diagnosis" }).click();
  await expect(page.getByText("A diagnosis waits")).toBeVisible();
  await expect(page.getByText(/No worker seems to be at work/)).toBeHidden();
  // As if it had waited for longer than a worker takes to come by.
  const createdAt = Date.now() - 11_000;
  withDbOf(placeIn(dashboard.home), (db) => db.update(jobs).set({ createdAt }).run());
  await expect(page.getByText(/No worker seems to be at work/)).toBeVisible();
});

for (const look of LOOKS)
  test(`axe finds nothing, and nothing scrolls sideways: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    for (const path of ["/proposals", "/proposals/calibration", `/proposals?older=${KEPT.id}`]) {
      await open(page, path);
      for (const folded of await page.locator("main details > summary").all()) await folded.click();
      await expectAccessible(page);
    }
  });
