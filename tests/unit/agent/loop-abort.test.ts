import { describe, expect, test } from "vitest";
import { runLoop } from "#lib/agent/loop.ts";
import type { ModelAnswer } from "#lib/agent/model.ts";
import type { LoopParts } from "#lib/agent/parts.ts";
import type { Tool } from "#lib/agent/tool.ts";
import type { Block, Usage } from "#lib/transcript/record.ts";
import {
  type Answering,
  aLoop,
  aModel,
  aTool,
  failure,
  NEW,
  rebuilt,
  reply,
  resultsIn,
  text,
  usage,
  use,
} from "#tests/support/a-loop.ts";

const NOT_MADE = "Interrupted: the run was stopped before this call was made.";
const CUT_OFF =
  "Interrupted: the run was stopped while this call was being made; what it has done is not known.";
const never = () => new Promise<never>(() => undefined);

function stopped(content: Block[], spent: Usage | null = null): ModelAnswer {
  return { kind: "aborted", content, usage: spent };
}

/** One run that is stopped by whoever calls `stop`. */
async function run(
  answers: (stop: () => void) => Answering[],
  tools: (stop: () => void) => Tool[] = () => [],
  over: (stop: () => void) => Parameters<typeof aLoop>[2] = () => ({}),
) {
  const controller = new AbortController();
  const stop = () => controller.abort();
  const model = aModel(answers(stop));
  const { parts, events } = aLoop(model, tools(stop), { signal: controller.signal, ...over(stop) });
  const done = await runLoop(parts, NEW, "?");
  expect(done.failure).toBeNull();
  expect(rebuilt(NEW, events)).toEqual(done.conversation.messages);
  expect(done.outcome).toMatchObject({
    stop_cause: "interrupted",
    exhausted: false,
    ended_on_failed_call: false,
  });
  return { ...done, model, said: resultsIn(done.conversation.messages).map(({ content }) => content) };
}

