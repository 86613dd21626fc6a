import { describe, expect, it } from "vitest";
import { isForPrograms, isOpenPath, nextPath, signInHref } from "#app/_access/paths.ts";
import { sessionCookie, sessionIn } from "#app/_access/session-cookie.ts";

describe("without a sign-in", () => {
  it.each([
    "/signin",
    "/signin/",
    "/icon.svg",
    "/favicon.ico",
    "/v/abc",
    "/v/abc/document",
    "/_next/static/chunks/a.js",
  ])("%s is answered", (path) => expect(isOpenPath(path)).toBe(true));
  it.each([
    "/",
    "/signin/x",
    "/signinx",
    "/v",
    "/v/",
    "/v/a/b",
    "/v/a/document/x",
    "/V/abc",
    "/verdicts/abc",
    "/_next/static",
    "/_next/image",
    "/_next/data/x/sessions.json",
    "/api/sessions",
    "/metrics",
    "/audit",
    "/x/icon.svg",
    "//v/abc",
  ])("%s is not", (path) => expect(isOpenPath(path)).toBe(false));
});

it.each([
  ["/api/health.json", true],
  ["/metrics", true],
  ["/metrics/", true],
  ["/apiary", false],
  ["/", false],
])("%s is for programs: %s", (path, programs) => expect(isForPrograms(path)).toBe(programs));

describe("where a sign-in leads on to", () => {
  it.each(["/sessions?q=a&sort=-runs", "/verdicts/ab%20c", "/experiments/1"])("%s", (path) => {
    expect(nextPath(path)).toBe(path);
  });
  it.each([
    null,
    "",
    "sessions",
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example/",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/.//evil.example",
    "/x/..//evil.example",
    "/%2e//evil.example",
    "javascript:alert(1)",
    "/a\u0000b",
    "/a\u202eb",
    "/signin",
    "/signin?next=/signin",
    `/${"a".repeat(2000)}`,
  ])("%j leads home", (path) => expect(nextPath(path)).toBe("/"));
  it("is a path of ours by a browser's own reading, whatever it was made of", () => {
    const parts = ["/", "\\", ".", "..", "%2f", "%5c", "@", ":", "evil.example", "\t", "?", "#", "http:", ""];
    for (const a of parts)
      for (const b of parts)
        for (const c of parts)
          for (const d of parts) {
            const next = nextPath(`${a}${b}${c}${d}evil.example`);
            expect(new URL(next, "http://here.test/x/y").origin).toBe("http://here.test");
          }
  });
});

it("the sign-in page leads back, without the router's mark", () => {
  expect(signInHref("/", "")).toBe("/signin");
  expect(signInHref("/sessions", "?q=a%26b&_rsc=1x")).toBe("/signin?next=%2Fsessions%3Fq%3Da%2526b");
  expect(signInHref("//evil.example", "")).toBe("/signin");
});

describe("the cookie of a sign-in", () => {
  const jar = (held: Record<string, string>) => ({
    get: (name: string) => (held[name] === undefined ? undefined : { value: held[name] }),
  });
  it("is bound to the host over TLS", () => {
    expect(sessionCookie("https://mecha.lan")).toEqual({
      name: "__Host-mecha_session",
      marks: { httpOnly: true, sameSite: "strict", path: "/", secure: true },
    });
    for (const origin of ["http://127.0.0.1:3000", "null", null])
      expect(sessionCookie(origin)).toMatchObject({ name: "mecha_session", marks: { secure: false } });
  });
  it("counts before one that a neighbour could have planted", () => {
    expect(sessionIn(jar({ mecha_session: "planted", "__Host-mecha_session": "own" }))).toBe("own");
    expect(sessionIn(jar({ mecha_session: "plain" }))).toBe("plain");
    expect(sessionIn(jar({ mecha_session: "" }))).toBeNull();
  });
});
