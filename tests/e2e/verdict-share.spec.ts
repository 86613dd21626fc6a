import type { APIResponse, Browser, Page } from "@playwright/test";
import { aRaw } from "#tests/unit/verdict/raw.ts";
import { expect, test } from "./dashboard.ts";
import { storeVerdicts, withResults } from "./results.ts";

let expired = "";

withResults((places) => {
  storeVerdicts(places, [
    aRaw("++++++--=", "++==="),
    { ...aRaw("+---====", "=="), created_at: "2026-11-01T12:00:00Z" },
  ]);
});

/** Makes a link on the newest verdict's page and returns its address. */
async function makeLink(page: Page, name: string, days = "30"): Promise<string> {
  await page.goto("/scorecards");
  await page.getByRole("list", { name: "Verdicts" }).getByRole("link").first().click();
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Who it is for" }).fill(name);
  await page.getByRole("combobox", { name: "It works for" }).selectOption(days);
  await page.getByRole("button", { name: "Make a link" }).click();
  const code = page.getByRole("status").filter({ hasText: "Copy it now" }).locator("code");
  await expect(code).toHaveText(/^http:\/\/127\.0\.0\.1:\d+\/v\/[\w-]{22}$/);
  return (await code.textContent()) ?? "";
}

/** The address in a browser that has never been here, and what it was answered. */
async function inFreshBrowser<T>(browser: Browser, look: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext();
  try {
    return await look(await context.newPage());
  } finally {
    await context.close();
  }
}

/** All of an answer that somebody who tries tokens could tell apart; the nonce of a request is its own. */
async function answerOf(answer: APIResponse) {
  const nonce = /'nonce-([^']+)'/.exec(answer.headers()["content-security-policy"] ?? "")?.[1] ?? "none";
  const text = (of: string) => of.replaceAll(nonce, "NONCE");
  const headers = Object.entries(answer.headers()).filter(([name]) => name !== "date");
  return {
    status: answer.status(),
    body: text(await answer.text()),
    headers: headers.map(([name, value]) => `${name}: ${text(value)}`).sort(),
  };
}

test("a link is made, opens the verdict and nothing else in a fresh browser, and is revoked", async ({
  page,
  browser,
}) => {
  const url = await makeLink(page, "the board");
  await expect(page.getByRole("list", { name: "Links to this verdict" })).toContainText("the board");
  await inFreshBrowser(browser, async (fresh) => {
    const asked: string[] = [];
    fresh.on("request", (request) => asked.push(request.url()));
    const answer = await fresh.goto(url);
    expect(answer?.status()).toBe(200);
    await expect(fresh.getByRole("heading", { level: 1 })).toContainText("ACCEPT");
    await expect(fresh.getByRole("navigation")).toHaveCount(0);
    expect(await fresh.locator("script, form, input, a:not([download])").count()).toBe(0);
    expect(await fresh.content()).not.toContain("/scorecards");
    expect(answer?.headers()["x-robots-tag"]).toContain("noindex");
    expect(answer?.headers()["cache-control"]).toContain("no-store");
    expect(answer?.headers()["referrer-policy"]).toBe("no-referrer");
    // Its own style is applied, and it asked for nothing beside itself.
    expect(await fresh.locator("h1").evaluate((one) => getComputedStyle(one).fontSize)).toBe("28px");
    expect(asked.filter((one) => !one.endsWith("/favicon.ico"))).toEqual([url]);
    const document = await fresh.request.get(`${url}/document`);
    expect(await document.json()).toMatchObject({ schema: "mecha.verdict/1" });
  });
  await page.getByRole("button", { name: "Revoke the link for the board" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByRole("list", { name: "Links to this verdict" })).toContainText("✕ revoked");
  const closed = await inFreshBrowser(browser, async (fresh) => (await fresh.goto(url))?.status());
  expect(closed).toBe(404);
  expect((await page.request.get(`${url}/document`)).status()).toBe(404);
});

test("the token is shown once, and is nowhere in the page afterwards", async ({ page }) => {
  const token = new URL(await makeLink(page, "once")).pathname.slice(3);
  await page.reload();
  await expect(page.getByRole("list", { name: "Links to this verdict" })).toContainText("once");
  expect(await page.content()).not.toContain(token);
});

test("a wrong, an expired and a revoked token are answered alike", async ({ page, dashboard }) => {
  const revoked = await makeLink(page, "to be revoked");
  await page.getByRole("button", { name: "Revoke the link for to be revoked" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByRole("button", { name: "Revoke", exact: true })).toHaveCount(0);
  expired = await makeLink(page, "over already", "1");
  await endAllLinks(dashboard.home);
  await page.reload();
  await expect(page.getByRole("list", { name: "Links to this verdict" })).toContainText("○ expired");
  const wrong = `${dashboard.url}/v/AAAAAAAAAAAAAAAAAAAAAA`;
  const [first, ...others] = await Promise.all(
    [wrong, revoked, expired, `${dashboard.url}/v/x`, `${dashboard.url}/v/%00%E2%80%AE`].map(async (url) =>
      answerOf(await page.request.get(url)),
    ),
  );
  expect(first?.status).toBe(404);
  for (const other of others) expect(other).toEqual(first);
});

/** Lets every link have ended a second ago, as only time would. */
async function endAllLinks(home: string) {
  const { openDb } = await import("#db/client.ts");
  const { DB_FILE } = await import("#db/db-file.ts");
  const { shareTokens } = await import("#db/schema.ts");
  const { db, close } = openDb(`${home}/data/${DB_FILE}`);
  db.update(shareTokens)
    .set({ expiresAt: Date.now() - 1000 })
    .run();
  close();
}

test("a link needs a name, and says so", async ({ page }) => {
  await page.goto("/scorecards");
  await page.getByRole("list", { name: "Verdicts" }).getByRole("link").first().click();
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Who it is for" }).fill("   ");
  await page.getByRole("button", { name: "Make a link" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "a link needs a name" })).toBeVisible();
});
