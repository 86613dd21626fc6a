import { describe, expect, it } from "vitest";
import { assemble } from "#lib/verdict/assemble.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { code, MARKDOWN_MAX, verdictMarkdown } from "#lib/verdict/markdown.ts";
import { verdictBlock, verdictText } from "#lib/verdict/text.ts";
import { viewOf } from "#lib/verdict/view.ts";
import { flipSentences } from "#lib/verdict/words.ts";
import { aDocument, aRaw, aSource, cell, richDocument } from "./raw.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "`</code>`` **bold** [x](javascript:alert(1)) @everyone | a | b |",
  "line\nbreak\r\n## heading",
  "\u001b[2J\u0007\u202egnp.exe\u2066",
  "'--; DROP TABLE",
  "</details><h1>x",
  "x".repeat(5000),
];

/** A document whose every text was written by somebody who means ill. */
function hostileDocument() {
  const raw = aRaw("++++++++", "====");
  const bad = HOSTILE.join(" ");
  return assemble({
    ...raw,
    made_by: bad,
    created_at: bad,
    prediction: { change_class: "config", change: bad, metric: null, rationale: bad, made_at: bad },
    arms: {
      baseline: aSource({ label: bad, name: bad, model: `a${bad}`, provider: bad }),
      candidate: aSource({ label: bad, name: bad, model: `b${bad}`, judge: { provider: bad, model: bad } }),
    },
    episodes: [
      ...raw.episodes,
      ...HOSTILE.map((episode) => ({ episode, baseline: cell(true), candidate: cell(false) })),
      ...HOSTILE.map((text) => ({ episode: `lone ${text}`, baseline: cell(true), candidate: null })),
    ],
  });
}

describe("a verdict as text", () => {
  it("ends a measurement with the arms, the flips, the tallies, the work and the word", () => {
    expect(verdictBlock(viewOf(aDocument("+-======", "+===")), "config A/B")).toBe(
      [
        "── config A/B ──",
        "arm A (as configured): 10/12 cases",
        "arm B (max_turns=40): 11/12 cases",
        "  IMPROVED: case-0",
        "  IMPROVED: case-1",
        "  REGRESSED: case-2",
        "",
        "selection  1+ 1- 6=    holdout  1+ 0- 3=",
        "work       120 tool calls → 120",
        "",
        "verdict: NO — no better on the selection slice: 1 won, 1 lost",
        "",
      ].join("\n"),
    );
  });

  it("says what it rests on", () => {
    const out = verdictText(viewOf(richDocument()));
    for (const part of [
      "✓ ACCEPT   max_turns=40   (rule 10 of 10: measured)",
      "verdict: BETTER — better on the selection slice and no worse on the holdout",
      "predicted   lower turns (written down 2026-11-29T08:30:00Z): kept",
      "case passes selection 6+ 2- 3=, holdout 2+ 0- 3=",
      "coverage B  30 scored · 1 errored · 2 not scored · 33 runs",
      "3 more lost cases on the holdout → reject",
      "all-errored: all its runs errored in one arm",
      "re-check    mecha verdict verify verdict-",
    ]) {
      expect(out).toContain(part);
    }
  });

  it("moves no cursor and starts no line of its own, whatever it names", () => {
    const out = verdictText(viewOf(hostileDocument()));
    for (const char of ["\u001b", "\u0007", "\u202e", "\u2066", "\r"]) expect(out).not.toContain(char);
    expect(out).not.toMatch(/^## heading/m);
  });
});

describe("a verdict as Markdown", () => {
  it("keeps every foreign text inside a code span", () => {
    const out = verdictMarkdown(viewOf(hostileDocument()));
    const outside = withoutCode(out);
    for (const sign of ["<script", "<img", "@everyone", "**bold**", "javascript:", "</details><h1", "gnp"]) {
      expect(outside).not.toContain(sign);
    }
    expect(outside.match(/^## /gm)).toHaveLength(1);
    expect(outside.match(/<details>/g)?.length).toBe(outside.match(/<\/details>/g)?.length);
  });

  it.each([
    ["plain", "`plain`"],
    ["", "`  `"],
    ["a`b", "``a`b``"],
    ["``", "``` `` ```"],
    ["`edge", "`` `edge ``"],
    ["two\nlines", "`two\\u{a}lines`"],
  ])("%j as code is %s", (text, expected) => {
    expect(code(text)).toBe(expected);
  });

  it("fits into a comment however much there is to say, and says that it was cut", () => {
    const raw = aRaw("+".repeat(3000), "-".repeat(1000));
    const long = raw.episodes.map((one, i) => ({ ...one, episode: `${"long-name-".repeat(20)}${i}` }));
    const out = verdictMarkdown(viewOf(assemble({ ...raw, episodes: long })));
    expect(out.length).toBeLessThanOrEqual(MARKDOWN_MAX);
    expect(out).toContain("- and ");
    const small = verdictMarkdown(viewOf(hostileDocument()), 4000);
    expect(small).toContain("does not fit here");
    expect(small).toContain("check again");
  });
});

describe("a verdict as one file", () => {
  it("holds no script, loads nothing, and shows foreign text as text", () => {
    const html = verdictHtml(viewOf(hostileDocument()));
    expect(html).not.toMatch(/<(script|img|link|iframe|object|embed|base|form)\b/i);
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
    expect(html).not.toMatch(/<[^>]*\s(src|href)=/i);
    expect(html).toContain("default-src 'none'");
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).not.toContain("\u202e");
    expect(html.match(/<h1>/g)).toHaveLength(1);
  });

  it("draws tallies on one scale and the line of three quarters", () => {
    const html = verdictHtml(viewOf(aDocument("++++++++--", "+===")));
    expect(html.match(/<svg /g)).toHaveLength(2);
    expect(html).toContain(
      'aria-label="selection: 8 better, 2 worse, 0 the same; holdout: 1 better, 0 worse, 3 the same"',
    );
    const widths = [...html.matchAll(/<rect class="(?:better|worse|same)"[^>]* width="([\d.]+)"/g)].map((m) =>
      Number(m[1]),
    );
    expect(widths.slice(0, 6).map((width) => Math.round((width / (widths[0] ?? 1)) * 8))).toEqual([
      8, 2, 0, 1, 0, 3,
    ]);
    expect(html).toContain(">75%</text>");
  });

  it("stays short, and says how much more there is", () => {
    const html = verdictHtml(viewOf(aDocument("+".repeat(300), "-".repeat(100))));
    expect(html).toContain("and 280 more");
    expect(html).toContain("and 80 more");
    expect(html.length).toBeLessThan(40_000);
  });

  it("says what is unknown instead of drawing nothing", () => {
    const html = verdictHtml({
      ...viewOf(aDocument("+", "")),
      slices: null,
      outcome: null,
      reason: null,
      left_out: null,
    });
    expect(html).toContain("NOT JUDGED");
    expect(html).toContain("does not say which cases were held out");
  });
});

describe("what would flip it, in words", () => {
  it.each([
    [
      { to: "accept", changes: [{ lever: "holdout_wins", by: 2 }] },
      "2 more won pairs on the holdout → accept",
    ],
    [
      { to: "accept", changes: [{ lever: "selection_ties", by: 1 }] },
      "one more pair on the selection slice, however it goes → accept",
    ],
    [
      {
        to: "propose",
        changes: [
          { lever: "work_candidate_more", by: 66 },
          { lever: "selection_wins", by: 1 },
        ],
      },
      "66 tool calls more by the candidate, and one more won pair on the selection slice → propose",
    ],
    [
      { to: "accept", changes: [{ lever: "candidate_errored_less", by: 1 }] },
      "one errored run fewer in the candidate arm → accept",
    ],
    [
      { to: "reject", changes: [{ lever: "cases_holdout_losses", by: 3 }] },
      "3 more lost cases on the holdout → reject",
    ],
  ] as const)("%j", (flip, words) => {
    expect(flipSentences([{ to: flip.to, changes: [...flip.changes] }])).toEqual([words]);
  });
});

/** Markdown with its code spans taken out, by the rule of the format: a run of backticks ends at one of equal length. */
function withoutCode(text: string): string {
  return text.replace(/(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
}
