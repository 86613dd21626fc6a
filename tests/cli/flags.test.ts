import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { commandTree } from "#lib/cli/command-tree.ts";
import { countIn, daysIn, type WindowFlags } from "#lib/cli/flags.ts";
import { plainHealthFlags } from "#lib/cli/plain-health.ts";
import { silentIo } from "#tests/support/cli.ts";

describe("-n takes a whole number from 1 up, in plain digits", () => {
  test.each([
    ["1", 1],
    ["007", 7],
    ["9007199254740991", 9007199254740991],
  ])("%s", (text, value) => expect(countIn(text)).toBe(value));
  test.each(["0", "-1", "1e3", "2.5", "NaN", "", " 5", "0x10", "Infinity", "9007199254740993", "٣"])(
    "%j is refused",
    (text) => expect(countIn(text)).toBeNull(),
  );
});

describe("--days takes a number above 0", () => {
  test.each([
    ["30", 30],
    ["0.5", 0.5],
    ["36500", 36500],
  ])("%s", (text, value) => expect(daysIn(text)).toBe(value));
  test.each(["0", "0.0", "-3", "1e3", "NaN", "", "30d", ".5", "36501", "99999999999999999999"])(
    "%j is refused",
    (text) => expect(daysIn(text)).toBeNull(),
  );
});

describe("the short way to read the flags of `sessions health`", () => {
  test("takes the plain form", () => {
    const argv = ["sessions", "health", "--days", "30", "-n", "5", "--source", "mecha", "--json"];
    expect(plainHealthFlags(argv)).toEqual({ days: 30, limit: 5, source: ["mecha"], json: true });
    expect(plainHealthFlags(["sessions", "health"])).toEqual({ source: [] });
  });

  test.each([
    [["sessions", "list"]],
    [["sessions", "health", "--days=30"]],
    [["sessions", "health", "--days", "0"]],
    [["sessions", "health", "--days"]],
    [["sessions", "health", "--help"]],
    [["sessions", "health", "extra"]],
    [["sessions", "health", "--zone", "--json"]],
  ])("leaves %j to the full parser", (argv) => expect(plainHealthFlags(argv)).toBeNull());

  test("whatever it takes, the full parser reads the same", async () => {
    const words = fc.constantFrom(
      ...[
        "--json",
        "--days",
        "-n",
        "--limit",
        "--model",
        "--source",
        "--as-of",
        "--zone",
        "--",
        "--help",
        "-h",
      ],
      ...["30", "0", "0.5", "1e3", "-5", "", " ", "m", "mecha", "--model=x", "-n5", "--no-json", "health"],
    );
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(words, { maxLength: 6 }), async (rest) => {
        const argv = ["sessions", "health", ...rest];
        const plain = plainHealthFlags(argv);
        if (plain === null) return;
        taken += 1;
        expect(await parsedInFull(argv)).toEqual(plain);
      }),
      { numRuns: 5000, seed: 7 },
    );
    expect(taken).toBeGreaterThan(200);
  });
});

async function parsedInFull(argv: string[]): Promise<WindowFlags> {
  let ran = 0;
  const tree = commandTree(silentIo(), async () => {
    ran += 1;
  });
  await tree.parseAsync(argv, { from: "user" });
  expect(ran).toBe(1);
  const health = argv.slice(0, 2).reduce((at, word) => {
    const next = at.commands.find((command) => command.name() === word);
    return next ?? expect.unreachable();
  }, tree);
  return health.opts();
}
