import { expect, test, withStore } from "./dashboard.ts";
import { ask } from "./guarded.ts";
import { knownSessions } from "./known-store.ts";
import { writeStore } from "./store.ts";

withStore((home) => {
  writeStore(home, knownSessions());
  return { MECHA_ALLOWED_HOSTS: "mecha.lan" };
});

const PATHS = [
  "/",
  "/findings",
  "/sessions",
  "/sessions/",
  "/api/sessions",
  "/icon.svg",
  "/_next/static/chunks/x.js",
  "/nothing",
  "/?_rsc=1",
];

test("a name that is not ours is refused on every path, prefetches too", async ({ dashboard: { port } }) => {
  for (const path of PATHS) {
    for (const extra of [
      {},
      { "Next-Router-Prefetch": "1", RSC: "1" },
      { "X-Forwarded-Host": `localhost:${port}` },
    ]) {
      const answer = await ask(port, path, { headers: { Host: `evil.example:${port}`, ...extra } });
      expect([path, answer.status]).toEqual([path, 403]);
      expect(answer.headers["content-type"]).toContain("text/plain");
      expect(answer.body).not.toContain("alpha");
    }
  }
});

test("a slash at the end of a path leads to the page, without a detour", async ({ dashboard: { port } }) => {
  const Host = `localhost:${port}`;
  expect((await ask(port, "/sessions/", { headers: { Host } })).body).toContain("<title>Sessions");
  expect((await ask(port, "/nothing/", { headers: { Host } })).status).toBe(404);
});

test("a path whose encoding is none names nothing, and is still refused to strangers", async ({
  dashboard: { port },
}) => {
  const Host = `localhost:${port}`;
  for (const path of [
    "/%ff",
    "/sessions/%E0%A4",
    "/v/%",
    "/review/%c0%af?days=%ff",
    "/api/sessions/%ff/entries",
  ]) {
    const { status, headers } = await ask(port, path, { headers: { Host } });
    expect([path, status, Boolean(headers["content-security-policy"])]).toEqual([path, 404, true]);
    expect((await ask(port, path, { headers: { Host: `evil.example:${port}` } })).status).toBe(403);
  }
});

test("an upgrade to a web socket is refused at once", async ({ dashboard: { port } }) => {
  const upgrade = { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Version": "13" };
  for (const host of [`localhost:${port}`, "evil.example"])
    expect((await ask(port, "/", { headers: { Host: host, ...upgrade } })).status).toBe(403);
});

test("our own names are answered", async ({ dashboard: { port } }) => {
  for (const host of [
    `127.0.0.1:${port}`,
    `localhost:${port}`,
    `[::1]:${port}`,
    "mecha.lan",
    `mecha.lan:${port}`,
  ]) {
    expect((await ask(port, "/icon.svg", { headers: { Host: host } })).status).toBe(200);
  }
  for (const host of ["localhost", `localhost:${port + 1}`, ""]) {
    expect((await ask(port, "/", { headers: { Host: host } })).status).not.toBe(200);
  }
});

test("a request that changes something needs an origin that is ours", async ({ dashboard: { port } }) => {
  const Host = `127.0.0.1:${port}`;
  const post = (headers: Record<string, string>, path = "/") =>
    ask(port, path, { method: "POST", headers: { Host, ...headers } });
  for (const path of ["/", "/sessions", "/api/sessions"]) {
    expect((await post({}, path)).status).toBe(403);
    expect((await post({ Origin: "http://evil.example" }, path)).status).toBe(403);
    expect((await post({ Origin: "null" }, path)).status).toBe(403);
    expect((await post({ Origin: "http://evil.example", "Next-Router-Prefetch": "1" }, path)).status).toBe(
      403,
    );
  }
  expect((await post({ Origin: `http://127.0.0.1:${port}` }, "/api/sessions")).status).toBe(405);
});

test("other sites cannot pull answers into their pages", async ({ dashboard: { port } }) => {
  const Host = `127.0.0.1:${port}`;
  const foreign = {
    Host,
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "no-cors",
    "Sec-Fetch-Dest": "script",
  };
  expect((await ask(port, "/api/sessions", { headers: foreign })).status).toBe(403);
  expect(
    (await ask(port, "/api/sessions", { headers: { ...foreign, "Sec-Fetch-Site": "same-site" } })).status,
  ).toBe(403);
});

test("every answer carries its policy, with a nonce of its own", async ({ dashboard: { port } }) => {
  const nonces = new Set<string>();
  for (const path of ["/", "/findings", "/sessions", "/nothing", "/api/sessions"]) {
    const { headers, body } = await ask(port, path, { headers: { Host: `localhost:${port}` } });
    const policy = String(headers["content-security-policy"]);
    const nonce = /script-src 'nonce-([A-Za-z0-9+/=]+)' 'strict-dynamic';/.exec(policy)?.[1];
    expect(nonce).toBeTruthy();
    nonces.add(nonce ?? "");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe-eval");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
    expect(headers["x-powered-by"]).toBeUndefined();
    for (const [tag] of body.matchAll(/<script[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
  }
  expect(nonces.size).toBe(5);
});

test("nothing is asked of any other machine", async ({ page, dashboard }) => {
  const asked = new Set<string>();
  page.on("request", (request) => asked.add(new URL(request.url()).origin));
  for (const path of ["/?days=all", "/findings", "/sessions"]) {
    await page.goto(path);
    await page.waitForLoadState("networkidle");
  }
  expect([...asked]).toEqual([dashboard.url]);
});
