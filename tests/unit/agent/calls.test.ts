import { describe, expect, test } from "vitest";
import { judgeSend } from "#lib/agent/interlock.ts";
import { runLoop } from "#lib/agent/loop.ts";
import { limitResult, shareBudget } from "#lib/agent/output-limit.ts";
import type { Decision, LoopParts, PendingCall } from "#lib/agent/parts.ts";
import { NO_CAPABILITIES, type Tool } from "#lib/agent/tool.ts";
import type { Block, Taint } from "#lib/transcript/record.ts";
import { aLoop, aModel, aTool, failing, NEW, reply, resultsIn, text, use } from "#tests/support/a-loop.ts";

const LOOK = () => aTool("look", { can: { private_data: true } });
const CHANGE = () => aTool("change", { readOnly: false });
const FETCH = () =>
  aTool("fetch", {
    can: { untrusted_input: true, external_send: true },
    gives: () => ({ content: "page", isError: false, fromOutside: true }),
  });
const NO: Decision = { allow: false, by: "user", why: "I said no." };
const YES: Decision = { allow: true };

/** One batch of calls in a conversation with this taint, and then a last word. */
async function batch(
  calls: Block[],
  tools: Tool[],
  over: Parameters<typeof aLoop>[2] = {},
  taint: Taint = { private: false, untrusted: false },
) {
  const model = aModel([reply(calls), reply([text("Done.")])]);
  const { parts, events } = aLoop(model, tools, over);
  const done = await runLoop(parts, { messages: [], taint }, "?");
  const said = resultsIn(done.conversation.messages).map(({ content }) => content);
  const trace = done.trace.map((entry) => {
    const flags = (["is_error", "denied", "unknown", "staged"] as const).filter((flag) => entry[flag]);
    return [entry.name, ...flags].join(" ");
  });
  return { done, said, trace, events };
}

