import { expect, hydrated, sizeOf, test, withStore } from "./dashboard.ts";
import { type FakeSession, writeStore } from "./store.ts";

const SESSIONS = 22_000;
const MODELS = ["alpha", "beta", "gamma"];
const NEWEST = Date.parse("2026-11-29T12:00:00Z");

withStore((home) => {
  writeStore(home, sessions());
  return { MECHA_ZONE: "UTC" };
});

function* sessions(): Generator<FakeSession> {
  for (let index = 0; index < SESSIONS; index++) {
    const created_at = new Date(NEWEST - index * 5 * 60_000).toISOString();
    const id = `${created_at.slice(0, 19).replace(/[-:]/g, "")}-${index.toString(16).padStart(8, "0")}`;
    const outcome = { tool_calls: 6, tool_errors: index % 4 === 0 ? 1 : 0 };
    yield {
      id,
      created_at,
      model: MODELS[index % 3] ?? "",
      title: `Session number ${index}`,
      runs: [{ outcome }],
    };
  }
}

test("the list of 22 000 sessions stays small, wherever it is scrolled to", async ({ page }) => {
  const pages: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/sessions")) pages.push(sizeOf(response));
  });
  const answer = await page.goto("/sessions");
  expect((await answer?.body())?.length).toBeLessThan(150_000);
  await hydrated(page);
  await expect(page.getByText("Showing all 22\u202f000 sessions")).toBeVisible();
  const rows = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");
  expect(await rows.count()).toBeLessThan(100);
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight / 2));
  await expect(page.getByRole("link", { name: "Session number 11000", exact: true })).toBeVisible();
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  await expect(page.getByRole("link", { name: "Session number 21999", exact: true })).toBeVisible();
  expect(await rows.count()).toBeLessThan(100);
  expect(Math.max(...(await Promise.all(pages)))).toBeLessThan(60_000);
  expect(pages.length).toBeLessThan(12);
});

test("a page of the list is bounded whatever is asked for", async ({ request, dashboard }) => {
  for (const query of [
    "from=0&limit=22000",
    "from=-5",
    "from=1e9",
    "from=21990",
    "from=99999999",
    "q=number+219",
  ]) {
    const page = await (await request.get(`${dashboard.url}/api/sessions?${query}`)).json();
    expect(page.rows.length).toBeLessThanOrEqual(100);
    expect(page.of).toBe(SESSIONS);
  }
});

test("the runs of a stop cause are grouped as all other numbers are", async ({ page }) => {
  await page.goto("/?days=all");
  await expect(page.getByRole("region", { name: "Why runs stopped" })).toContainText("22\u202f000");
});

test("health of 22 000 sessions is a small page, quickly", async ({ request, dashboard }) => {
  const times: number[] = [];
  let shown = "";
  for (let count = 0; count < 30; count++) {
    const begun = dashboard.cpuMs();
    shown = await (await request.get(`${dashboard.url}/?days=all`)).text();
    times.push(dashboard.cpuMs() - begun);
  }
  expect(Buffer.byteLength(shown)).toBeLessThan(150_000);
  expect(shown).toContain("22\u202f000");
  // The first one reads the store, and some of the others look whether it is still the same.
  expect(Math.min(...times.slice(1))).toBeLessThan(150);
});
