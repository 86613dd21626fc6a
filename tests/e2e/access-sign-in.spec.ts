import { revokeToken } from "#lib/access/tokens.io.ts";
import { aRaw } from "#tests/unit/verdict/raw.ts";
import { expect, test } from "./dashboard.ts";
import { ask, fromItsOwnAddress, inDatabase, signInWith, withTokens } from "./guarded.ts";
import { storeVerdicts } from "./results.ts";

let verdict = "";
let data = "";

const tokens = withTokens(["ada", "bob", "ci"], (folder) => {
  data = folder;
  verdict = storeVerdicts({ data, results: data }, [aRaw("++++++--=", "++===")])[0]?.id ?? "";
});

test.beforeEach(({ page }) => fromItsOwnAddress(page));

test.describe("a stranger", () => {
  const PATHS = ["/", "/findings", "/sessions", "/scorecards", "/audit", "/nothing", "/sessions/"];

  test("is led from every page to the sign-in, and back to where he wanted", async ({ page }) => {
    for (const path of PATHS.slice(1)) {
      await page.goto(path);
      expect(new URL(page.url()).searchParams.get("next")).toBe(path);
    }
    await page.goto("/sessions?q=a%26b&sort=-runs");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sign in");
    await expect(page.getByRole("navigation")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Audit" })).toHaveCount(0);
    await signInWith(page, tokens.ada ?? "");
    await expect(page).toHaveURL(/\/sessions\?q=a%26b&sort=-runs$/);
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
  });

  test("is not told what was wrong, and stays outside", async ({ page, context, dashboard: { said } }) => {
    const before = said().length;
    await page.goto("/signin");
    for (const wrong of ["ada", `mecha_${"A".repeat(43)}`]) {
      await signInWith(page, wrong);
      await expect(page.getByRole("alert").filter({ hasText: "✕" })).toHaveText(
        "✕ This token does not open this dashboard.",
      );
      await expect(page.getByLabel("Token")).toHaveValue("");
    }
    expect(await context.cookies()).toEqual([]);
    await expect
      .poll(() =>
        said()
          .slice(before)
          .match(/a wrong token from 10\.9\./g),
      )
      .toHaveLength(2);
    expect(said()).not.toContain("A".repeat(43));
  });

  test("is told 401 where no page is wanted, whatever he says of himself", async ({
    dashboard: { port },
  }) => {
    const Host = `localhost:${port}`;
    for (const path of [
      ...PATHS,
      "/api/sessions",
      "/api/nothing",
      "/metrics",
      "/_next/image",
      `/verdicts/${verdict}/document`,
    ]) {
      for (const extra of [
        {},
        { RSC: "1", "Next-Router-Prefetch": "1" },
        { "x-mecha-who": "ada" },
        { "x-middleware-subrequest": "proxy:proxy:proxy:proxy:proxy", "x-action-forwarded": "1" },
        { Cookie: "mecha_session=x; __Host-mecha_session=y" },
        { Authorization: "Basic YWRhOmFkYQ==" },
      ] as Record<string, string>[]) {
        const answer = await ask(port, path, { headers: { Host, ...extra } });
        expect([path, extra, answer.status]).toEqual([path, extra, 401]);
        expect(answer.headers["www-authenticate"]).toBe('Bearer realm="mecha"');
      }
    }
    const html = await ask(port, "/api/sessions", { headers: { Host, Accept: "text/html" } });
    expect(html.status).toBe(401);
  });

  test("finds no way around by how a path is spelled", async ({ dashboard: { port } }) => {
    const Host = `localhost:${port}`;
    for (const path of [
      "/_next/static/../../sessions",
      "/_next/static/%2e%2e/%2e%2e/sessions",
      "/_next/static/..%2f..%2fsessions",
      "/v/../sessions",
      "/v/%2e%2e/sessions",
      "/v/x/../../audit",
      "/v/x%2f..%2f..%2faudit",
      "/signin/../audit",
      "/signin%2f..%2faudit",
      "/signin;/../audit",
      "//audit",
      "/./audit",
      "/AUDIT",
      "/audit.rsc",
      "/audit.txt",
      "/_next/data/x/audit.json",
      "/signin?/audit",
      "/audit?/signin",
      "/audit?next=/signin&_rsc=1",
    ]) {
      const { status, body } = await ask(port, path, { headers: { Host } });
      expect(body, path).not.toContain("Who changed something");
      if (status === 200) expect(body, path).toContain("<title>Sign in");
    }
  });
});

test("an address of another site after the sign-in is not followed", async ({ page, dashboard }) => {
  await page.goto(`/signin?next=${encodeURIComponent("//evil.example/x")}`);
  await signInWith(page, tokens.ada ?? "");
  await expect(page).toHaveURL(`${dashboard.url}/`);
});

test("the cookie is kept from scripts and other sites, and ends with the sign-out", async ({
  page,
  context,
}) => {
  await page.goto("/audit");
  await signInWith(page, tokens.ada ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Audit");
  const [cookie, ...others] = await context.cookies();
  expect(others).toEqual([]);
  expect(cookie).toMatchObject({ name: "mecha_session", httpOnly: true, sameSite: "Strict", path: "/" });
  expect(cookie?.value).not.toContain(tokens.ada?.slice(6));
  expect(await page.evaluate(() => document.cookie)).toBe("");
  await page.getByRole("button", { name: "Sign out ada" }).click();
  await expect(page).toHaveURL(/\/signin$/);
  expect(await context.cookies()).toEqual([]);
  // Whoever had copied it finds it ended.
  await context.addCookies(cookie ? [cookie] : []);
  await page.goto("/audit");
  await expect(page).toHaveURL(/\/signin\?next=%2Faudit$/);
});

test("a link on another site leads whoever is signed in to the page, and a stranger to the sign-in", async ({
  page,
  dashboard,
}) => {
  const target = `${dashboard.url}/sessions?q=a%26b%22%3C`;
  const follow = async () => {
    await page.goto(`data:text/html,<a href="${encodeURIComponent(target)}">a colleague's link</a>`);
    await page.getByRole("link").click();
  };
  await follow();
  await expect(page).toHaveURL(/\/signin\?next=/);
  await signInWith(page, tokens.ada ?? "");
  await expect(page).toHaveURL(/\/sessions\?q=/);
  await follow();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Sessions");
  expect(new URL(page.url()).searchParams.get("q")).toBe('a&b"<');
});

test("over TLS the cookie is bound to the host", async ({ browser, dashboard }) => {
  const Origin = `https://127.0.0.1:${dashboard.port}`;
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${dashboard.url}/signin`);
  const fields = await page
    .locator("form input[type=hidden]")
    .evaluateAll((inputs) =>
      inputs.map((input) => [input.getAttribute("name") ?? "", input.getAttribute("value") ?? ""]),
    );
  const form = new FormData();
  for (const [name = "", value = ""] of fields) form.set(name, value);
  form.set("token", tokens.bob ?? "");
  const sent = new Request("http://x", { method: "POST", body: form });
  const answer = await ask(dashboard.port, "/signin", {
    method: "POST",
    headers: {
      Host: `127.0.0.1:${dashboard.port}`,
      Origin,
      "X-Forwarded-Proto": "https",
      "Content-Type": sent.headers.get("content-type") ?? "",
    },
    body: await sent.text(),
  });
  expect(answer.status).toBe(303);
  expect(String(answer.headers["set-cookie"])).toMatch(
    /^__Host-mecha_session=[\w-]{43}; Path=\/; Expires=[^;]+; Max-Age=7776000; Secure; HttpOnly; SameSite=strict$/i,
  );
  await page.context().close();
});

test("without a script one signs in and out all the same", async ({ browser, dashboard }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: dashboard.url });
  const page = await context.newPage();
  await page.goto("/findings");
  await signInWith(page, "wrong");
  await expect(page.getByRole("alert")).toHaveText("✕ This token does not open this dashboard.");
  await signInWith(page, tokens.bob ?? "");
  await expect(page).toHaveURL(`${dashboard.url}/findings`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Findings");
  await page.goto("/signin");
  await expect(page.getByText("You are signed in with the token bob")).toBeVisible();
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByLabel("Token")).toBeVisible();
  expect(await context.cookies()).toEqual([]);
  await context.close();
});

test("a program sends its token and needs no origin; beside a browser's headers it does", async ({
  dashboard: { port },
}) => {
  const Host = `127.0.0.1:${port}`;
  const Authorization = `Bearer ${tokens.ci}`;
  const of = async (method: string, path: string, headers: Record<string, string>) =>
    (await ask(port, path, { method, headers: { Host, ...headers } })).status;
  expect(await of("GET", "/api/sessions", { Authorization })).toBe(200);
  expect(await of("GET", "/", { Authorization })).toBe(200);
  // It may pass: what it asks for is not there.
  expect(await of("POST", "/api/sessions", { Authorization })).toBe(405);
  expect(await of("POST", "/api/sessions", { Authorization, Origin: "http://evil.example" })).toBe(403);
  expect(await of("POST", "/api/sessions", { Authorization, Origin: "null" })).toBe(403);
  expect(await of("POST", "/api/sessions", { Authorization, "Sec-Fetch-Site": "cross-site" })).toBe(403);
  expect(await of("GET", "/api/sessions", { Authorization, Host: "evil.example" })).toBe(403);
  expect(await of("GET", "/api/sessions", { Authorization: `${Authorization}x` })).toBe(401);
  expect(await of("GET", "/signin", { Authorization: "Bearer mecha_wrong" })).toBe(401);
});

test("a shared verdict needs no sign-in, and opens nothing else", async ({ page, browser, dashboard }) => {
  await page.goto(`/verdicts/${verdict}`);
  await signInWith(page, tokens.ada ?? "");
  await page.waitForLoadState("networkidle");
  await page.getByRole("textbox", { name: "Who it is for" }).fill("the board");
  await page.getByRole("button", { name: "Make a link" }).click();
  const url = (await page.getByRole("status").locator("code").textContent()) ?? "";
  const context = await browser.newContext();
  const guest = await context.newPage();
  expect((await guest.goto(url))?.status()).toBe(200);
  await expect(guest.getByRole("heading", { level: 1 })).toContainText("ACCEPT");
  expect((await guest.request.get(`${url}/document`)).status()).toBe(200);
  expect(await context.cookies()).toEqual([]);
  for (const path of ["/", "/scorecards", `/verdicts/${verdict}`, "/audit"]) {
    await guest.goto(`${dashboard.url}${path}`);
    await expect(guest).toHaveURL(/\/signin/);
  }
  await context.close();
  await page.goto("/audit");
  const line = page.getByRole("row").filter({ hasText: "made a link to a verdict" });
  await expect(line).toContainText("ada");
  await expect(line).toContainText("the board");
  await line.getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`/verdicts/${verdict}$`));
  await page.getByRole("button", { name: "Revoke the link for the board" }).click();
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect(page.getByText("✕ revoked")).toBeVisible();
  await page.goto("/audit");
  await expect(page.getByRole("row").nth(1)).toContainText("revoked a link to a verdict");
});

test("a revoked token ends what was open with it at once", async ({ page, dashboard: { port } }) => {
  await page.goto("/findings");
  await signInWith(page, tokens.bob ?? "");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Findings");
  inDatabase(data, ({ db }) => revokeToken(db, "bob", Date.now()));
  await page.reload();
  await expect(page).toHaveURL(/\/signin/);
  await signInWith(page, tokens.bob ?? "");
  await expect(page.getByRole("alert").filter({ hasText: "✕" })).toBeVisible();
  const headers = { Host: `localhost:${port}`, Authorization: `Bearer ${tokens.bob}` };
  expect((await ask(port, "/api/sessions", { headers })).status).toBe(401);
});

test("who tries too often waits, and the others do not", async ({ dashboard: { port, said } }) => {
  const Host = `localhost:${port}`;
  const attempt = async (Authorization: string, from: string) =>
    ask(port, "/api/sessions", { headers: { Host, Authorization, "X-Forwarded-For": `1.1.1.1, ${from}` } });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await attempt("Bearer wrong", "10.0.0.1")).status);
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  expect(Number((await attempt("Bearer wrong", "10.0.0.1")).headers["retry-after"])).toBeGreaterThan(0);
  expect((await attempt("Bearer wrong", "10.0.0.2")).status).toBe(401);
  expect((await attempt(`Bearer ${tokens.ci}`, "10.0.0.1")).status).toBe(200);
  // Each that was let through is told where the server was started; what was held up is not.
  const told = (from: string) =>
    said()
      .split("\n")
      .filter((line) => line.endsWith(` a wrong token from ${from}`));
  await expect.poll(() => told("10.0.0.2")).toHaveLength(1);
  expect(told("10.0.0.1")).toHaveLength(10);
});

test("one token changes 120 things a minute at most", async ({ dashboard: { port } }) => {
  const headers = { Host: `localhost:${port}`, Authorization: `Bearer ${tokens.ci}` };
  const statuses = new Map<number, number>([[429, 0]]);
  const begun = performance.now();
  // While they are sent, two a second are allowed anew: a slow machine sends more until ten are refused.
  while ((statuses.get(429) ?? 0) < 10) {
    const { status } = await ask(port, "/api/sessions", { method: "POST", headers });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const allowed = 120 + (2 * (performance.now() - begun)) / 1000;
  expect(statuses.get(405)).toBeGreaterThanOrEqual(110);
  expect(statuses.get(405)).toBeLessThanOrEqual(allowed);
  expect([...statuses.keys()].sort()).toEqual([405, 429]);
  expect((await ask(port, "/api/sessions", { headers })).status).toBe(200);
});