describe("a batch", () => {
  test("is traced in two parts, and answered in its own order", async () => {
    const { said, trace, events } = await batch(
      [use("look"), use("change"), use("broken"), use("nonesuch"), use("post")],
      [LOOK(), CHANGE(), aTool("broken", { gives: () => failing("no") }), aTool("post", { readOnly: false })],
      {
        permissionMode: "ask",
        approve: async () => NO,
        outbox: { routes: (name) => name === "post", stage: async () => "kept" },
      },
    );
    expect(trace).toEqual([
      "change is_error denied",
      "nonesuch is_error unknown",
      "post staged",
      "look",
      "broken is_error",
    ]);
    expect(said).toEqual([
      "fine",
      "Denied by the user: I said no.",
      "no",
      'No tool is called "nonesuch". The tools are: look, change, broken, post.',
      "kept",
    ]);
    const told = events.flatMap((event) =>
      event.type === "call_started" || event.type === "call_finished"
        ? [`${event.type} ${event.call.name}`]
        : [],
    );
    expect(told).toEqual(
      ["change", "nonesuch", "post", "look", "broken"].flatMap((name) => [
        `call_started ${name}`,
        `call_finished ${name}`,
      ]),
    );
  });

  test("without any tools an unknown one is told so", async () => {
    expect((await batch([use("look")], [])).said).toEqual(['No tool is called "look". There are no tools.']);
  });

  test.each([[null], [["a"]], ["text"], [7], [true]])(
    "arguments %j are no object: an error, nothing runs, and no hook hears of it",
    async (input) => {
      const look = LOOK();
      const heard: string[] = [];
      const hooks = {
        preTool: async () => YES,
        postTool: async ({ name }: { name: string }) => void heard.push(name),
      };
      const { done, trace } = await batch([use("look", input)], [look], { hooks });
      expect(look.inputs).toEqual([]);
      expect(heard).toEqual([]);
      expect(trace).toEqual(["look is_error"]);
      expect(done.trace[0]?.input).toEqual(input);
      expect(done.outcome).toMatchObject({
        tool_errors: 1,
        malformed_tool_args: 0,
        taint: { private: false },
      });
    },
  );

  test("malformed arguments reach the tool as they came", async () => {
    const look = aTool("look", { gives: () => failing("no path") });
    const raw = { __malformed_arguments: '{"path' };
    const model = aModel([
      reply([text("Hm."), use("look", raw), use("gone", raw)], { malformed: [1, 2] }),
      reply([text("Done.")]),
    ]);
    const done = await runLoop(aLoop(model, [look]).parts, NEW, "?");
    expect(look.inputs).toEqual([raw]);
    expect(done.outcome).toMatchObject({ malformed_tool_args: 2, tool_errors: 2, tool_calls: 2 });
  });

  test("arguments that nest without end are not kept", async () => {
    let deep: unknown = {};
    for (let n = 0; n < 100_000; n += 1) deep = { deep };
    const look = LOOK();
    const { done } = await batch([use("look", deep)], [look]);
    expect(() => JSON.stringify(done.conversation.messages)).not.toThrow();
    expect(done.outcome.malformed_tool_args).toBe(1);
  });

  test("a tool that throws is an error the model reads", async () => {
    const thrower = aTool("look", {
      gives: () => {
        throw new Error("boom");
      },
    });
    const { said, trace } = await batch([use("look"), use("look")], [thrower]);
    expect(said).toEqual(["The tool failed: boom", "The tool failed: boom"]);
    expect(trace).toEqual(["look is_error", "look is_error"]);
  });

  test("calls that only read run side by side, others one after the other", async () => {
    const running = { now: 0, most: 0 };
    const gives = async () => {
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      await new Promise((resolve) => setImmediate(resolve));
      running.now -= 1;
      return "fine";
    };
    const read = aTool("read", { can: { private_data: true }, gives });
    const write = aTool("write", { readOnly: false, gives });
    const ask = aTool("ask", { gives });
    const most = async (...names: string[]) => {
      running.most = 0;
      await batch(
        names.map((name) => use(name)),
        [read, write, ask],
      );
      return running.most;
    };
    expect(await most(...Array.from({ length: 20 }, () => "read"))).toBe(8);
    expect(await most("read", "write", "read")).toBe(1);
    expect(await most("ask", "ask")).toBe(1);
  });
});

