import { describe, expect, test } from "vitest";
import { findingKey } from "#lib/notify/finding-key.ts";
import { parseTarget, targetKey } from "#lib/notify/target.ts";

function target(text: string) {
  const parsed = parseTarget(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

describe("an address", () => {
  test.each([
    ["https://hooks.example.com/services/T0/B0/s3cr3t", "https://hooks.example.com/…"],
    ["https://user:s3cr3t@hooks.example.com:8443/", "https://hooks.example.com:8443/"],
    ["http://127.0.0.1:9000/?token=s3cr3t#s3cr3t", "http://127.0.0.1:9000/…"],
    ["  http://[::1]:9000  ", "http://[::1]:9000/"],
  ])("%s is printed as %s", (text, shown) => expect(target(text).shown).toBe(shown));

  test.each([
    "",
    "hooks.example.com/s3cr3t",
    "ftp://example.com/s3cr3t",
    "file:///s3cr3t",
    "javascript:s3cr3t",
    "https://",
    "https://%zz:s3cr3t@example.com/",
    `https://example.com/${"s3cr3t".repeat(1000)}`,
  ])("%j is refused without being repeated", (text) => {
    const parsed = parseTarget(text);
    expect(parsed.ok).toBe(false);
    expect(JSON.stringify(parsed)).not.toContain("s3cr3t");
  });
});

describe("the memory of an address", () => {
  const at = target("https://example.com/hook");
  test("is one for each address and choice of sources, in any order", () => {
    expect(targetKey(at, null)).toMatch(/^[0-9a-f]{64}$/);
    expect(targetKey(at, null)).toBe(targetKey(target("https://EXAMPLE.com:443/hook#x"), null));
    expect(targetKey(at, ["mecha", "claude-code"])).toBe(targetKey(at, ["claude-code", "mecha", "mecha"]));
    const keys = [
      targetKey(at, null),
      targetKey(at, ["mecha"]),
      targetKey(at, ["mecha", "claude-code"]),
      targetKey(target("https://example.com/hook2"), null),
    ];
    expect(new Set(keys).size).toBe(4);
  });
});

describe("the id of a finding", () => {
  test("stays what it is", () =>
    expect(findingKey("runs/cut_short/recorded/日本")).toBe("runs/cut_short/recorded/日本"));

  test("is cut where it is long, mended where UTF-8 cannot hold it, and never mistaken for another", () => {
    const ids = [
      "x".repeat(1000),
      "x".repeat(1001),
      "a\ud800",
      "a\ud801",
      "a\ufffd",
      `${"x".repeat(382)}\ud83d\ude00${"y".repeat(50)}`,
    ];
    const keys = ids.map(findingKey);
    expect(new Set(keys).size).toBe(ids.length);
    for (const key of keys) {
      expect(key.length).toBeLessThanOrEqual(400);
      expect(Buffer.from(key).toString()).toBe(key);
    }
  });
});
