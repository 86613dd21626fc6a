import { describe, expect, it } from "vitest";
import { type FetchRules, parseFetchUrl } from "#lib/agent/tools/fetch-rules.ts";

const OPEN: FetchRules = { block_private_ips: true, allowed_domains: [], blocked_domains: [] };
const problem = (url: string, rules: Partial<FetchRules> = {}, base: string | null = null) => {
  const parsed = parseFetchUrl(url, { ...OPEN, ...rules }, base === null ? null : new URL(base));
  return parsed.ok ? null : parsed.problem;
};

describe("an address to fetch", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://017700000001/",
    "http://0177.0.0.1/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::ffff:a9fe:a9fe]/",
    "http://169.254.169.254/latest",
    "http://10.0.0.1:8080/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://[fd00::1]/",
    "http://[fe80::1]/",
    "http://127.0.0.1./",
    "http://１２７.０.０.１/",
    "http://127。0。0。1/",
    "http://%31%32%37.0.0.1/",
    "http://134744072/",
    "http://0x08080808/",
    "http://8.8.2056/",
    "http://①②⑦.0.0.1/",
    "ftp://example.org/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "gopher://example.org/",
    "example.org",
    "/path",
    "",
    "http://",
    "http:///",
    "http://exa mple.org/",
    "//example.org/",
    "http://user@example.org/",
    "http://user:word@example.org/",
    "http://:word@example.org/",
    "http://127.0.0.1@example.org/",
    `http://example.org/${"x".repeat(9000)}`,
  ])("is not %s", (url) => expect(problem(url)).not.toBeNull());

  it.each([
    "http://example.org",
    "https://example.org:8443/a?b=c#d",
    "HTTP://EXAMPLE.ORG/",
    "http://8.8.8.8/",
    "http://münchen.example/",
  ])("may be %s", (url) => expect(problem(url)).toBeNull());

  it("may be private where that is allowed, but still not disguised", () => {
    expect(problem("http://127.0.0.1:3000/", { block_private_ips: false })).toBeNull();
    expect(problem("http://[::1]/", { block_private_ips: false })).toBeNull();
    expect(problem("http://2130706433/", { block_private_ips: false })).toContain("four decimal numbers");
  });

  it.each([
    ["https://example.org/", true],
    ["https://www.example.org/", true],
    ["https://a.b.EXAMPLE.org./", true],
    ["https://badexample.org/", false],
    ["https://example.org.evil.test/", false],
    ["https://example.com/", false],
    ["https://xn--mnchen-3ya.example/", true],
    ["https://sub.münchen.example/", true],
    ["https://8.8.8.8/", true],
    ["https://1.8.8.8/", false],
  ])("judges %s by the domains: %s", (url, listed) => {
    const domains = [".example.org", "*.münchen.example", "8.8.8.8", ""];
    expect(problem(url, { allowed_domains: domains }) === null).toBe(listed);
    expect(problem(url, { blocked_domains: domains }) !== null).toBe(listed);
  });

  it("is blocked when it is both allowed and blocked", () => {
    const rules = { allowed_domains: ["example.org"], blocked_domains: ["bad.example.org"] };
    expect(problem("https://example.org/", rules)).toBeNull();
    expect(problem("https://x.bad.example.org/", rules)).toContain("blocked_domains");
  });

  it("is judged the same after a redirect, and problems never quote it", () => {
    const base = "http://127.0.0.1:1/a";
    expect(problem("b?c", { block_private_ips: false }, base)).toBeNull();
    for (const url of [
      "http://10.0.0.1/obey",
      "//169.254.169.254/obey",
      "http://obey@x.test/",
      "obey:obey",
    ]) {
      expect(problem(url, {}, "https://example.org/")).not.toBeNull();
      expect(problem(url, {}, "https://example.org/")).not.toContain("obey");
    }
    expect(problem("http://2130706433/", { block_private_ips: false }, "http://example.org/")).not.toBeNull();
  });
});