describe("who is asked", () => {
  const asked: string[] = [];
  const approver =
    (decision: Decision): LoopParts["approve"] =>
    async (call, reason) => {
      asked.push(`${call.name} ${reason}`);
      return decision;
    };
  const LEGS = { private: true, untrusted: true };
  const rows: [string, Parameters<typeof aLoop>[2], Taint | undefined, string[], string[]][] = [
    ["allow: nobody", { permissionMode: "allow" }, undefined, [], ["fine", "fine", "page"]],
    [
      "ask: about changes",
      { permissionMode: "ask" },
      undefined,
      ["change permission"],
      ["fine", "fine", "page"],
    ],
    [
      "read-only: nobody, changes are refused",
      { permissionMode: "read-only" },
      undefined,
      [],
      ["fine", "Blocked by policy: this run may only read, and the tool can change something.", "page"],
    ],
    [
      "both legs, policy ask: about the send, though it only reads",
      { permissionMode: "allow", trifecta: "ask" },
      LEGS,
      ["fetch interlock"],
      ["fine", "fine", "page"],
    ],
    ["both legs, policy allow", { trifecta: "allow" }, LEGS, [], ["fine", "fine", "page"]],
    [
      "private alone, leak guard, policy allow: approval is forced",
      { trifecta: "allow", blockSendsAfterPrivate: true },
      { private: true, untrusted: false },
      ["fetch interlock"],
      ["fine", "fine", "page"],
    ],
  ];
  test.each(rows)("%s", async (_, over, taint, whom, said) => {
    asked.length = 0;
    const ran = await batch(
      [use("look"), use("change"), use("fetch")],
      [LOOK(), CHANGE(), FETCH()],
      { approve: approver(YES), ...over },
      taint,
    );
    expect(asked).toEqual(whom);
    expect(ran.said).toEqual(said);
    expect(ran.done.outcome.blocked_sends).toBe(0);
  });

  test("a send that a person refuses is denied, but not one that the interlock refused", async () => {
    const ran = await batch([use("fetch")], [FETCH()], { trifecta: "ask", approve: approver(NO) }, LEGS);
    expect(ran.said).toEqual(["Denied by the user: I said no."]);
    expect(ran.done.outcome).toMatchObject({ tool_denied: 1, blocked_sends: 0 });
  });

  test("an approver that fails is a no; so is a hook that fails", async () => {
    const fails = async () => {
      throw new Error("the terminal is gone");
    };
    const approved = await batch([use("change")], [CHANGE()], { permissionMode: "ask", approve: fails });
    expect(approved.said).toEqual(["Blocked by policy: it could not be decided: the terminal is gone"]);
    const hooked = await batch([use("look")], [LOOK()], {
      hooks: { preTool: fails, postTool: async () => undefined },
    });
    expect(hooked.said).toEqual(["Blocked by a hook: it could not be decided: the terminal is gone"]);
    expect(hooked.done.outcome).toMatchObject({ tool_denied: 1, tool_errors: 0 });
  });

  test("a hook that fails after a call takes nothing from it, and is told", async () => {
    const ran = await batch([use("look")], [LOOK()], {
      hooks: {
        preTool: async () => YES,
        postTool: async () => {
          throw new Error("gone");
        },
      },
    });
    expect(ran.said).toEqual(["fine"]);
    expect(ran.events).toContainEqual({ type: "note", text: "a hook after look failed: gone" });
  });

  test("the interlock comes before hooks, hooks before the approver; a hook sees a draft before it is kept", async () => {
    const order: string[] = [];
    const over: Parameters<typeof aLoop>[2] = {
      permissionMode: "ask",
      approve: async (call) => {
        order.push(`approve ${call.name}`);
        return YES;
      },
      hooks: {
        preTool: async (call) => {
          order.push(`hook ${call.name}`);
          return call.name === "look" ? { allow: false, by: "hook", why: "not that" } : YES;
        },
        postTool: async (call, { content, is_error }) => {
          order.push(`after ${call.name} ${content} ${is_error}`);
        },
      },
      outbox: {
        routes: (name) => name === "post",
        stage: async (call) => {
          order.push(`stage ${call.name}`);
          return "kept";
        },
      },
    };
    const post = aTool("post", { readOnly: false, can: { external_send: true } });
    const ran = await batch(
      [use("fetch"), use("look"), use("post"), use("change")],
      [FETCH(), LOOK(), post, CHANGE()],
      over,
      LEGS,
    );
    expect(order).toEqual([
      "hook look",
      "hook post",
      "stage post",
      "hook change",
      "approve change",
      "after change fine false",
    ]);
    expect(ran.said).toEqual([
      "Blocked by policy: the conversation holds private data and may hold a stranger's words, so this call could carry data out. Nothing was sent.",
      "Blocked by a hook: not that",
      "kept",
      "fine",
    ]);
    expect(ran.done.outcome).toMatchObject({ blocked_sends: 1, tool_denied: 2, tool_staged: 1 });
    const blocked = ran.events.flatMap((event) =>
      event.type === "call_finished" && event.blocked ? [event.call.name] : [],
    );
    expect(blocked).toEqual(["fetch"]);
  });

  test("a draft that cannot be kept is an error, and nothing was sent", async () => {
    const post = aTool("post", { readOnly: false });
    const stage = async (_: PendingCall): Promise<string> => {
      throw new Error("disk full");
    };
    const { said, trace, done } = await batch([use("post")], [post], {
      outbox: { routes: () => true, stage },
    });
    expect(said).toEqual(["The draft of post could not be stored, and nothing was sent: disk full"]);
    expect(trace).toEqual(["post is_error"]);
    expect(done.outcome).toMatchObject({ tool_errors: 1, tool_staged: 0, ended_on_failed_call: true });
    expect(post.inputs).toEqual([]);
  });
});

