import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fnv1a64, sliceOf } from "#lib/gate/split.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";

describe("the hash behind the split", () => {
  it.each([
    ["", "cbf29ce484222325"],
    ["a", "af63dc4c8601ec8c"],
    ["foobar", "85944171f73967e8"],
    ["ep-0", "a296c960677adf95"],
  ])("of %j is %s", (id, hex) => {
    expect(fnv1a64(id).toString(16).padStart(16, "0")).toBe(hex);
  });

  it("takes ids as UTF-8, not as UTF-16", () => {
    // The two bytes C3 A9, one after the other.
    const byHand = [0xc3, 0xa9].reduce(
      (hash, byte) => ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn,
      0xcbf29ce484222325n,
    );
    expect(fnv1a64("é")).toBe(byHand);
  });
});

describe("the split", () => {
  const heldOut = (ids: string[], n: number) => ids.filter((id) => sliceOf(id, n) === "holdout");
  const episodes = Array.from({ length: 40 }, (_, i) => `ep-${i}`);

  it("depends on the id alone: the same episodes are held out whatever stands beside them", () => {
    expect(heldOut(episodes, 4)).toEqual([3, 7, 12, 16, 23, 27, 30, 34, 38].map((i) => `ep-${i}`));
    expect(heldOut(["ep-7", "ep-3"], 4)).toEqual(["ep-7", "ep-3"]);
  });

  it.each([1, 0, -3, 2.5, Number.NaN])("refuses to hold out one in %s", (n) => {
    expect(() => sliceOf("a", n)).toThrow(RangeError);
  });
});

type Vectors = {
  fnv1a64: { vectors: ({ id: string; hash_hex: string } & Record<`holdout_${2 | 3 | 4 | 5}`, boolean>)[] };
  holdout_membership: Record<string, { "3": string[]; "4": string[] }>;
};

describe.skipIf(!sharedDir)(`the shared split vectors${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const load = (): Vectors =>
    JSON.parse(readFileSync(path.join(sharedDir ?? "", "spec/vectors.json"), "utf8")) as Vectors;

  it("agree on every hash and membership", () => {
    const { vectors } = load().fnv1a64;
    expect(vectors.length).toBeGreaterThan(80);
    for (const vector of vectors) {
      expect(fnv1a64(vector.id).toString(16).padStart(16, "0"), vector.id).toBe(vector.hash_hex);
      for (const n of [2, 3, 4, 5] as const) {
        expect(sliceOf(vector.id, n) === "holdout", `${vector.id} in ${n}`).toBe(vector[`holdout_${n}`]);
      }
    }
  });

  it("agree on who is held out of the listed corpora", () => {
    const { holdout_membership: members } = load();
    const corpora: [string, string[]][] = [
      ["ep_0_39", Array.from({ length: 40 }, (_, i) => `ep-${i}`)],
      ["case_0_23", Array.from({ length: 24 }, (_, i) => `case-${i}`)],
    ];
    for (const [name, ids] of corpora) {
      for (const n of ["3", "4"] as const) {
        expect(ids.filter((id) => sliceOf(id, Number(n)) === "holdout")).toEqual(members[name]?.[n]);
      }
    }
    for (const name of ["cases_jsonl", "graph_cases_jsonl"]) {
      for (const n of ["3", "4"] as const) {
        for (const id of members[name]?.[n] ?? []) expect(sliceOf(id, Number(n)), id).toBe("holdout");
      }
    }
    const counts = members.ep_0_199_count as unknown as Record<string, number>;
    const ids = Array.from({ length: 200 }, (_, i) => `ep-${i}`);
    for (const n of ["3", "4"]) {
      expect(ids.filter((id) => sliceOf(id, Number(n)) === "holdout").length).toBe(counts[n]);
    }
  });
});
