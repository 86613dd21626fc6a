import { writeFileSync } from "node:fs";
import path from "node:path";
import { STAMP } from "#lib/demo/stamp.io.ts";
import { expectAccessible, LOOKS, wear } from "./accessible.ts";
import { expect, hydrated, listening, open, test, withStore } from "./dashboard.ts";
import { AS_OF, knownSessions } from "./known-store.ts";
import { writeStore, writeTriggers } from "./store.ts";

withStore((home) => {
  writeStore(home, knownSessions());
  writeTriggers(home, { nightly: 'schedule = "0 2 * * *"\nprompt = "Tidy."\ntimezone = "UTC"\n' }, [
    { trigger: "nightly", started_at: "2026-11-28T02:00:00Z", status: "ok", tool_calls: 12 },
    { trigger: "nightly", started_at: "2026-11-29T02:00:00Z", status: "error" },
  ]);
  // What the maker of the demo store leaves beside what it made.
  writeFileSync(path.join(home, STAMP), "");
  return { MECHA_ZONE: "UTC" };
});

const PAGES = [
  `/?days=35&as_of=${AS_OF}`,
  `/?days=35&as_of=${AS_OF}&model=alpha`,
  "/?days=1&as_of=2026-11-20",
  `/findings?as_of=${AS_OF}`,
  "/sessions",
  "/sessions?q=nothing-fits-this",
  "/sessions/20261123T080000-00000000?source=mecha",
  "/sessions/nobody",
  "/nothing-here",
];

for (const look of LOOKS)
  test(`axe finds nothing, and nothing scrolls sideways: ${look.name}`, async ({ page }) => {
    await wear(page, look);
    for (const path of PAGES) {
      await open(page, path);
      await expectAccessible(page);
    }
  });

test("the table behind the chart and the list of keys pass too", async ({ page }) => {
  await page.goto(`/?days=35&as_of=${AS_OF}`);
  await hydrated(page);
  await page.getByRole("button", { name: "table", exact: true }).click();
  await expectAccessible(page);
  await listening(page, 1);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectAccessible(page);
});

test("behind the list of keys the whole page fades into its ground, in the dark too", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, "/");
  await listening(page, 1);
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toBeVisible();
  const veil = await page.evaluate(() => {
    const over = document.elementFromPoint(4, 4);
    const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    if (over === null || paint === null) return null;
    const colours = [document.documentElement, over].map((part) => {
      paint.fillStyle = getComputedStyle(part).backgroundColor;
      paint.fillRect(0, 0, 1, 1);
      return [...paint.getImageData(0, 0, 1, 1).data];
    });
    return { inHeader: over.closest("header") !== null, ground: colours[0], covered: colours[1] };
  });
  expect(veil?.inHeader).toBe(false);
  expect(veil?.covered).toEqual(veil?.ground);
});

test("the theme is chosen, kept, and set before the page is drawn", async ({ page }) => {
  await page.goto("/");
  await hydrated(page);
  const dark = () => page.evaluate(() => document.documentElement.classList.contains("dark"));
  await page.getByRole("button", { name: /Theme: system/ }).click();
  await page.getByRole("button", { name: /Theme: light/ }).click();
  await expect.poll(dark).toBe(true);
  await page.reload({ waitUntil: "commit" });
  await expect.poll(dark).toBe(true);
});

test("every page says that it shows demo data", async ({ page }) => {
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole("complementary", { name: "Demo data" })).toBeVisible();
  }
});

test("the first stop of the keyboard leads past the header", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});