describe("a stop", () => {
  test("before the first request asks nothing; the prompt is kept", async () => {
    const done = await run(
      () => [],
      () => [],
      () => ({ signal: AbortSignal.abort() }),
    );
    expect(done.conversation.messages).toHaveLength(1);
    expect(done.outcome).toMatchObject({ turns: 0, usage_complete: true });
  });

  test("in a request keeps the words that had come; the usage is a lower bound", async () => {
    const done = await run((stop) => [
      () => {
        stop();
        return stopped([text("I thi")]);
      },
    ]);
    expect(done.text).toBe("I thi");
    expect(done.outcome).toMatchObject({ turns: 1, usage: usage(0, 0), usage_complete: false });
  });

  test("in a request whose usage is known is complete; nothing that came is nothing kept", async () => {
    const done = await run((stop) => [
      () => {
        stop();
        return stopped([], usage(7, 1));
      },
    ]);
    expect(done.conversation.messages).toHaveLength(1);
    expect(done.outcome).toMatchObject({ usage: usage(7, 1), usage_complete: true });
  });

  test("in a request with calls that were whole answers them as not made", async () => {
    const look = aTool("look");
    const done = await run(
      (stop) => [
        () => {
          stop();
          return stopped([text("So"), use("look", {}, "1")]);
        },
      ],
      () => [look],
    );
    expect(done.said).toEqual([NOT_MADE]);
    expect(done.outcome).toMatchObject({ tool_calls: 0, tool_errors: 0 });
    expect(look.inputs).toEqual([]);
  });

  test("that a provider tells as a failure is a stop", async () => {
    const done = await run((stop) => [
      () => {
        stop();
        return failure("socket closed");
      },
    ]);
    expect(done.conversation.messages).toHaveLength(1);
  });

  test("between turns lets no further request be made", async () => {
    const done = await run(
      () => [reply([use("look")])],
      () => [aTool("look")],
      (stop) => ({ hooks: { preTool: async () => ({ allow: true }), postTool: async () => stop() } }),
    );
    expect(done.said).toEqual(["fine"]);
    expect(done.outcome).toMatchObject({ turns: 1, tool_calls: 1, tool_errors: 0 });
    expect(done.model.requests).toHaveLength(1);
  });

  test("in a tool that does not listen keeps what was done, and answers the rest", async () => {
    const done = await run(
      () => [reply([use("quick"), use("stuck"), use("quick")])],
      (stop) => [
        aTool("quick", { readOnly: false }),
        aTool("stuck", {
          readOnly: false,
          can: { private_data: true },
          gives: () => {
            setImmediate(stop);
            return never();
          },
        }),
      ],
    );
    expect(done.said).toEqual(["fine", CUT_OFF, NOT_MADE]);
    expect(resultsIn(done.conversation.messages).map(({ is_error }) => is_error)).toEqual([
      false,
      false,
      false,
    ]);
    expect(done.outcome).toMatchObject({ tool_calls: 2, tool_errors: 0, taint: { private: false } });
  });

  test("by a tool that then hangs is heard; no last answer is asked for", async () => {
    const done = await run(
      () => [reply([use("stuck")])],
      (stop) => [
        aTool("stuck", {
          gives: () => {
            stop();
            return never();
          },
        }),
      ],
      () => ({ limits: { maxTurns: 1 } }),
    );
    expect(done.said).toEqual([CUT_OFF]);
    expect(done.conversation.messages.at(-1)?.content).toHaveLength(1);
  });

  test("by an approver that says yes makes no call", async () => {
    const change = aTool("change", { readOnly: false });
    const done = await run(
      () => [reply([use("change")])],
      () => [change],
      (stop) => ({
        permissionMode: "ask",
        approve: async () => {
          stop();
          return { allow: true };
        },
      }),
    );
    expect(done.said).toEqual([NOT_MADE]);
    expect(done.outcome.tool_calls).toBe(0);
    expect(change.inputs).toEqual([]);
  });

  test("in a tool that throws because of it is no error of the tool", async () => {
    const done = await run(
      () => [reply([use("listens")])],
      (stop) => [
        aTool("listens", {
          gives: (_, signal) =>
            new Promise((_resolve, reject) => {
              signal.addEventListener("abort", () => reject(signal.reason));
              setImmediate(stop);
            }),
        }),
      ],
    );
    expect(done.said).toEqual([CUT_OFF]);
    expect(done.outcome).toMatchObject({ tool_calls: 1, tool_errors: 0 });
  });

  test("while calls run side by side keeps those that were done", async () => {
    const done = await run(
      () => [reply([use("quick"), use("stuck")])],
      (stop) => [
        aTool("quick", { can: { private_data: true } }),
        aTool("stuck", {
          can: { untrusted_input: true },
          gives: () => {
            setImmediate(stop);
            return never();
          },
        }),
      ],
    );
    expect(done.said).toEqual(["fine", CUT_OFF]);
    expect(done.outcome.taint).toEqual({ private: true, untrusted: false });
  });

  const asking: [string, (wait: () => Promise<never>) => Partial<LoopParts>][] = [
    ["the approver", (wait) => ({ permissionMode: "ask", approve: wait })],
    ["a hook", (wait) => ({ hooks: { preTool: wait, postTool: async () => undefined } })],
  ];
  test.each(asking)("while %s is asked makes no call, and is no denial", async (_, over) => {
    const change = aTool("change", { readOnly: false });
    const done = await run(
      () => [reply([use("change"), use("change")])],
      () => [change],
      (stop) =>
        over(() => {
          setImmediate(stop);
          return never();
        }),
    );
    expect(done.said).toEqual([NOT_MADE, NOT_MADE]);
    expect(done.outcome).toMatchObject({ tool_calls: 0, tool_denied: 0 });
    expect(change.inputs).toEqual([]);
  });

  test("while a hook looks at a result keeps the result", async () => {
    const done = await run(
      () => [reply([use("look")])],
      () => [aTool("look")],
      (stop) => ({
        hooks: {
          preTool: async () => ({ allow: true }),
          postTool: () => {
            setImmediate(stop);
            return never();
          },
        },
      }),
    );
    expect(done.said).toEqual(["fine"]);
    expect(done.outcome).toMatchObject({ tool_calls: 1, tool_errors: 0 });
  });

  test("in the last answer is the end of the run, whatever ceiling it had come to", async () => {
    const done = await run(
      (stop) => [
        () => {
          stop();
          return stopped([text("In sh")]);
        },
      ],
      () => [],
      () => ({ limits: { maxTurns: 0 } }),
    );
    expect(done.text).toBe("In sh");
  });

  test.each(["summary", "validate"])("in the %s request sends no other", async (purpose) => {
    const looks = Array.from({ length: 3 }, (_, n) => reply([use("look", { n })]));
    const done = await run(
      (stop) => [
        ...looks,
        ...(purpose === "validate" ? [reply([text("notes")])] : []),
        () => {
          stop();
          return stopped([]);
        },
      ],
      () => [aTool("look")],
      () => ({ limits: { compactAtTokens: 100, compactKeepRecent: 2, compactValidate: true } }),
    );
    expect(done.model.requests.at(-1)?.purpose).toBe(purpose);
    expect(done.outcome).toMatchObject({ turns: 3, compactions: purpose === "validate" ? 1 : 0 });
  });

  test("a complete answer that came before it is complete", async () => {
    const controller = new AbortController();
    const model = aModel([
      () => {
        controller.abort();
        return reply([text("Done.")]);
      },
    ]);
    const { parts } = aLoop(model, [], { signal: controller.signal });
    expect((await runLoop(parts, NEW, "?")).outcome.stop_cause).toBe("completed");
  });
});
