import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { capped, jsonBody, type Message } from "#lib/notify/message.ts";
import { planOf } from "#lib/notify/plan.ts";
import { slackBody } from "#lib/notify/slack.ts";
import { finding } from "./a-finding.ts";

const SIGHT = { provenances: new Set(["recorded"] as const), unreadable: [], triggersDir: "/t" };

function message(findings = [finding("runs/x/recorded/m")], gone: string[] = []): Message {
  const known = gone.map((summary, n) => ({
    findingId: `runs/x/recorded/gone${n}`,
    newSentAt: 1,
    resolvedSentAt: null,
    summary,
  }));
  return {
    sent_at: "2026-08-06T12:00:00Z",
    as_of: "2026-08-06T12:00:00Z",
    plan: planOf(findings, known, SIGHT),
    since: new Map([["runs/x/recorded/m", "2026-08-01T00:00:00Z"]]),
  };
}

test("the JSON form", () => {
  expect(jsonBody(message(undefined, ["m was bad"]))).toEqual({
    schema_version: 1,
    sent_at: "2026-08-06T12:00:00Z",
    as_of: "2026-08-06T12:00:00Z",
    new: [
      {
        event_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: "runs/x/recorded/m",
        component: "runs",
        severity: "attention",
        summary: "runs/x/recorded/m is wrong",
        detail: "12 of 24 runs",
        since: "2026-08-01T00:00:00Z",
        remedy: {
          description: "read how the runs went",
          argv: ["mecha", "sessions", "health", "--days", "30"],
          command: "mecha sessions health --days 30",
          needs_terminal: false,
        },
      },
    ],
    resolved: [
      {
        event_id: expect.stringMatching(/^[0-9a-f]{24}$/),
        id: "runs/x/recorded/gone0",
        summary: "m was bad",
      },
    ],
    left_out: { new: 0, resolved: 0 },
  });
});

test("a command with what nobody sees is not offered as a line to paste", () => {
  const remedy = { description: "d", argv: ["mecha", "a\u001b[2Jb"], needs_terminal: false };
  const bad = message([finding("runs/x/recorded/m", { remedy })]);
  expect(jsonBody(bad)).toMatchObject({ new: [{ remedy: { argv: remedy.argv, command: null } }] });
  expect(JSON.stringify(slackBody(bad))).not.toContain("remedy");
});

describe("the Slack form", () => {
  const body = (of: Message) => slackBody(of) as SlackBody;
  type SlackBody = {
    text: string;
    blocks: { type: string; text: { type: string; text: string; emoji: boolean } }[];
  };

  test("says the same in blocks and in text", () => {
    const { text, blocks, ...rest } = body(message(undefined, ["m was bad"]));
    expect(text).toBe(
      "mecha: 1 new finding, 1 resolved\n[attention] runs/x/recorded/m is wrong\n[resolved] m was bad",
    );
    expect(blocks.map((block) => [block.type, block.text.text])).toEqual([
      ["header", "mecha: 1 new finding, 1 resolved"],
      [
        "section",
        "[attention] runs/x/recorded/m is wrong\n12 of 24 runs\nsince 2026-08-01T00:00:00Z\nremedy: mecha sessions health --days 30",
      ],
      ["section", "[resolved] m was bad"],
    ]);
    expect(rest).toEqual({
      mrkdwn: false,
      parse: "none",
      link_names: false,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  test("nothing untrusted calls anybody, links, embeds or breaks out of its line", () => {
    const words =
      "<!channel> <!here|x> <@U123> @here @everyone <https://evil.example|ok> ![](https://evil.example/x.png) & \n\u202e\u001b[31m";
    const said = JSON.stringify(
      body(message([finding("runs/x/recorded/m", { summary: words, detail: words })], [words])),
    );
    for (const bad of ["<", ">", "@", "://", "](", "\u202e", "\u001b", "\\u001b"])
      expect(said).not.toContain(bad);
    expect(said).toContain("&lt;!channel&gt;");
    expect(said).toContain("＠here");
    const { text } = body(message([], [words]));
    expect(text.split("\n")).toHaveLength(2);
  });

  test("whatever the words, it keeps to what Slack takes", () => {
    const words = fc.oneof(fc.string({ unit: "binary", maxLength: 2000 }), fc.constant("<&>".repeat(900)));
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 60 }), (text, n) => {
        const many = Array.from({ length: n }, (_, at) =>
          finding(`runs/x/recorded/${at}`, { summary: text, detail: text }),
        );
        const said = body(message(many, [text, text]));
        expect(said.blocks.length).toBeLessThanOrEqual(50);
        expect(said.blocks[0]?.text.text.length).toBeLessThanOrEqual(150);
        for (const block of said.blocks) {
          expect(block.text).toMatchObject({ type: "plain_text", emoji: false });
          expect(block.text.text.length).toBeLessThanOrEqual(3000);
          expect(block.text.text.length).toBeGreaterThan(0);
        }
        expect(said.text.length).toBeLessThanOrEqual(13_000);
        expect(said.text).not.toMatch(/[<>@]/);
      }),
      { numRuns: 60 },
    );
  });

  test("what is left over is counted", () => {
    const many = Array.from({ length: 45 }, (_, n) => finding(`runs/x/recorded/${n}`));
    const said = body(message(many));
    expect(said.blocks).toHaveLength(42);
    expect(said.text.split("\n")[0]).toBe("mecha: 45 new findings");
    expect(said.text.endsWith("and 5 more, which the next message will have")).toBe(true);
  });
});

test("a text is cut at a length, never inside a character", () => {
  expect(capped("abc", 3)).toBe("abc");
  expect(capped("abcd", 3)).toBe("ab…");
  expect(capped("a😀bc", 3)).toBe("a…");
});
