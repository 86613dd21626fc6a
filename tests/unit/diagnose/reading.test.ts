import { describe, expect, it } from "vitest";
import { commandFor } from "#lib/diagnose/command.ts";
import type { Proposal, Reading } from "#lib/diagnose/proposal.ts";
import { readingText } from "#lib/diagnose/proposal-text.ts";
import { failureOf, readReply } from "#lib/diagnose/reading.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";

const proposal = (over: Partial<Proposal> = {}): Proposal => ({
  class: "config",
  change: "max_turns=40",
  metric: "cut_short",
  rationale: "one run in ten ends at its limit on turns",
  ...over,
});
const block = ({ class: kind, change, metric, rationale }: Proposal) =>
  `Thoughts.\n\nPROPOSAL\nclass: ${kind}\nchange: ${change}\nmetric: ${metric}\nrationale: ${rationale}\n`;

describe("the command of a proposal", () => {
  it("is one that a shell gets word by word", () => {
    expect(commandFor(proposal())).toEqual([
      "mecha",
      "eval",
      "--ab-config",
      "max_turns=40",
      "eval/cases.jsonl",
    ]);
  });

  it.each(["compact_at_tokens=8000", "max_output_tokens=1", "effort=low"])("is there for %s", (change) => {
    expect(commandFor(proposal({ change }))?.[3]).toBe(change);
  });

  it.each([
    "sandbox=none",
    "trifecta=allow",
    "max_turns",
    "max_turns=many",
    "`max_turns=40`",
    "max_turns=40 effort=low",
    "x; id",
  ])("is not there for %s, which no comparison can turn", (change) => {
    expect(commandFor(proposal({ change }))).toBeNull();
  });

  it.each(CHANGE_CLASSES.filter((one) => one !== "config"))("is not there for the class %s", (kind) => {
    expect(commandFor(proposal({ class: kind }))).toBeNull();
  });
});

describe("a reply", () => {
  it("is a proposal, a decline, unparsable or refused", () => {
    expect(readReply(block(proposal()), [])).toEqual({
      kind: "proposal",
      proposal: proposal(),
      command: ["mecha", "eval", "--ab-config", "max_turns=40", "eval/cases.jsonl"],
    });
    expect(readReply("All looks well.", []).kind).toBe("declined");
    expect(readReply("PROPOSAL\nclass: config", []).kind).toBe("unparsable");
    const seven = proposal({ rationale: "runs are hitting the ceiling before finishing" });
    expect(readReply(block(seven), [seven.rationale]).kind).toBe("proposal");
    const eight = proposal({ rationale: "runs are hitting the ceiling long before finishing" });
    expect(readReply(block(eight), [eight.rationale]).kind).toBe("refused");
  });
});

describe("a run without a reply", () => {
  const fine = {
    failure: null,
    refused: false,
    text: "words",
    outcome: { stop_cause: "completed" as const },
  };
  it.each([
    ["the provider's own words", { failure: "503" }, "503"],
    [
      "an interruption, whatever was written by then",
      { outcome: { stop_cause: "interrupted" as const } },
      "the run was interrupted",
    ],
    ["a refusal", { refused: true }, "the model refused to answer"],
    ["silence", { text: " \n", outcome: { stop_cause: "no_output" as const } }, "the model gave no answer"],
  ])("fails with %s", (_, over, reason) => {
    expect(failureOf({ ...fine, ...over })).toBe(reason);
  });

  it("that a limit cut short, with words, is one with a reply", () => {
    expect(failureOf(fine)).toBeNull();
    expect(failureOf({ ...fine, outcome: { stop_cause: "max_turns" } })).toBeNull();
  });
});

describe("what is printed", () => {
  const shown = (over: Partial<Proposal>) => readingText(readReply(block(proposal(over)), []));

  it("is the block and the command, to the letter", () => {
    expect(shown({})).toBe(
      [
        "── proposal ──",
        "class:     Config",
        "change:    max_turns=40",
        "predicts:  lower CutShort",
        "because:   one run in ten ends at its limit on turns",
        "",
        "nothing to do here yet — measure it:",
        "  mecha eval --ab-config max_turns=40 eval/cases.jsonl",
      ].join("\n"),
    );
  });

  it.each([
    ["prose", "a person builds it and then measures it"],
    ["architecture", "a person decides, whatever is measured; it has to be built first"],
    ["security", "a person decides about security, and nothing here will measure it"],
  ] as const)("says of %s that it is a person's", (kind, words) => {
    const text = shown({ class: kind, change: "do it otherwise", rationale: "" });
    expect(text.split("\n").slice(4)).toEqual(["because:   —", "", `nothing to do here yet — ${words}`]);
    expect(text).not.toContain("mecha eval");
  });

  it("says of a setting outside the set that it has no command", () => {
    expect(shown({ change: "sandbox=none" })).toContain("no comparison can turn this setting");
  });

  it("shows what was refused, with nothing in it that moves a cursor, and no command", () => {
    const text = shown({ change: "max_turns=60\u001b[2K\u202e" });
    expect(text).toContain("change:    max_turns=60\\u{1b}[2K\\u{202e}");
    expect(text).toContain("\n\nrefused: its change holds characters that a reader cannot see");
    expect(text).not.toContain("mecha eval");
  });

  it.each<[Reading, string]>([
    [{ kind: "declined", reason: "none" }, "no proposal: none"],
    [
      { kind: "unparsable", reason: "class is missing" },
      "no proposal: its block cannot be used: class is missing",
    ],
    [{ kind: "failed", reason: "503\u001b" }, "no diagnosis: 503\\u{1b}"],
  ])("%j", (reading, text) => {
    expect(readingText(reading)).toBe(text);
  });
});
