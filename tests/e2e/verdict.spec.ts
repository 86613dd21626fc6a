import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { assemble } from "#lib/verdict/assemble.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { documentText, verifyDocument } from "#lib/verdict/verify.ts";
import { aCard } from "#tests/unit/eval/cards.ts";
import { aRaw, aSource, idsOn } from "#tests/unit/verdict/raw.ts";
import { expect, test } from "./dashboard.ts";
import { type Places, storeVerdicts, withResults, writeCard, writeText } from "./results.ts";

const arms = {
  baseline: aSource({ label: "as configured", name: "base.json" }),
  candidate: aSource({ label: "max_turns=40", name: "cand.json" }),
};
const prediction = {
  change_class: "config",
  change: "max_turns=40",
  metric: null,
  rationale: null,
  made_at: null,
} as const;

function fill(places: Places) {
  const [accepted] = storeVerdicts(places, [
    { ...aRaw("++++++--=", "++==="), arms, prediction },
    ...Array.from({ length: 22 }, (_, n) => ({
      ...aRaw("+---====", "=="),
      created_at: `2026-11-${String(n + 1).padStart(2, "0")}T12:00:00Z`,
      prediction: { ...prediction, change: `older change ${n + 1}` },
    })),
  ]);
  if (accepted === undefined) throw new Error("no verdict was stored");
  const ids = idsOn(9, 5);
  writeCard(places, aCard("base.json", Object.fromEntries(ids.map((id, at) => [id, at % 2 ? "✓" : "✗"]))));
  writeCard(places, aCard("cand.json", Object.fromEntries(ids.map((id) => [id, "✓"]))));
  writeText(places.results, "sound.json", documentText(accepted));
  writeText(places.results, "changed.json", documentText(accepted).replace('"wins":6', '"wins":7'));
  writeText(places.results, "ab.json", JSON.stringify(abFile()));
  writeText(places.results, "stamps.json", documentText(stamps()));
}

/** Stamps as mecha writes them, and one that no program wrote. */
function stamps(): VerdictDocument {
  return assemble({
    ...aRaw("++++++--=", "++==="),
    arms: { ...arms, candidate: aSource({ created_at: "Tuesday <b>1</b>", name: "cand.json" }) },
    prediction: { ...prediction, metric: "turns", made_at: "2026-11-29T08:30:00Z" },
  });
}

/** An A/B result as older programs write it: without an id, arms or errored runs. */
function abFile() {
  const cases = Array.from({ length: 12 }, (_, at) => ({
    id: `c${at}`,
    was: at < 4,
    now: at < 9,
    work_a: 5,
    work_b: 5,
  }));
  return {
    ab_config: ["max_turns=40"],
    arm_a: { passed: 4, total: 12 },
    arm_b: { passed: 9, total: 12 },
    cases,
    holdout_in: 3,
    judgement: {
      disposition: { Propose: "too few cases to decide on" },
      selection: { wins: 4, losses: 0, ties: 4 },
      holdout: { wins: 1, losses: 0, ties: 3 },
      work_baseline: 60,
      work_candidate: 60,
    },
  };
}

withResults(fill);

async function open(page: Page, change = "max_turns=40"): Promise<string> {
  await page.goto("/scorecards");
  await page.getByRole("list", { name: "Verdicts" }).getByRole("link", { name: change, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText(change);
  await page.waitForLoadState("networkidle");
  return page.url();
}

test("a verdict says what came of it, why, and what would flip it", async ({ page }) => {
  await open(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("✓ ACCEPT max_turns=40");
  await expect(page.getByText("Better on the selection slice and no worse on the holdout.")).toBeVisible();
  await expect(page.getByText("decided by rule 8 of 8: measured")).toBeVisible();
  const slices = page.getByRole("region", { name: "Better, worse, the same" });
  await expect(slices.getByRole("row", { name: /^selection/ })).toContainText("621");
  await expect(slices.getByRole("img")).toHaveAccessibleName(
    "selection: 6 better, 2 worse, 1 the same; holdout: 2 better, 0 worse, 3 the same",
  );
  await expect(page.getByRole("region", { name: "Work" })).toContainText("140 → 140 tool calls (100%)");
  await expect(page.getByRole("region", { name: "Changed cases" })).toContainText("− REGRESSED 2");
  await expect(page.getByRole("region", { name: "What would flip it" })).toContainText(
    "more lost pairs on the holdout → reject",
  );
  await expect(page.getByRole("region", { name: "Listed, never scored" })).toContainText("None");
});

test("a changed case leads to its runs in both arms", async ({ page }) => {
  await open(page);
  const changed = page.getByRole("region", { name: "Changed cases" }).getByRole("link").first();
  const id = (await changed.textContent()) ?? "";
  await changed.click();
  const drawer = page.getByRole("dialog", { name: id });
  await expect(drawer.getByRole("region", { name: "Card base.json" })).toContainText("Run 1");
  await expect(drawer.getByRole("region", { name: "Card cand.json" })).toContainText("Run 1");
});

test("the saved document passes the command that the page shows", async ({ page, dashboard }) => {
  await open(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Save the document" }).click(),
  ]);
  const folder = path.dirname(dashboard.home);
  await download.saveAs(path.join(folder, download.suggestedFilename()));
  await expect(page.getByText(`mecha verdict verify ${download.suggestedFilename()}`)).toBeVisible();
  const root = path.resolve(import.meta.dirname, "../..");
  const bin = path.join(root, "dist/mecha.mjs");
  const said = execFileSync(process.execPath, [bin, "verdict", "verify", download.suggestedFilename()], {
    cwd: folder,
    env: { NODE_ENV: "production", PATH: process.env.PATH ?? "", HOME: folder, MECHA_HOME: dashboard.home },
  });
  expect(said.toString()).toContain("every number follows");
});

test("the exported page opens without a server or script", async ({ page, browser, dashboard }) => {
  await open(page);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "one page that needs nothing else" }).click(),
  ]);
  const file = path.join(dashboard.home, "verdict.html");
  await download.saveAs(file);
  const context = await browser.newContext({ javaScriptEnabled: false, offline: true });
  const alone = await context.newPage();
  await alone.goto(`file://${file}`);
  await expect(alone.getByRole("heading", { level: 1 })).toContainText("ACCEPT max_turns=40");
  await context.close();
});

