import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { verdictId } from "#lib/verdict/assemble.ts";
import { readVerdictFile, verificationText, verifyFile } from "#lib/verdict/verdict-file.io.ts";
import { documentText } from "#lib/verdict/verify.ts";
import { aDocument } from "./raw.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "verdict-"));
});
afterEach(() => rmSync(folder, { recursive: true }));
const put = (content: string | Uint8Array) => {
  const place = path.join(folder, "v.json");
  writeFileSync(place, content);
  return place;
};
const document = aDocument("++++++++", "+===");
const ab = {
  ab_config: ["max_turns=40"],
  arm_a: { passed: 0, total: 1 },
  arm_b: { passed: 1, total: 1 },
  cases: [{ id: "a", was: false, now: true, work_a: 1, work_b: 1 }],
  holdout_in: 3,
  judgement: {
    disposition: { Propose: "few" },
    selection: { wins: 1, losses: 0, ties: 0 },
    holdout: { wins: 0, losses: 0, ties: 0 },
    work_baseline: 1,
    work_candidate: 1,
  },
};

describe("a verdict in a file", () => {
  it("is read and verified, white space and all", async () => {
    const place = put(JSON.stringify(JSON.parse(documentText(document)), null, 2));
    expect(await readVerdictFile(place, "v.json")).toEqual({
      ok: true,
      value: { kind: "verdict", document },
    });
    const result = await verifyFile(place);
    expect(result.ok).toBe(true);
    expect(verificationText("v.json", result)).toBe(`v.json: every number follows (id ${document.id})\n`);
  });

  it("with another number names it", async () => {
    const result = await verifyFile(
      put(documentText(document).replace('"work_candidate":120', '"work_candidate":121')),
    );
    const text = verificationText("v\u001b.json", result);
    expect(text).toContain("v\\u{1b}.json: DOES NOT AGREE");
    expect(text).toContain("  judgement.work_candidate: 121 in the file, 120 by its own measurements");
    expect(text).toContain(`  id: "${document.id}"`.replaceAll('"', ""));
  });

  it("that tells of other repeats than its arms had does not agree, its hash made anew or not", async () => {
    const { baseline, candidate } = document.arms;
    const told = { ...document, arms: { baseline: { ...baseline, runs_per_case: 5 }, candidate } };
    const forged = { ...told, id: verdictId(told) };
    expect((await verifyFile(put(documentText(forged)))).disagreements).toEqual([
      { where: "arms.baseline.runs_per_case", stored: "5", recomputed: "1" },
    ]);
  });

  it("whose bytes are no text is not taken for one whose text says so", async () => {
    const whole = Buffer.from(documentText(aDocument("++++++++", "+===", { made_by: "a \ufffd b" })));
    const at = whole.indexOf("\ufffd");
    const place = put(Buffer.concat([whole.subarray(0, at), Buffer.from([0xff]), whole.subarray(at + 3)]));
    expect(await readVerdictFile(place, "v.json")).toEqual({
      ok: false,
      problem: "v.json: it is not UTF-8 text",
    });
    expect((await verifyFile(place)).ok).toBe(false);
  });

  it("of an A/B is read too, and checked without an id", async () => {
    const place = put(JSON.stringify(ab));
    expect(await readVerdictFile(place, "ab.json")).toMatchObject({ ok: true, value: { kind: "ab" } });
    expect(await verifyFile(place)).toEqual({ id: null, ok: true, disagreements: [], more: 0 });
    const forged = put(JSON.stringify({ ...ab, arm_b: { passed: 0, total: 1 } }));
    expect((await verifyFile(forged)).disagreements).toEqual([
      { where: "arm_b.passed", stored: "0", recomputed: "1" },
    ]);
  });

  it.each([
    ["", "it is cut off"],
    ["[]", "neither a verdict nor an A/B result"],
    ['{"schema":"mecha.verdict/9"}', "schema"],
    ['{"ab_rules":true}', "without_rules"],
  ])("%j is refused in one line", async (content, expected) => {
    const place = put(content);
    const read = await readVerdictFile(place, "v.json");
    expect(read.ok ? "" : read.problem).toContain(expected);
    expect((await verifyFile(place)).ok).toBe(false);
  });

  it("that is missing, a folder or huge is said to be", async () => {
    const gone = await readVerdictFile(path.join(folder, "gone"), "gone");
    expect(gone).toEqual({ ok: false, problem: "gone: there is no such file" });
    expect(await readVerdictFile(folder, "x")).toEqual({ ok: false, problem: "x: it is not a regular file" });
    const place = put("{}");
    truncateSync(place, 200e6);
    expect((await readVerdictFile(place, "v.json")).ok).toBe(false);
    expect((await verifyFile(place)).disagreements[0]?.stored).toContain("200.0 MB are more than");
  });
});
