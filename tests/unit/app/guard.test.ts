import { describe, expect, it } from "vitest";
import { type AccessPolicy, type RequestFacts, refusal } from "#app/_access/guard.ts";
import { contentPolicy } from "#app/_access/policy.ts";

const policy: AccessPolicy = { port: "3000", allowed: ["mecha.lan", "desk.example:8443"] };
const get: RequestFacts = {
  method: "GET",
  host: "127.0.0.1:3000",
  origin: null,
  site: null,
  mode: null,
  dest: null,
};

describe("Host", () => {
  it.each([
    ["127.0.0.1:3000", true],
    ["localhost:3000", true],
    ["LOCALHOST:3000", true],
    ["[::1]:3000", true],
    ["mecha.lan", true],
    ["mecha.lan:3000", true],
    ["mecha.lan:9", true],
    ["desk.example:8443", true],
    ["desk.example", false],
    ["desk.example:3000", false],
    ["localhost", false],
    ["localhost:3001", false],
    ["localhost:", false],
    ["127.0.0.2:3000", false],
    ["localhost.evil.example:3000", false],
    ["evil.example:3000", false],
    ["evil.example:3000@localhost:3000", false],
    ["localhost:3000,evil.example", false],
    [" localhost:3000", false],
    ["[::1]:3000.evil", false],
    ["", false],
    [null, false],
  ])("%s is ours: %s", (host, ours) => {
    expect(refusal({ ...get, host }, policy) === null).toBe(ours);
  });

  it("may lack the port only where that is the scheme's own", () => {
    expect(refusal({ ...get, host: "localhost" }, { port: "80", allowed: [] })).toBeNull();
  });
});

describe("Origin of a request that changes something", () => {
  const post: RequestFacts = { ...get, method: "POST", site: "same-origin", mode: "cors" };
  it.each([
    ["http://127.0.0.1:3000", true],
    ["http://localhost:3000", true],
    ["https://mecha.lan", true],
    [null, false],
    ["null", false],
    ["http://localhost:3001", false],
    ["http://evil.example", false],
    ["http://evil.example/localhost:3000", false],
    ["ftp://localhost:3000", false],
    ["localhost:3000", false],
  ])("%s may: %s", (origin, may) => {
    expect(refusal({ ...post, origin }, policy) === null).toBe(may);
  });

  it.each(["POST", "PUT", "PATCH", "DELETE", "MADEUP"])("%s without one is refused", (method) => {
    expect(refusal({ ...get, method }, policy)).toMatch(/must come from this site/);
  });
});

describe("Fetch metadata", () => {
  it.each([
    ["a link from another site", { site: "cross-site", mode: "navigate", dest: "document" }, true],
    ["a bookmark", { site: "none", mode: "navigate", dest: "document" }, true],
    ["our own fetch", { site: "same-origin", mode: "cors", dest: "empty" }, true],
    ["a script tag elsewhere", { site: "cross-site", mode: "no-cors", dest: "script" }, false],
    ["a fetch from another port", { site: "same-site", mode: "cors", dest: "empty" }, false],
    ["a frame elsewhere", { site: "cross-site", mode: "navigate", dest: "iframe" }, false],
  ])("%s", (_, headers, passes) => {
    expect(refusal({ ...get, ...headers }, policy) === null).toBe(passes);
  });
});

describe("content policy", () => {
  it("lets a script run only with this request's nonce", () => {
    const script = contentPolicy("abc", false)
      .split("; ")
      .find((part) => part.startsWith("script-src"));
    expect(script).toBe("script-src 'nonce-abc' 'strict-dynamic'");
    expect(contentPolicy("abc", false)).toContain("frame-ancestors 'none'");
  });
});

describe("a program with a valid token", () => {
  const post: RequestFacts = { ...get, method: "POST", bearer: true };
  it.each([
    ["needs no origin", {}, true],
    ["may name ours", { origin: "http://localhost:3000", site: "same-origin" }, true],
    ["may not name another", { origin: "http://evil.example" }, false],
    ["may not name none", { origin: "null" }, false],
    ["may not look like a browser elsewhere", { site: "cross-site" }, false],
    ["may not look like a browser without an origin", { site: "same-origin" }, false],
    ["asks by our name", { host: "evil.example" }, false],
    ["has a valid one", { bearer: false }, false],
  ] satisfies [string, Partial<RequestFacts>, boolean][])("%s", (_rule, more, passes) => {
    expect(refusal({ ...post, ...more }, policy) === null).toBe(passes);
  });
});
