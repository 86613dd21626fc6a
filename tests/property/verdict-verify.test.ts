import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verdictId } from "#lib/verdict/assemble.ts";
import { canonicalJson } from "#lib/verdict/canonical.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { documentText, verifyDocument } from "#lib/verdict/verify.ts";
import { aDocument, richDocument } from "../unit/verdict/raw.ts";

describe("verifying an exported verdict", () => {
  it("passes as it was written, and with other white space", () => {
    for (const document of [richDocument(), aDocument("++++++++", "+-=="), aDocument("", "")]) {
      expect(verifyDocument(documentText(document))).toEqual({
        id: document.id,
        ok: true,
        disagreements: [],
        more: 0,
      });
      const pretty = JSON.stringify(JSON.parse(documentText(document)), null, 4);
      expect(verifyDocument(pretty).ok).toBe(true);
    }
  });

  it("fails when any one digit of the document is another", () => {
    const text = documentText(richDocument());
    let digits = 0;
    for (let at = 0; at < text.length; at++) {
      const digit = text[at] ?? "";
      if (!/\d/.test(digit)) continue;
      digits += 1;
      for (const other of [(Number(digit) + 1) % 10, (Number(digit) + 7) % 10]) {
        const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
        if (verifyDocument(changed).ok) throw new Error(`digit ${at}: …${changed.slice(at - 40, at + 40)}…`);
      }
    }
    expect(digits).toBeGreaterThan(500);
  });

  it("fails when a number is written so that it parses alike, or a key stands twice", () => {
    const text = documentText(aDocument("++++++++", "+-=="));
    const changed = [
      text.replace('"work_baseline":120', '"work_baseline":120.0'),
      text.replace('"work_baseline":120', '"work_baseline":1.2e2'),
      text.replace('"work_baseline":120', '"work_baseline":999,"work_baseline":120'),
      text.replace("max_turns", "max\\u005fturns"),
    ];
    for (const one of changed) {
      expect(one).not.toBe(text);
      const { disagreements } = verifyDocument(one);
      expect(disagreements).toHaveLength(1);
      expect(disagreements[0]?.where).toMatch(/^text, character \d+$/);
    }
  });

  it("names a derived number that was changed, also when the hash was made anew", () => {
    const document = richDocument();
    const places = leaves(document).filter(([where]) => isDerived(where));
    expect(places.length).toBeGreaterThan(80);
    for (const [where, value] of places) {
      const forged = withLeaf(document, where, typeof value === "number" ? value + 1 : value);
      if (typeof value !== "number") continue;
      const { id: _, ...rest } = forged;
      const text = canonicalJson({ ...rest, id: verdictId(rest) });
      const { ok, disagreements } = verifyDocument(text);
      expect(ok, where).toBe(false);
      const named = disagreements.map((one) => one.where);
      // A number may be out of range too; then the document says so by its place.
      if (named[0] !== "document") expect(named, where).toContain(where);
      else expect(disagreements[0]?.stored, where).not.toBe("");
    }
  });

  it("names what was changed in the measurements by what no longer follows from them", () => {
    const document = structuredClone(aDocument("++++++++", "===="));
    const row = document.episodes.find((one) => one.case_change === "improved");
    if (row?.candidate) row.candidate.passed = 0;
    const { id: _, ...rest } = document;
    const { disagreements } = verifyDocument(canonicalJson({ ...rest, id: verdictId(rest) }));
    expect(disagreements.map((one) => one.where)).toEqual(
      expect.arrayContaining(["judgement.selection.wins", "arms.candidate.cases.passed"]),
    );
  });

  it("names keys that were added or taken", () => {
    const document = aDocument("++++++++", "====");
    const { id: _, ...rest } = { ...document, extra: 1 };
    const { disagreements } = verifyDocument(canonicalJson({ ...rest, id: verdictId(rest) }));
    expect(disagreements).toEqual([{ where: "extra", stored: "1", recomputed: "nothing" }]);
  });

  it("does not judge by rules it does not have", () => {
    const document = structuredClone(aDocument("++++++++", "===="));
    document.judgement.rule_version = 2;
    const { id: _, ...rest } = document;
    const { disagreements } = verifyDocument(canonicalJson({ ...rest, id: verdictId(rest) }));
    expect(disagreements.map((one) => one.where)).toEqual(["judgement.rule_version"]);
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["another kind of file", '{"scorecard":{},"cases":[]}'],
    ["a number", "1e999"],
    ["arrays within arrays", "[".repeat(100_000)],
    ["closed ones", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["a proto key", '{"__proto__":{"id":"x"}}'],
  ])("of %s says so and does not throw", (_, text) => {
    const { ok, disagreements } = verifyDocument(text);
    expect(ok).toBe(false);
    expect(disagreements.length).toBeGreaterThan(0);
  });

  it("never throws, whatever is done to the text", () => {
    const text = documentText(richDocument());
    fc.assert(
      fc.property(fc.nat({ max: text.length }), fc.nat({ max: 30 }), fc.string(), (at, drop, put) => {
        const changed = `${text.slice(0, at)}${put}${text.slice(at + drop)}`;
        expect(verifyDocument(changed).ok).toBe(withoutTrailing(changed) === withoutTrailing(text));
      }),
      { numRuns: 300 },
    );
  });
});

const withoutTrailing = (text: string) => text.replace(/^[ \n\r\t]+|[ \n\r\t]+$/g, "");

/** What a document states beyond its measurements. */
function isDerived(where: string): boolean {
  return (
    /^(judgement|case_set)\.|\.(cost|coverage\.\w+|cases\.\w+)$/.test(where) &&
    where !== "judgement.rule_version"
  );
}

function leaves(value: unknown, where = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[where, value]];
  return Object.entries(value).flatMap(([key, part]) => {
    const step = Array.isArray(value) ? `[${key}]` : where === "" ? key : `.${key}`;
    return leaves(part, where + step);
  });
}

function withLeaf(document: VerdictDocument, where: string, value: unknown): VerdictDocument {
  const copy = structuredClone(document);
  const keys = where.replace(/\[(\d+)\]/g, ".$1").split(".");
  let at: Record<string, unknown> = copy as unknown as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) at = at[key] as Record<string, unknown>;
  at[keys.at(-1) ?? ""] = value;
  return copy;
}