test("the list goes on page by page, and loses none", async ({ page }) => {
  await page.goto("/scorecards");
  const links = page.getByRole("list", { name: "Verdicts" }).getByRole("link");
  await expect(links).toHaveCount(20);
  await page
    .getByRole("region", { name: "Verdicts" })
    .getByRole("link", { name: "older", exact: true })
    .click();
  await expect(links).toHaveText(["older change 3", "older change 2", "older change 1"]);
  await page.getByRole("link", { name: "newest" }).click();
  await expect(links).toHaveCount(20);
});

test("verdict and A/B files of a results folder open in the same view", async ({ page }) => {
  await page.goto("/scorecards");
  await page.getByRole("link", { name: "sound.json" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("✓ ACCEPT max_turns=40");
  await expect(page.getByRole("region", { name: "Share" })).toHaveCount(0);
  await page.goto("/verdicts/changed.json");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("DOES NOT AGREE");
  await expect(page.getByRole("alert").filter({ hasText: "Do not rely on what it says" })).toContainText(
    "judgement.selection.wins: 7 in the file, 6 by its own",
  );
  await page.goto("/verdicts/ab.json");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("? PROPOSE max_turns=40");
  await expect(page.getByText("when it was judged is unknown")).toBeVisible();
  await expect(page.getByRole("region", { name: "Unknown in this file" })).toContainText(
    "models and providers",
  );
});

test("stamps are told in the zone that is asked for, and what is no stamp as it stands", async ({ page }) => {
  await page.goto("/verdicts/stamps.json?zone=Asia%2FKathmandu");
  await expect(page.getByText("(written down 2026-11-29 14:15)")).toBeVisible();
  const measured = page.getByRole("region", { name: "The arms" }).getByRole("row", { name: /^measured/ });
  await expect(measured.getByRole("cell")).toHaveText(["2026-11-30 15:45", "Tuesday <b>1</b>"]);
});

test("an id that is none, and a file that is none, are answered in words", async ({ page }) => {
  await page.goto("/verdicts/ffffffff");
  await expect(page.getByRole("heading", { name: "No verdict has this id" })).toBeVisible();
  await page.goto("/verdicts/base.json");
  await expect(
    page.getByRole("alert").filter({ hasText: "neither a verdict nor an A/B result" }),
  ).toBeVisible();
});

test("a verdict prints on two pages, without its buttons", async ({ page }) => {
  await open(page);
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("navigation", { name: "Pages" })).toBeHidden();
  await expect(page.getByRole("button", { name: "Make a link" })).toBeHidden();
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page[^s]/g)?.length).toBeLessThanOrEqual(2);
});

test("what the dashboard stores is not changed by looking at it", async ({ page, dashboard }) => {
  await open(page);
  const saved = async () => (await page.request.get(`${new URL(page.url()).pathname}/document`)).text();
  const before = await saved();
  writeFileSync(path.join(dashboard.home, "results/base.json"), "{}");
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("✓ ACCEPT max_turns=40");
  expect(await saved()).toBe(before);
  expect(verifyDocument(before).ok).toBe(true);
  expect((JSON.parse(before) as VerdictDocument).arms.baseline.name).toBe("base.json");
});
