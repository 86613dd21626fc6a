import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitBytes, isHtml, isTextType, parseContentType } from "#lib/agent/tools/http-body.ts";

describe("a content type", () => {
  it.each([
    ["text/html; charset=UTF-8", { type: "text/html", charset: "utf-8" }],
    [
      ' Application/LD+JSON ;x=y; charset="iso-8859-1"',
      { type: "application/ld+json", charset: "iso-8859-1" },
    ],
    ["obey this", { type: "unknown type", charset: null }],
    [`${"x".repeat(99)}/y`, { type: "unknown type", charset: null }],
    ["", null],
    [undefined, null],
  ])("%j", (header, wanted) => expect(parseContentType(header)).toEqual(wanted));

  it.each([
    "text/plain",
    "text/x-rust",
    "application/json",
    "application/feed+json",
    "image/svg+xml",
    "application/xml",
    "application/x-yaml",
    "application/javascript",
  ])("%s is text", (type) => expect(isTextType(type)).toBe(true));

  it.each([
    "image/png",
    "application/pdf",
    "application/octet-stream",
    "application/zip",
    "video/mp4",
    "unknown type",
    "application/jsonx",
  ])("%s is none", (type) => expect(isTextType(type)).toBe(false));

  it("is a page's or not", () => {
    expect([isHtml("text/html"), isHtml("application/xhtml+xml"), isHtml("text/plain")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("text made to fit", () => {
  it("is a beginning of the text, of at most so many bytes, and nearly as many", () => {
    const texts = fc.array(fc.constantFrom("a", "é", "🦊", "\n", "word ".repeat(400)), { maxLength: 30 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 5000 }), (parts, bytesMax) => {
        const whole = parts.join("");
        const { text, cut } = fitBytes(whole, bytesMax);
        expect(whole.startsWith(text)).toBe(true);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytesMax);
        expect(cut).toBe(text !== whole);
        if (cut) expect(Buffer.byteLength(text)).toBeGreaterThan(bytesMax - 2000 * 4 - 4);
        expect(text).toBe(Buffer.from(text).toString());
      }),
      { numRuns: 1000 },
    );
  });
});
