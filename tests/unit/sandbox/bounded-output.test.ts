import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundedOutput } from "#lib/sandbox/bounded-output.ts";

function kept(bytesMax: number, ...chunks: (string | Uint8Array)[]) {
  const output = boundedOutput(bytesMax);
  for (const chunk of chunks) output.push(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
  return { text: output.text(), dropped: output.bytesDropped() };
}

describe("output of a program", () => {
  test.each([0, 1, 2, 9, 10])("%i bytes of at most 10 are all kept", (length) => {
    expect(kept(10, "0123456789".slice(0, length))).toEqual({
      text: "0123456789".slice(0, length),
      dropped: 0,
    });
  });

  test("one byte more: the first half, the last half, and what is missing between", () => {
    expect(kept(10, "0123456789A")).toEqual({
      text: "01234\n[… 1 bytes left out: a stream is kept up to 10 bytes …]\n6789A",
      dropped: 1,
    });
  });

  test("the end is kept however much comes", () => {
    const output = boundedOutput(1000);
    for (let i = 0; i < 5000; i += 1) output.push(Buffer.from(`line ${i}\n`));
    expect(output.text()).toMatch(/^line 0\nline 1\n.*line 4998\nline 4999\n$/s);
  });

  test("a character is never cut in two", () => {
    const { text, dropped } = kept(11, "ab€€€€€€€€");
    expect(text).toMatch(/^ab€\n\[… 18 bytes left out: .*\]\n€$/);
    expect(dropped).toBe(18);
  });

  test("bytes that are no UTF-8 are replaced, not lost with their neighbours", () => {
    expect(kept(10, Uint8Array.of(0x61, 0xff, 0x62)).text).toBe("a\ufffdb");
    expect(kept(4, Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80)).text).toContain("left out");
  });

  test("how the bytes were cut into chunks makes no difference, and every byte is kept or counted", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 })),
        fc.integer({ min: 0, max: 64 }),
        (chunks, bytesMax) => {
          const whole = Buffer.concat(chunks);
          const cut = kept(bytesMax, ...chunks);
          expect(cut).toEqual(kept(bytesMax, whole));
          expect(cut.dropped).toBeGreaterThanOrEqual(Math.max(0, whole.length - bytesMax));
          expect(cut.dropped).toBeLessThanOrEqual(
            Math.max(0, whole.length - bytesMax) + (cut.dropped > 0 ? 6 : 0),
          );
          if (whole.length <= bytesMax) expect(cut.text).toBe(whole.toString("utf8"));
        },
      ),
    );
  });
});
