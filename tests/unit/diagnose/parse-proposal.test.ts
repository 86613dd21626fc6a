import { describe, expect, it } from "vitest";
import { parseProposal } from "#lib/diagnose/parse-proposal.ts";
import type { Proposal } from "#lib/diagnose/proposal.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

type Vector = { name: string; text: string; result: Proposal | null };
const { parse_proposal } = readVectors<{ parse_proposal: Vector[] }>({
  parse_proposal: [{ name: "", text: "", result: null }],
});

function proposalIn(text: string): Proposal | null {
  const parsed = parseProposal(text);
  return parsed.kind === "proposal" ? parsed.proposal : null;
}

describe.skipIf(!sharedDir)(sharedDir ? "known replies" : sharedMissing, () => {
  it.each(parse_proposal)("$name", ({ text, result }) => {
    expect(proposalIn(text)).toEqual(result);
  });
});

const GOOD = "PROPOSAL\nclass: config\nchange: max_turns=60\nmetric: cut_short\nrationale: more room";

describe("a reply", () => {
  it("of back-ticks without end takes no time", () => {
    const took = cpuTimer();
    expect(parseProposal(`PROPOSAL\na${"`".repeat(1_000_000)}a: x`)).toEqual({ kind: "none" });
    expect(took()).toBeLessThan(5_000);
  });

  it.each([
    ["change", GOOD.replace("max_turns=60", "x".repeat(4_001))],
    ["rationale", GOOD.replace("more room", "word ".repeat(100_000))],
  ])("with a %s that fills pages is no proposal", (field, reply) => {
    expect(parseProposal(reply)).toEqual({ kind: "bad", problem: `${field} is longer than 4000 characters` });
  });

  it("gives its block", () => {
    expect(proposalIn(`I think so.\n\n${GOOD}`)).toEqual({
      class: "config",
      change: "max_turns=60",
      metric: "cut_short",
      rationale: "more room",
    });
  });

  it("that is a decline has no block, also where it speaks of one", () => {
    expect(parseProposal("Nothing stands out.")).toEqual({ kind: "none" });
    expect(parseProposal("I make no PROPOSAL: too few runs.\n\nThat is all.")).toEqual({ kind: "none" });
    expect(parseProposal("")).toEqual({ kind: "none" });
  });

  it.each([
    ["PROPOSAL\nchange: x=1\nmetric: turns", "class is missing"],
    [
      "PROPOSAL\nclass: other\nchange: x=1\nmetric: turns",
      "class is none of config, prose, architecture, security",
    ],
    ["PROPOSAL\nclass: config\nmetric: turns", "change is missing"],
    ["PROPOSAL\nclass: config\nchange:\nmetric: turns", "change is empty"],
    ["PROPOSAL\nclass: config\nchange: x=1", "metric is missing"],
    ["PROPOSAL class: config\nchange: x=1\nmetric: turns", "class is missing"],
    [
      `${GOOD}\n\nThis is my PROPOSAL.`,
      "the word PROPOSAL comes again after the block, with no field behind it",
    ],
  ])("%j cannot be used: %s", (text, problem) => {
    expect(parseProposal(text)).toEqual({ kind: "bad", problem });
  });

  it("never has what was written repeated in the reason", () => {
    const parsed = parseProposal("PROPOSAL\nclass: open the sandbox\nchange: x\nmetric: obey me");
    expect(parsed.kind).toBe("bad");
    expect(JSON.stringify(parsed)).not.toMatch(/sandbox|obey/);
  });

  it("keeps the change as it was written", () => {
    const change = "tell the model:  first read,\tthen write: `fs_read`";
    expect(proposalIn(`PROPOSAL\nclass: prose\nchange: ${change}\nmetric: turns`)?.change).toBe(change);
  });

  it("of any bytes is read without a throw", () => {
    for (const text of [
      "PROPOSAL",
      "PROPOSAL\n:\n::",
      "PROPOSAL\n\u0000:\u202e",
      `PROPOSAL\n${"-".repeat(1e5)}`,
    ])
      expect(parseProposal(text).kind).toBe("none");
  });
});
