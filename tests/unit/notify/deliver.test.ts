import type { OutgoingHttpHeaders } from "node:http";
import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { deliver } from "#lib/notify/deliver.ts";
import { postJson } from "#lib/notify/post.io.ts";
import type { Handler } from "#tests/support/fake-server.ts";
import { type Hook, startHook } from "./hook.ts";

let hook: Hook;
beforeEach(async () => {
  hook = await startHook();
});
afterEach(() => hook.close());

/** Sends for real, and only notes the waits. */
async function send(href = `${hook.url}/services/s3cr3t?token=s3cr3t`, timeoutMs = 2000) {
  const waits: number[] = [];
  const delivery = await deliver(
    () => postJson(href, JSON.stringify({ a: "é" }), timeoutMs),
    async (ms) => {
      waits.push(ms);
    },
  );
  expect(JSON.stringify(delivery)).not.toContain("s3cr3t");
  return { ...delivery, waits };
}

test("200: sent once, as JSON", async () => {
  expect(await send()).toEqual({ ok: true, waits: [] });
  expect(hook.seen).toHaveLength(1);
  expect(hook.seen[0]).toMatchObject({
    path: "/services/s3cr3t?token=s3cr3t",
    body: { a: "é" },
    headers: { "content-type": "application/json; charset=utf-8", "user-agent": "mecha-notify" },
  });
});

test("any 2xx is taken, also where its body never ends", async () => {
  hook.answer((_, response) => {
    response.writeHead(204);
    response.flushHeaders();
  });
  expect(await send()).toEqual({ ok: true, waits: [] });
  hook.answer((_, response) => {
    response.writeHead(200, { "content-length": "10" });
    response.write("ok");
  });
  expect(await send()).toEqual({ ok: true, waits: [] });
});

test("500 twice, then 200", async () => {
  hook.answer(status(500), status(503));
  expect(await send()).toEqual({ ok: true, waits: [1000, 2000] });
  expect(hook.seen).toHaveLength(3);
});

test("500 for good is given up after four tries", async () => {
  hook.answer(...Array.from({ length: 4 }, () => status(500)));
  expect(await send()).toEqual({
    ok: false,
    problem: "it answered with status 500 (given up after 4 tries)",
    waits: [1000, 2000, 4000],
  });
  expect(hook.seen).toHaveLength(4);
});

describe("429", () => {
  test("is waited for as long as it asks", async () => {
    hook.answer(status(429, { "retry-after": "7" }), status(429, { "retry-after": "0" }), status(429));
    expect(await send()).toEqual({ ok: true, waits: [7000, 0, 4000] });
  });

  test("with a date", async () => {
    hook.answer(status(429, { "retry-after": new Date(Date.now() + 20_000).toUTCString() }));
    const { ok, waits } = await send();
    expect(ok).toBe(true);
    expect(waits[0]).toBeGreaterThan(15_000);
    expect(waits[0]).toBeLessThanOrEqual(20_000);
  });

  test("that asks for too long is left to the next run", async () => {
    hook.answer(status(429, { "retry-after": "31" }));
    expect(await send()).toEqual({
      ok: false,
      problem: "it answered with status 429, and asks for a wait of 31 s: too long to wait here",
      waits: [],
    });
  });

  test.each(["soon", "-1", "1e3", "99999999999999"])("with retry-after %s waits as usual", async (text) => {
    hook.answer(status(429, { "retry-after": text }));
    expect(await send()).toEqual({ ok: true, waits: [1000] });
  });
});

test.each([301, 302, 307, 308])("%d is not followed", async (code) => {
  const other = await startHook();
  hook.answer(status(code, { location: `${other.url}/s3cr3t` }));
  expect(await send()).toEqual({
    ok: false,
    problem: `it answered with status ${code}, a redirect, which is not followed`,
    waits: [],
  });
  expect(other.seen).toEqual([]);
  await other.close();
});

describe("400 is not tried again", () => {
  test.each([
    ["invalid_token", " (invalid_token)"],
    ["Cannot POST /services/s3cr3t", ""],
    ["<h1>no</h1>", ""],
    ["", ""],
  ])("%j", async (said, shown) => {
    hook.answer(status(400, {}, said));
    expect(await send()).toEqual({ ok: false, problem: `it answered with status 400${shown}`, waits: [] });
  });

  test("nor is a word of the address repeated", async () => {
    hook.answer(status(404, {}, "my_hook"));
    expect(await send(`${hook.url}/my_hook`)).toMatchObject({ problem: "it answered with status 404" });
  });

  test("nor an endless page waited for, and its connection is let go", async () => {
    const gone = new Promise((resolve) => {
      hook.answer((_, response) => {
        response.writeHead(400);
        response.write("x".repeat(5000));
        response.on("close", resolve);
      });
    });
    expect(await send()).toMatchObject({ ok: false, problem: "it answered with status 400" });
    await gone;
  });
});

test("no answer in time is tried again", async () => {
  hook.answer(() => undefined);
  // The second answer has as long to come.
  expect(await send(undefined, 1500)).toEqual({ ok: true, waits: [1000] });
});

test("an answer that comes drop by drop is cut off", async () => {
  hook.answer((_, response) => {
    response.writeHead(400);
    const timer = setInterval(() => response.write("x"), 50);
    response.on("close", () => clearInterval(timer));
  });
  expect(await send(undefined, 1500)).toEqual({ ok: true, waits: [1000] });
});

test("nobody listening is tried again, and then given up", async () => {
  const port = await closedPort();
  expect(await send(`http://127.0.0.1:${port}/s3cr3t`)).toEqual({
    ok: false,
    problem: "no server is listening there (given up after 4 tries)",
    waits: [1000, 2000, 4000],
  });
});

test("a connection that breaks, and one that speaks no HTTP", async () => {
  hook.answer((_, response) => response.destroy());
  expect(await send()).toEqual({ ok: true, waits: [1000] });
  const raw = createServer((socket) => socket.end("s3cr3t\r\n\r\n"));
  const port = await new Promise<number>((resolve) =>
    raw.listen(0, "127.0.0.1", () => resolve((raw.address() as { port: number }).port)),
  );
  expect(await send(`http://127.0.0.1:${port}/`)).toMatchObject({
    ok: false,
    problem: "the request failed: HPE_INVALID_CONSTANT (given up after 4 tries)",
  });
  raw.close();
});

test("a server without TLS gets nothing of what was for one with it", async () => {
  expect(await send(`${hook.url.replace("http:", "https:")}/s3cr3t`)).toMatchObject({ ok: false });
  expect(hook.seen).toEqual([]);
});

test("a name and a password in the address are sent as such", async () => {
  expect(await send(hook.url.replace("://", "://me:s3cr3t%40@"))).toMatchObject({ ok: true });
  expect(hook.seen[0]?.headers.authorization).toBe(`Basic ${Buffer.from("me:s3cr3t@").toString("base64")}`);
});

function status(code: number, headers: OutgoingHttpHeaders = {}, said = ""): Handler {
  return (_, response) => {
    response.writeHead(code, headers);
    response.end(said);
  };
}

async function closedPort(): Promise<number> {
  const one = await startHook();
  await one.close();
  return Number(new URL(one.url).port);
}
