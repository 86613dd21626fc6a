import { describe, expect, it } from "vitest";
import { reviewText } from "#lib/cli/review-text.ts";
import { styleFor } from "#lib/cli/style.ts";
import { rateChart } from "#lib/review/chart.ts";
import { reviewHtml } from "#lib/review/html.ts";
import { reviewJson } from "#lib/review/json.ts";
import { reviewMarkdown } from "#lib/review/markdown.ts";
import { NOTHING_STORED } from "#lib/review/stored.ts";
import { svgText } from "#lib/verdict/svg.ts";
import { aProposal, aReview, aVerdict, aWeek, knownRuns, runsOn } from "./known.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "\"><svg onload='x'>",
  "[click](javascript:alert(1))",
  "![pic](http://evil.example/p.png)",
  "`code` ``` | a | b |",
  "# heading\n- item",
  "\u001b[31mred\u0007\u202eevil\u2066",
  "@everyone",
  "x".repeat(5000),
  "</style><style>*{display:none}",
  "\ud800 lone",
];

/** What moves a cursor or turns a line round. */
const UNSEEN = /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u;

const plainStyle = styleFor({ env: {}, isTty: { stdin: false, stdout: false, stderr: false } });
const text = (report: ReturnType<typeof aReview>) => reviewText(report, plainStyle, null);

function hostileReview() {
  const runs = HOSTILE.flatMap((model) => [
    ...runsOn("2026-11-17", 25, { model, config: { effort: model } }),
    ...runsOn("2026-11-24", 25, {
      model,
      ended_on_failed_call: true,
      config: { effort: `${model} now` },
    }),
  ]);
  const named = { change: null, candidate: HOSTILE[0] ?? "", baseline: HOSTILE[1] ?? "" };
  const stored = {
    ...NOTHING_STORED,
    verdicts: HOSTILE.map((reason) => aVerdict({ ...named, reason, predicted_metric: reason })),
    proposals: HOSTILE.map((one) =>
      aProposal({ subject: one, model: one, change: one, metric: one, reason: one }),
    ),
  };
  return aReview({ stored, problems: HOSTILE.map((place) => ({ place, problem: place })) }, runs);
}