describe("the interlock", () => {
  const send = { ...NO_CAPABILITIES, external_send: true };
  const rules = { trifecta: "block", blockSendsAfterPrivate: false } as const;

  test("asks what had arrived, not what the batch declares", async () => {
    const ran = await batch([use("look"), use("fetch")], [LOOK(), FETCH()]);
    expect(ran.said).toEqual(["fine", "page"]);
    expect(ran.done.outcome).toMatchObject({ blocked_sends: 0, taint: { private: true, untrusted: true } });
  });

  test.each([
    [false, false, "run"],
    [true, false, "run"],
    [false, true, "run"],
    [true, true, "blocked"],
  ] as const)("private %s, untrusted %s: %s", (isPrivate, untrusted, verdict) => {
    const arrived = { private: isPrivate, untrusted };
    expect(judgeSend(send, arrived, rules)).toBe(verdict);
    expect(judgeSend({ ...send, external_send: false }, arrived, rules)).toBe("run");
  });

  test("with the leak guard, private is enough", () => {
    const arrived = { private: true, untrusted: false };
    const guarded = { ...rules, blockSendsAfterPrivate: true };
    expect(judgeSend(send, arrived, guarded)).toBe("blocked");
    expect(judgeSend(send, arrived, { ...guarded, trifecta: "ask" })).toBe("ask");
    expect(judgeSend(send, { private: false, untrusted: true }, guarded)).toBe("run");
  });
});

describe("taint", () => {
  const outside = (fromOutside: boolean, isError = false) =>
    aTool("page", {
      can: { untrusted_input: true },
      gives: () => ({ content: "x", isError, fromOutside }),
    });
  const rows: [string, Tool, Parameters<typeof aLoop>[2], Taint][] = [
    ["a private read", LOOK(), {}, { private: true, untrusted: false }],
    [
      "a private read that failed",
      aTool("x", { can: { private_data: true }, gives: () => failing("no") }),
      {},
      { private: true, untrusted: false },
    ],
    ["a page", outside(true), {}, { private: false, untrusted: true }],
    ["an error page", outside(true, true), {}, { private: false, untrusted: true }],
    ["an address that was refused", outside(false, true), {}, { private: false, untrusted: false }],
    [
      "a tool that was denied",
      aTool("x", { readOnly: false, can: { private_data: true, untrusted_input: true } }),
      { permissionMode: "read-only" },
      { private: false, untrusted: false },
    ],
    [
      "a draft",
      aTool("x", { can: { private_data: true, untrusted_input: true } }),
      { outbox: { routes: () => true, stage: async () => "kept" } },
      { private: false, untrusted: false },
    ],
  ];
  test.each(rows)("%s", async (_, tool, over, taint) => {
    expect((await batch([use(tool.spec.name)], [tool], over)).done.conversation.taint).toEqual(taint);
  });
});

