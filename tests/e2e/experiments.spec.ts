import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { jobs } from "#db/schema.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { listVerdicts } from "#lib/verdict/store.io.ts";
import { aReport, aRun, noMeta } from "#tests/unit/eval/cards.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, hydrated, open, test } from "./dashboard.ts";
import { aRequest, saveExperiment } from "./experiments-store.ts";
import { placeIn, withDbOf, withPlace } from "./loop-place.ts";
import { saveJudged } from "./proposals-store.ts";

const CASES = [
  { id: "a-steady-case", a: "ppp", b: "ppp" },
  { id: "a-case-of-a-rather-long-name-that-has-to-break-somewhere", a: "pfe", b: "p.." },
  { id: "mends", a: "fff", b: "ppp" },
];
const made: Record<string, string> = {};

withPlace({ cases: 12 }, (place) => {
  writeFileSync(path.join(place.work, "eval", "broken.jsonl"), '{"id": 1}\n');
  writeFileSync(path.join(place.work, "eval", "servers.toml"), "");
  const results = path.join(place.work, "results");
  mkdirSync(results);
  const usage = {
    input_tokens: 900,
    output_tokens: 100,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const meta = { ...noMeta, created_at: "2026-11-20T10:00:00Z", cost_usd: 0.5 };
  const runs = ["x", "y"].map((id) => aRun({ id, usage, cost_usd: 0.25 }));
  writeFileSync(
    path.join(results, "last.json"),
    writeReport(aReport(runs, { model: "perfect", provider: "perfect", meta })),
  );
  withDbOf(place, (db) => {
    saveJudged(db, "max_turns=40", ["++++++++", "+++="], "cut_short");
    const [verdict] = listVerdicts(db, { limit: 1 });
    const log = ["queued", "3 case runs in each arm", 'FAILED  arm A  mends (run 1): says "answer 2"'];
    const request = aRequest({ runsPerCase: 3 });
    made.done = saveExperiment(db, {
      request: aRequest({ overrides: ["max_turns=40"] }),
      state: "done",
      cases: CASES,
      log,
      verdictId: verdict?.id ?? null,
    });
    made.failed = saveExperiment(db, {
      request,
      state: "failed",
      cases: CASES,
      log,
      problem: "what was measured is not what stands there now",
    });
    made.swept = saveExperiment(db, { request, state: "failed", cases: CASES, log: [], problem: "long ago" });
    db.delete(jobs).where(eq(jobs.experimentId, made.swept)).run();
    made.cancelled = saveExperiment(db, {
      request: aRequest({ overrides: ["effort=low", "max_turns=9"], metric: null, rationale: null }),
      state: "cancelled",
      cases: CASES,
      log,
    });
    made.running = saveExperiment(db, { request, state: "running", cases: CASES, log });
  });
});

const form = (page: Page) => page.getByRole("form", { name: "New experiment" });
const takes = (page: Page) => page.getByRole("region", { name: "What it will take" });

async function openForm(page: Page) {
  await open(page, "/experiments?new=1");
}

test("what is wrong is said at its field, and what was typed is kept", async ({ page }) => {
  await openForm(page);
  await page.getByRole("textbox", { name: "Runs of each case" }).fill("many");
  await page.getByRole("textbox", { name: "Because" }).fill("I think so");
  await page.getByRole("combobox", { name: "effort" }).selectOption("low");
  await page.getByRole("textbox", { name: "max_turns" }).fill("sixty");
  await page.getByRole("button", { name: "Put it into the queue" }).click();
  await expect(page.getByText("2 fields cannot be used as they are.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveAccessibleDescription(/whole number/);
  await expect(page.getByRole("textbox", { name: "max_turns" })).toBeFocused();
  await expect(page.getByRole("textbox", { name: "Runs of each case" })).toHaveAccessibleDescription(
    /from 1 to 100/,
  );
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveValue("sixty");
  await expect(page.getByRole("combobox", { name: "effort" })).toHaveValue("low");
  await expect(page.getByRole("textbox", { name: "Because" })).toHaveValue("I think so");
  await expectAccessible(page);
});

test("a change with nothing in it, and a tag that no case has", async ({ page }) => {
  await openForm(page);
  await page.getByRole("textbox", { name: "Only cases with a tag of" }).fill("nobody");
  await page.getByRole("button", { name: "Put it into the queue" }).click();
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveAccessibleDescription(/KEY=VALUE/);
  await page.getByRole("textbox", { name: "max_turns" }).fill("60");
  await page.getByRole("button", { name: "Put it into the queue" }).click();
  await expect(page.getByRole("textbox", { name: "Only cases" })).toHaveAccessibleDescription(/nobody/);
});

test("what it will take is told before it is sent, and follows the form", async ({ page }) => {
  await openForm(page);
  await expect(takes(page)).toContainText("24 case runs: 12 cases × 2 arms × 1 run");
  await expect(takes(page)).toContainText("tokens unknown · cost unknown");
  await page.getByRole("textbox", { name: "Runs of each case" }).fill("3");
  await expect(takes(page)).toContainText("72 case runs");
  await page.getByRole("textbox", { name: "Only cases with a tag of" }).fill("odd");
  await expect(takes(page)).toContainText("36 case runs: 6 cases × 2 arms × 3 runs");
  await page.getByRole("combobox", { name: "Provider" }).selectOption("perfect");
  await expect(takes(page)).toContainText("about 36\u202f000 tokens · about $9.00");
  await expect(takes(page)).toContainText("last.json");
  await expect(takes(page)).toContainText("a script and no model");
  await page.getByRole("combobox", { name: "Cases", exact: true }).selectOption("eval/broken.jsonl");
  await expect(takes(page)).toContainText("not to be told");
});

test("a file is chosen by its listed name; no path is taken from a form", async ({ page, dashboard }) => {
  const outside = path.join(placeIn(dashboard.home).work, "..", "cases.jsonl");
  for (const name of ["../script.json", "/etc/passwd", outside, "eval/../../mecha/config.toml"]) {
    await openForm(page);
    await page.getByRole("textbox", { name: "max_turns" }).fill("60");
    for (const field of ["cases", "mcp_file"])
      await form(page)
        .locator(`select[name=${field}] option`)
        .first()
        .evaluate((option, value) => {
          if (option instanceof HTMLOptionElement && option.parentElement instanceof HTMLSelectElement) {
            option.value = value;
            option.parentElement.value = value;
          }
        }, name);
    await page.getByRole("button", { name: "Put it into the queue" }).click();
    await expect(page.locator("#problem-cases")).toBeVisible();
    await expect(page.locator("#problem-mcp_file")).toBeVisible();
    expect(await page.content()).not.toContain("root:");
  }
});

test("an experiment is queued with what the form says, waits, and is cancelled", async ({
  page,
  dashboard,
}) => {
  await openForm(page);
  await page.getByRole("textbox", { name: "max_turns" }).fill("7");
  await page.getByRole("combobox", { name: "effort" }).selectOption("high");
  await page.getByRole("combobox", { name: "Predicted to fall" }).selectOption("turns");
  await page.getByRole("combobox", { name: "Class of the change" }).selectOption("architecture");
  await page.getByRole("textbox", { name: "Only cases with a tag of" }).fill("even, odd");
  await page.getByRole("button", { name: "Put it into the queue" }).click();
  await page.waitForURL(/\/experiments\/[0-9a-f-]{36}$/);
  const id = page.url().slice(-36);
  await expect(page.getByText("Predicted: lower turns, fixed")).toBeVisible();
  await expect(page.getByText("whatever is measured, a person decides")).toBeVisible();
  await expect(page.getByText("Waits for a worker")).toBeVisible();
  const { experimentView } = await import("#lib/queue/view.io.ts");
  const place = placeIn(dashboard.home);
  expect(withDbOf(place, (db) => experimentView(db, id))?.request).toMatchObject({
    overrides: expect.arrayContaining(["max_turns=7", "effort=high"]),
    changeClass: "architecture",
    metric: "turns",
    tags: ["even", "odd"],
    provider: null,
    casesFile: path.join(place.work, "eval", "cases.jsonl"),
  });
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Cancel it" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("cancelled");
  await page.getByRole("link", { name: "Another one like it" }).click();
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveValue("7");
  await expect(page.getByRole("combobox", { name: "Predicted to fall" })).toHaveValue("turns");
  await expect(page.getByRole("textbox", { name: "Only cases" })).toHaveValue("even odd");
});

test("both arms while they run, and the page stands still while nobody looks", async ({ page }) => {
  await open(page, `/experiments/${made.running}`);
  await expect(page.getByRole("region", { name: "Baseline (arm A)" })).toContainText("9 of 9 case runs done");
  await expect(page.getByRole("region", { name: "Baseline (arm A)" })).toContainText("4 failing");
  await expect(page.getByRole("region", { name: "Candidate (arm B)" })).toContainText(
    "7 of 9 case runs done",
  );
  const row = page.getByRole("row").filter({ hasText: "a-case-of-a-rather-long-name" });
  await expect(row).toContainText("1 passed, 1 failed, 1 ended in an error");
  await expect(row).toContainText("1 passed, 2 waiting");
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await expect.poll(() => asked.length).toBeGreaterThan(1);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { get: () => true }));
  await page.waitForTimeout(1500);
  const before = asked.length;
  await page.waitForTimeout(2500);
  expect(asked.length).toBe(before);
});

test("what errored is run again", async ({ page }) => {
  await page.goto(`/experiments/${made.failed}`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("not what stands there now");
  await hydrated(page);
  await page.getByRole("button", { name: "Run again what errored" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("running");
  await expect(page.getByRole("region", { name: "Baseline (arm A)" })).toContainText("8 of 9 case runs done");
  await expect(page.getByRole("region", { name: "Last lines of the log" })).toContainText(
    "the provider said 503",
  );
});

test("what failed so long ago that its jobs are gone says what can be done instead", async ({ page }) => {
  await page.goto(`/experiments/${made.swept}`);
  await expect(page.getByRole("main").getByRole("alert")).toContainText("long ago");
  await expect(page.getByText("not kept ready to be run again")).toBeVisible();
  await expect(page.getByRole("button", { name: "Run again what errored" })).toHaveCount(0);
  await page.getByRole("link", { name: "Another one like it" }).click();
  await expect(page.getByRole("textbox", { name: "max_turns" })).toHaveValue("60");
});

test("what an ended experiment left out is not said to wait", async ({ page }) => {
  await page.goto(`/experiments/${made.cancelled}`);
  const cases = page.getByRole("region", { name: "Case runs" });
  await expect(cases.getByRole("row").filter({ hasText: "a-case-of-a-rather-long-name" })).toContainText(
    "1 passed, 2 not run",
  );
  await expect(cases).not.toContainText(/waiting|at work/);
});

test("an id that is nobody's, and a proposal that is not there", async ({ page }) => {
  for (const id of ["nobody", "%F0%9F%98%80", "..%2F..%2Fetc%2Fpasswd", "%00"]) {
    const answer = await page.goto(`/experiments/${id}`);
    expect([id, answer?.status()]).toEqual([id, 404]);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("No experiment has this id");
  }
  await page.goto("/experiments?proposal=nobody");
  await expect(page.getByText("There is no such proposal; the form is empty.")).toBeVisible();
});

for (const look of LOOKS)
  test(`axe finds nothing, and nothing scrolls sideways: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    const pages = ["done", "failed", "cancelled", "running"].map((one) => `/experiments/${made[one]}`);
    for (const path of ["/experiments", "/experiments?new=1", "/experiments/nobody", ...pages]) {
      await open(page, path);
      await expectAccessible(page);
    }
  });

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 } });
  test("the pages are a menu that closes behind whoever goes through it", async ({ page }) => {
    await open(page, "/experiments");
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.locator("summary").click();
    await expectAccessible(page);
    await pages.getByRole("link", { name: "Proposals" }).click();
    await page.waitForURL(/\/proposals$/);
    await expect(pages.getByRole("link", { name: "Proposals" })).toBeHidden();
  });
});
