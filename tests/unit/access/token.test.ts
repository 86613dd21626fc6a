import { describe, expect, it } from "vitest";
import { isLoopback, signInNeeded } from "#lib/access/need.ts";
import { bearerIn, looksLikeToken, parseTokenName, secretHash, tokenText } from "#lib/access/token.ts";

describe("a token", () => {
  it.each([0x00, 0xff, 0x5a])("of 32 bytes %i has one form, which is known again", (byte) => {
    const token = tokenText(Buffer.alloc(32, byte));
    expect(token).toMatch(/^mecha_[\w-]{43}$/);
    expect(looksLikeToken(token)).toBe(true);
    expect(Buffer.from(token.slice(6), "base64url")).toEqual(Buffer.alloc(32, byte));
  });

  it.each(["", "mecha_", `mecha_${"A".repeat(42)}`, `mecha_${"A".repeat(44)}`, `mecha_${"A".repeat(42)}B`])(
    "%j is none",
    (text) => expect(looksLikeToken(text)).toBe(false),
  );

  it("is kept as its SHA-256", () => {
    expect(secretHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("a token's name", () => {
  it.each(["a", "ci", "Ada.Lovelace_2-b", "x".repeat(64), "0"])("%s is taken", (name) => {
    expect(parseTokenName(name)).toEqual({ ok: true, value: name });
  });
  it.each(["", " a", "a b", "-a", ".a", "a\nb", "a\u202eb", "é", "x".repeat(65), "<b>"])(
    "%j is refused in one line",
    (name) => {
      const parsed = parseTokenName(name);
      expect(parsed.ok).toBe(false);
      if (!parsed.ok) expect(parsed.problem).not.toContain("\n");
    },
  );
});

it.each([
  ["Bearer abc", "abc"],
  ["bearer  abc ", "abc"],
  ["BEARER abc", "abc"],
  ["Basic abc", null],
  ["Bearer", null],
  ["Bearer ", null],
  ["Bearer a b", null],
  ["Bearera", null],
  ["", null],
])("the token of %j is %j", (header, token) => {
  expect(bearerIn(header)).toBe(token);
});

it.each([
  ["127.0.0.1", true],
  ["127.255.3.2", true],
  ["localhost", true],
  ["LOCALHOST", true],
  ["::1", true],
  ["[::1]", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.evil.example", false],
  ["127.0.0.1.evil.example", false],
  ["127.0.0.256", false],
  ["127.1", false],
  ["localhost.evil.example", false],
  ["::ffff:127.0.0.1", false],
  ["192.168.1.5", false],
  ["mecha.lan", false],
])("only this machine reaches %s: %s", (bind, own) => {
  expect(isLoopback(bind)).toBe(own);
});

describe("whether everybody has to sign in", () => {
  it.each([
    [undefined, undefined, false],
    ["", "", false],
    [" 127.0.0.2 ", "0", false],
    ["127.0.0.1", "1", true],
    [undefined, " 1 ", true],
    ["0.0.0.0", undefined, true],
    ["0.0.0.0", "0", true],
  ])("bound to %j, with MECHA_REQUIRE_TOKEN=%j: %s", (bind, required, needed) => {
    expect(signInNeeded(bind, required)).toEqual({ ok: true, value: needed });
  });
  it.each(["yes", "true", "2", "on"])("%s is not guessed at", (word) => {
    expect(signInNeeded("127.0.0.1", word)).toEqual({
      ok: false,
      problem: `MECHA_REQUIRE_TOKEN: "${word}" is neither 1 nor 0`,
    });
  });
});