describe("the size of results", () => {
  const share = (contents: readonly string[], budgetBytes: number) =>
    shareBudget(
      contents.map((content) => ({ content })),
      budgetBytes,
    );

  test("one may have 200 000 bytes, its marker included, and says what was left out", () => {
    const whole = "a".repeat(200_000);
    expect(limitResult({ content: whole })).toBe(whole);
    const cut = limitResult({ content: "é".repeat(150_000) });
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(200_000);
    const kept = cut.replace(/\n\[.*$/, "");
    expect(cut).toBe(
      `${kept}\n[truncated: ${300_000 - Buffer.byteLength(kept)} bytes left out; one result may have at most 200000 bytes]`,
    );
    expect(kept).toMatch(/^é+$/);
  });

  test("those of one turn share a budget: small ones leave the rest to large ones", () => {
    const [small, large, larger] = share(["s".repeat(100), "l".repeat(9000), "x".repeat(50_000)], 24_000);
    expect(small).toHaveLength(100);
    expect(large).toHaveLength(9000);
    const size = Buffer.byteLength(larger ?? "");
    expect(size).toBeLessThanOrEqual(24_000 - 9100);
    expect(size).toBeGreaterThan(24_000 - 9100 - 200);
    expect(larger).toMatch(/\n\[truncated: \d+ bytes left out; the results of one turn share 24000 bytes\]$/);
  });

  test("each may have 4096 bytes whatever the budget", () => {
    const many = share(
      Array.from({ length: 20 }, () => "a".repeat(4096)),
      0,
    );
    expect(many.every((content) => content.length === 4096)).toBe(true);
    expect(Buffer.byteLength(share(["a".repeat(4097)], 0)[0] ?? "")).toBeLessThanOrEqual(4096);
  });

  test("a budget above the limit of one result leaves that limit", () => {
    expect(share(["a".repeat(300_000)], 1_000_000)[0]).toMatch(/one result may have at most 200000 bytes/);
    expect(share(["a".repeat(300_000)], 24_000)[0]).toMatch(/276\d\d\d bytes left out; the results of one/);
  });

  test("no character is cut in two", () => {
    for (let shift = 0; shift < 8; shift += 1)
      expect(limitResult({ content: "a".repeat(shift) + "😀".repeat(60_000) })).not.toMatch(
        /\uFFFD|\p{Surrogate}/u,
      );
  });

  test("one that keeps its end loses its middle, and no half of a character stays", () => {
    for (let shift = 0; shift < 4; shift += 1) {
      const content = `${"b".repeat(shift)}begin ${"é😀".repeat(20_000)} end`;
      const original = { content, keepsEnd: true } as const;
      for (const [cut = "", bytesMax, limit] of [
        [shareBudget([original], 9_000)[0], 9_000, "the results of one turn share 9000 bytes"],
        [
          limitResult({ ...original, content: content.repeat(3) }),
          200_000,
          "one result may have at most 200000 bytes",
        ],
      ] as const) {
        const size = Buffer.byteLength(cut);
        expect(size).toBeLessThanOrEqual(bytesMax);
        expect(size).toBeGreaterThan(bytesMax - 200);
        const [start = "", marker, end = ""] = cut.split("\n");
        expect(start).toMatch(/^b*begin (é😀)+é?$/u);
        expect(end).toMatch(/^(😀)?(é😀)+ end$/u);
        const whole = limit.startsWith("one") ? 3 * Buffer.byteLength(content) : Buffer.byteLength(content);
        const left = whole - Buffer.byteLength(start) - Buffer.byteLength(end);
        expect(marker).toBe(`[truncated: ${left} bytes left out here; ${limit}]`);
      }
    }
  });

  test("the turn's budget is kept in the conversation", async () => {
    const big = aTool("big", { gives: () => "a".repeat(500_000) });
    const { said } = await batch([use("big"), use("big")], [big], { limits: { outputBudgetBytes: 10_000 } });
    expect(Math.max(...said.map((content) => content.length))).toBeLessThanOrEqual(5000);
    expect(said[0]).toMatch(/495\d\d\d bytes left out/);
  });

  test("what a command says at its end is in the conversation, however much it printed", async () => {
    const content = `exit status 1\n${"a".repeat(60_000)}\nthis is why`;
    const command = aTool("command", {
      gives: () => ({ content, isError: true, fromOutside: false, keepsEnd: true }),
    });
    const { said } = await batch([use("command"), use("command")], [command], {
      limits: { outputBudgetBytes: 10_000 },
    });
    for (const one of said)
      expect(one).toMatch(/^exit status 1\na+\n\[truncated: \d+ bytes .*\]\na+\nthis is why$/);
  });
});
