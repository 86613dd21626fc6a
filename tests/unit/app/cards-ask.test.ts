import { describe, expect, it } from "vitest";
import { parseCompareAsk, parseListAsk } from "#app/cards-ask.ts";

describe("the address of a comparison", () => {
  it("names its cards once each, the baseline first", () => {
    const { ask, problems } = parseCompareAsk(
      {
        cards: ["a.json", "b,c.json", "a.json", ""],
        baseline: "b,c.json",
        show: "flaky",
        tag: "x",
        q: "y",
        sort: "-B",
      },
      "UTC",
    );
    expect(problems).toEqual([]);
    expect(ask.cards).toEqual(["b,c.json", "a.json"]);
    expect(ask.filter).toEqual({ show: "flaky", tag: "x", q: "y" });
    expect(ask.order).toEqual({ by: 1, descending: true });
  });

  it("takes one card as a text", () => {
    expect(parseCompareAsk({ cards: "a.json" }, "UTC").ask.cards).toEqual(["a.json"]);
    expect(parseCompareAsk({}, "UTC").ask.cards).toEqual([]);
  });

  it("shows five of more, and says so", () => {
    const cards = ["a", "b", "c", "d", "e", "f"];
    const { ask, problems } = parseCompareAsk({ cards }, "UTC");
    expect(ask.cards).toEqual(cards.slice(0, 5));
    expect(problems).toEqual(["6 cards were asked for; the first 5 are shown."]);
  });

  it("says which part of it means nothing", () => {
    const { ask, problems } = parseCompareAsk(
      { cards: ["a"], baseline: "\u202ez", show: "none", sort: "Q", zone: "Nowhere" },
      "UTC",
    );
    expect(ask).toMatchObject({ cards: ["a"], filter: { show: "all" }, order: null, zone: "UTC" });
    expect(problems.join("\n")).toContain('baseline="\\u{202e}z" is none of the cards');
    expect(problems.join("\n")).toContain('zone="Nowhere" is not a time zone');
  });
});

describe("the address of the list", () => {
  it.each([
    [undefined, 0],
    ["100", 100],
    ["-5", 0],
    ["1e9", 1e9],
    ["x", 0],
    ["0.5", 0],
  ])("from=%s", (from, at) => {
    expect(parseListAsk({ from }, "UTC").ask.from).toBe(at);
  });

  it("keeps filters, and takes empty ones for none", () => {
    expect(parseListAsk({ q: "x", model: "", older: "" }, "UTC").ask).toEqual({
      q: "x",
      model: null,
      sort: { by: "made", descending: true },
      from: 0,
      older: null,
      zone: "UTC",
    });
  });
});
