import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expositionText } from "#lib/notify/exposition.ts";
import { modelLabels } from "#lib/notify/model-labels.ts";
import { readExposition } from "#tests/support/exposition.ts";

describe("the text that a scraper reads", () => {
  test("says help and type once, then the samples", () => {
    const family = {
      name: "mecha_runs",
      help: "Finished \\ runs\nof all",
      samples: [
        { labels: { model: 'a"b\\c\nd', window: "30d" }, value: 3 },
        { labels: {}, value: 0.25 },
      ],
    };
    expect(expositionText([family])).toBe(
      "# HELP mecha_runs Finished \\\\ runs\\nof all\n# TYPE mecha_runs gauge\n" +
        'mecha_runs{model="a\\"b\\\\c\\nd",window="30d"} 3\nmecha_runs 0.25\n',
    );
  });

  test("leaves out a family without a sample", () => {
    expect(expositionText([{ name: "mecha_none", help: "x", samples: [] }])).toBe("");
  });

  test.each([
    [1e21, "1e+21"],
    [Number.POSITIVE_INFINITY, "+Inf"],
    [Number.NEGATIVE_INFINITY, "-Inf"],
    [Number.NaN, "NaN"],
    [0.1 + 0.2, "0.30000000000000004"],
  ])("writes %s as Go reads it", (value, text) => {
    expect(expositionText([{ name: "m", help: "h", samples: [{ labels: {}, value }] }])).toContain(
      `m ${text}\n`,
    );
  });

  test("gives any label and any number back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.double({ noNaN: true }), (text, value) => {
        const written = expositionText([
          { name: "m", help: text, samples: [{ labels: { l: text }, value }] },
        ]);
        const [family] = readExposition(written);
        expect(family?.help).toBe(text);
        expect(family?.samples).toEqual([{ name: "m", labels: { l: text }, value: value === 0 ? 0 : value }]);
      }),
    );
  });
});

describe("the reader that these tests use", () => {
  const head = "# HELP m h\n# TYPE m gauge\n";
  test.each([
    ["no end", `${head}m 1`],
    ["no type", "# HELP m h\nm 1\n"],
    ["a name of another family", `${head}n 1\n`],
    ["the same labels twice", `${head}m{a="1"} 1\nm{a="1"} 2\n`],
    ["an unknown escape", `${head}m{a="\\t"} 1\n`],
    ["a quote that is not closed", `${head}m{a="1} 1\n`],
    ["a comma of undefined", `${head}m undefined\n`],
    ["an empty line", `${head}\nm 1\n`],
  ])("refuses %s", (_, text) => expect(() => readExposition(text)).toThrow());
});

describe("labels of models", () => {
  test("a plain name is its own label", () => {
    expect(modelLabels(["qwen3-moe", "", 'say "hi"']).get("qwen3-moe")).toBe("qwen3-moe");
    expect(modelLabels([""]).get("")).toBe("");
    expect(modelLabels(['say "hi"']).get('say "hi"')).toBe('say "hi"');
  });

  test("no two names get one label, and no label holds what nobody sees", () => {
    const hostile = [
      "a\u001b",
      "a\\u{1b}",
      "a\u202e",
      "a\ud800",
      "a\ud801",
      "x".repeat(5000),
      "x".repeat(5001),
    ];
    const first = modelLabels(hostile);
    // Names made to look like the labels of others.
    const labels = modelLabels([...hostile, ...first.values()]);
    expect(new Set(labels.values()).size).toBe(new Set([...hostile, ...first.values()]).size);
    for (const label of labels.values()) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: it is them that must not be there
      expect(label).not.toMatch(/[\u0000-\u001f\u007f\u202e]|\p{Surrogate}/u);
      expect(label.length).toBeLessThan(300);
    }
  });

  test("whatever the names", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "binary", maxLength: 12 })), (names) => {
        const labels = modelLabels(names);
        expect(new Set(labels.values()).size).toBe(names.length);
      }),
    );
  });
});