describe("names of others", () => {
  it("are cut between their characters, wherever the cut comes", () => {
    const names = ["😀".repeat(300), `x${"😀".repeat(300)}`];
    const report = aReview(
      {
        stored: { ...NOTHING_STORED, proposals: names.map((change) => aProposal({ change, model: change })) },
      },
      names.flatMap((model) => runsOn("2026-11-24", 25, { model })),
    );
    for (const told of [reviewHtml(report), reviewMarkdown(report), text(report)]) {
      expect(told).toContain("😀…");
      expect(told).not.toMatch(/\p{Cs}|\\u\{d[89a-f]/u);
    }
  });

  it("are text in the file, and nothing else", () => {
    const html = reviewHtml(hostileReview());
    const tags = new Set([...html.matchAll(/<([a-z0-9]+)/gi)].map(([, tag]) => tag));
    for (const tag of ["script", "img", "iframe", "object", "link", "a"]) expect(tags).not.toContain(tag);
    expect(html.match(/<style/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]*\son[a-z]+=/i);
    expect(html).not.toMatch(UNSEEN);
    expect(html).not.toMatch(/<[^>]*\s(src|href)=/);
    expect(html.length).toBeLessThan(300_000);
  });

  it("are code in Markdown, and stay in their cell", () => {
    const markdown = reviewMarkdown(hostileReview());
    const outside = markdown.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
    expect(outside).not.toMatch(/<script|<img|\]\(|@everyone|javascript:/);
    for (const line of markdown.split("\n").filter((one) => one.startsWith("| `")))
      expect(line.replaceAll("\\|", "").split("|")).toHaveLength(7);
  });

  it("move nothing on a terminal", () => {
    expect(text(hostileReview())).not.toMatch(UNSEEN);
  });
});

describe("every rendering", () => {
  it("says a dash, never a zero, where nothing was counted", () => {
    const report = aReview({}, runsOn("2026-11-24", 3, { model: "m" }));
    for (const shown of [text(report), reviewMarkdown(report), reviewHtml(report)]) {
      expect(shown).toContain("tool errors");
      expect(shown).not.toContain("NaN");
      expect(shown).not.toMatch(/0\.0% 0\/0/);
    }
    expect(text(report)).toMatch(/tool errors +— +— +nothing to count/);
    expect(text(report)).toMatch(/cost +— +—/);
    expect(text(report)).toContain("n = 3, too few");
  });

  it("says that a week still goes on", () => {
    const report = aReview({ week: aWeek("2026-W48", "UTC", "2026-11-26T08:00:00Z") });
    const said = "in progress: as of 2026-11-26T08:00:00Z, the rest of the week is not in here";
    for (const shown of [text(report), reviewMarkdown(report), reviewHtml(report)])
      expect(shown).toContain(said);
    expect(reviewHtml(report)).toContain("2026-W48 so far");
  });

  it("stands over nothing at all", () => {
    const report = aReview({ scans: [] }, []);
    expect(text(report)).toContain("no run in this week or the eight before");
    expect(reviewMarkdown(report)).toContain("No run in this week or the eight before.");
    expect(reviewHtml(report)).toContain("No run in this week or the eight before.");
  });

  it("bounds its lists and says how much it leaves out", () => {
    const many = Array.from({ length: 30 }, (_, n) =>
      runsOn("2026-11-24", 20 + n, { model: `model-${n}` }),
    ).flat();
    const verdicts = Array.from({ length: 20 }, () => aVerdict());
    const report = aReview({ stored: { ...NOTHING_STORED, verdicts, verdicts_left_out: 2 } }, many);
    const html = reviewHtml(report);
    expect(html).toContain("and 21 more models with fewer runs");
    expect(html).toContain("and 18 more");
    expect(html.match(/<svg/g)).toHaveLength(9);
    expect(text(report)).toContain("and 21 more models with fewer runs");
  });
});

describe("the JSON", () => {
  it("has the numbers as pairs, the sentences, and sorted keys", () => {
    const json = JSON.parse(JSON.stringify(reviewJson(aReview())));
    expect(json).toMatchObject({ schema_version: 1, week: { key: "2026-W48", complete: true } });
    expect(json.models[0].rates.tool_error_rate.rate).toEqual({ hits: 72, of: 120 });
    expect(json.what_changed[1].sentence).toContain("alpha: tool errors rose above their limits");
    expect(Object.keys(json)).toEqual([...Object.keys(json)].sort());
    expect(json.models[0].rates.cut_short.weeks).toHaveLength(9);
  });

  it("is the same for the same transcripts, whenever a week that is over is looked at", () => {
    const later = aReview({ week: aWeek("2026-W48", "UTC", "2027-03-01T10:00:00Z") });
    expect(reviewJson(later)).toEqual(reviewJson(aReview()));
  });

  it("does not change with runs that came after the week", () => {
    const more = [
      ...knownRuns(),
      ...runsOn("2026-12-01", 50, { model: "alpha", tool_calls: 9, tool_errors: 9 }),
    ];
    const [now, then] = [aReview({}, more), aReview()];
    for (const part of ["models", "markers", "findings", "totals"] as const)
      expect(now[part]).toEqual(then[part]);
  });
});

describe("a chart", () => {
  const [alpha, beta] = aReview().models;
  const draw = (model = alpha) =>
    model
      ? svgText(rateChart(model, { metric: "tool_error_rate", top: 0.75, markers: aReview().markers }))
      : "";

  it("says in words what it shows", () => {
    expect(draw()).toContain(
      'aria-label="tool errors over 9 weeks: 60.0% 72/120 this week, ▲ above its limits; 10.0% 48/480 in the weeks before"',
    );
  });

  it("leaves a gap for a week without runs, hollow points under 20 runs, and a diamond outside", () => {
    expect(draw(beta).match(/class="thin"/g)).toHaveLength(4);
    expect(
      draw(beta)
        .match(/class="line" d="[^"]*"/)?.[0]
        .match(/M/g),
    ).toHaveLength(2);
    expect(draw(beta)).not.toContain('class="out"');
    expect(draw().match(/class="out"/g)).toHaveLength(1);
    expect(draw().match(/class="dot"/g)).toHaveLength(4);
    expect(draw().match(/class="flag"/g)).toHaveLength(1);
  });
});
