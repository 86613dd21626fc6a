import { beforeEach, describe, expect, test } from "vitest";
import type { Model } from "#lib/agent/model.ts";
import { withFallbacks } from "#lib/agent/providers/fallback.ts";
import { withRetries } from "#lib/agent/providers/retry.ts";
import { scriptedModel } from "#lib/agent/providers/scripted.ts";
import { sleep } from "#lib/agent/providers/sleep.io.ts";
import { aRequest, aWatch } from "#tests/support/a-request.ts";
import { scriptOf } from "#tests/support/three-models.ts";

const waits: number[] = [];
beforeEach(() => {
  waits.length = 0;
});
const noSleep = async (ms: number) => void waits.push(ms);

function model(provider: string, ...steps: object[]): Model {
  const script = scriptOf({ rules: [{ steps }] });
  const prices = { inputPerMtok: provider.length, outputPerMtok: 1 };
  return scriptedModel({ provider, model: "m", script, sleep: noSleep, prices, contextWindow: null });
}
const fails = (problem: string, over: object = {}) => ({ fail: { problem, transient: true, ...over } });

describe("retries", () => {
  const retrying = (one: Model, maxRetries = 3) =>
    withRetries(one, { maxRetries, retryAfterCapMs: 60_000, sleep: noSleep });

  test("wait twice as long each time, up to half a minute, and say so", async () => {
    const watch = aWatch();
    const answer = await retrying(model("a", fails("busy", { times: 6 }), { text: "ok" }), 6).ask(
      aRequest(),
      watch,
    );
    expect(answer).toMatchObject({ kind: "reply", answeredBy: { provider: "a" } });
    expect(waits).toEqual([2500, 5000, 10_000, 20_000, 30_000, 30_000]);
    expect(watch.notes[0]).toBe("busy; asking again in 2.5 s (retry 1 of 6)");
    expect(watch.notes).toHaveLength(6);
  });

  test("end after as many as are allowed", async () => {
    const answer = await retrying(model("a", fails("busy", { times: 9 }))).ask(aRequest(), aWatch());
    expect(answer).toMatchObject({ kind: "failure", problem: "busy (given up after 4 attempts)" });
    expect(waits).toHaveLength(3);
  });

  test("wait as long as the server asks for", async () => {
    await retrying(model("a", fails("busy", { retry_after_ms: 60_000 }), { text: "ok" })).ask(
      aRequest(),
      aWatch(),
    );
    expect(waits).toEqual([60_000]);
  });

  test("do not wait longer than they may", async () => {
    const answer = await retrying(model("a", fails("busy", { retry_after_ms: 3_600_000 }))).ask(
      aRequest(),
      aWatch(),
    );
    expect(answer).toMatchObject({
      transient: true,
      problem: "busy (the server asks for a wait of 3600 s; retry_after_cap_secs allows 60 s)",
    });
    expect(waits).toEqual([]);
  });

  test.each([{ transient: false }, { transient: false, overflow: true }])(
    "are of no use against %j",
    async (over) => {
      const answer = await retrying(model("a", fails("no", over), { text: "ok" })).ask(aRequest(), aWatch());
      expect(answer).toMatchObject({ kind: "failure", problem: "no", ...over });
      expect(waits).toEqual([]);
    },
  );

  test("say that an answer starts over, and count only the one that came", async () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    };
    const watch = aWatch();
    const broken = { text: "half", ...fails("broke off") };
    const answer = await retrying(model("a", broken, { text: "whole", usage })).ask(aRequest(), watch);
    expect(answer).toMatchObject({ content: [{ text: "whole" }], usage });
    expect(watch.texts).toEqual(["half", "whole"]);
    expect(watch.notes).toEqual(["broke off; the answer starts over in 2.5 s (retry 1 of 3)"]);
  });

  test("end with an abort during a wait", async () => {
    const controller = new AbortController();
    const one = withRetries(model("a", fails("busy", { times: 9 })), {
      maxRetries: 3,
      retryAfterCapMs: 0,
      sleep,
    });
    const watch = aWatch(controller.signal);
    const asked = one.ask(aRequest(), { ...watch, onNote: () => controller.abort() });
    expect(await asked).toEqual({ kind: "aborted", content: [], usage: null });
  });
});

describe("fallbacks", () => {
  test("answer in order, stay, are named, and leave the prices alone", async () => {
    const first = model("first", fails("down"), { text: "back again" });
    const second = model("second", fails("down too"));
    const third = model("third", { text: "here" }, { text: "still here" });
    const all = withFallbacks(first, [second, third]);
    const watch = aWatch();
    expect(await all.ask(aRequest(), watch)).toMatchObject({
      content: [{ text: "here" }],
      answeredBy: { provider: "third", model: "m" },
    });
    expect(watch.notes).toEqual([
      "first (m): down; asking second (m) instead",
      "second (m): down too; asking third (m) instead",
    ]);
    expect(await all.ask(aRequest(), watch)).toMatchObject({ content: [{ text: "still here" }] });
    expect(all).toMatchObject({ provider: "first", prices: { inputPerMtok: 5 } });
  });

  test("do not answer for what is wrong with the request", async () => {
    const all = withFallbacks(model("a", fails("too large", { transient: false, overflow: true })), [
      model("b", { text: "x" }),
    ]);
    expect(await all.ask(aRequest(), aWatch())).toMatchObject({ kind: "failure", overflow: true });
  });

  test("say what was wrong with each when none is left", async () => {
    const all = withFallbacks(model("a", fails("down")), [model("b", fails("busy"))]);
    expect(await all.ask(aRequest(), aWatch())).toMatchObject({ problem: "a (m): down; b (m): busy" });
  });
});
