import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { launch } from "#lib/agent/launch.io.ts";
import type { LaunchRequest } from "#lib/agent/launch-request.ts";
import { declaredTaint, droppedNotice, selectTools } from "#lib/agent/launch-tools.ts";
import { runOptions } from "#lib/agent/options.ts";
import type { LoopEvent } from "#lib/agent/parts.ts";
import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import type { Config } from "#lib/config/config.ts";
import { defaultConfig, EMPTY_HOOK, EMPTY_MCP, EMPTY_PROVIDER } from "#lib/config/defaults.ts";
import { UserError } from "#lib/errors.ts";
import { loadConversation } from "#lib/transcript/load.io.ts";
import type { Message } from "#lib/transcript/record.ts";
import { checkSession } from "#tests/support/format-check.ts";
import { scratchDir } from "#tests/support/session-files.ts";

const NEW = { messages: [], taint: { private: false, untrusted: false } };
const watch = (events: LoopEvent[] = []) => ({
  signal: new AbortController().signal,
  onEvent: (event: LoopEvent) => void events.push(event),
});

type Over = Partial<Omit<LaunchRequest, "config" | "options">> & {
  config?: Partial<Config>;
  tools?: string[];
  off?: string[];
};

/** A request in a new folder, with a provider `s` that plays the script. */
function request(script: object, { config: given, tools, off, ...over }: Over = {}) {
  const dir = scratchDir();
  const file = path.join(dir, "script.json");
  writeFileSync(file, JSON.stringify({ name: "s", ...script }));
  writeFileSync(path.join(dir, "a.txt"), "words\n");
  const base = defaultConfig();
  const config: Config = {
    ...base,
    providers: { ...base.providers, s: { ...EMPTY_PROVIDER, kind: "scripted", script: file } },
    ...given,
  };
  const options = runOptions({
    config,
    provider: "s",
    model: "m",
    flags: { yes: true, ...(tools === undefined ? {} : { tools }) },
    workspace: dir,
    systemPrompt: null,
  });
  const made: LaunchRequest = {
    config,
    options: { ...options, toolsOff: off ?? [] },
    surface: { mcp: true, hooks: true, outbox: true, fallbacks: true, search: true },
    session: { kind: "new", dir: path.join(dir, "sessions"), title: null },
    conversation: NEW,
    recordOrder: "chat",
    approve: async () => ({ allow: true }),
    ask: null,
    outboxDir: path.join(dir, "outbox"),
    env: {},
    ...over,
  };
  return { dir, request: made };
}

const call = (tool: string, input: object = {}) => ({ calls: [{ tool, input }] });
const once = (tool: string, input: object = {}) => ({
  rules: [{ when: { results: 0 }, steps: [call(tool, input)], repeat: true }],
  otherwise: { text: "done" },
});

describe("launching an agent", () => {
  it("writes a session, one row per run, and goes on with the conversation", async () => {
    const { request: made } = request(once("fs_read", { path: "a.txt" }));
    const agent = await launch(made);
    expect(agent.tools).toEqual(["fs_read", "fs_list", "fs_write", "fs_edit", "shell", "http_fetch", "todo"]);
    const events: LoopEvent[] = [];
    expect(await agent.send("one", watch(events))).toMatchObject({ text: "done", failure: null });
    expect(events.map(({ type }) => type)).toContain("call_finished");
    await agent.send("two", watch());
    await agent.close();
    const { file, id } = agent.session ?? { file: "", id: "" };
    const checked = checkSession(readFileSync(file), { id, order: "chat" });
    expect(checked.problems).toEqual([]);
    expect(checked.rows).toHaveLength(2);
    const loaded = loadConversation(file);
    expect(loaded.messages).toEqual(agent.conversation().messages);
    expect(loaded.taint).toEqual({ private: true, untrusted: false });
  });

  it("writes nothing where no session is wanted", async () => {
    const { dir, request: made } = request(once("fs_list"), { session: { kind: "none" } });
    const agent = await launch(made);
    await agent.send("x", watch());
    expect(agent.session).toBeNull();
    expect(readdirSync(dir).toSorted()).toEqual(["a.txt", "script.json"]);
  });

  it("says which settings that somebody made are never sent", async () => {
    const local = { ...EMPTY_PROVIDER, kind: "local" as const, base_url: "http://127.0.0.1:9" };
    const untouched = await launch(request({}, { config: { providers: { s: local } } }).request);
    expect(untouched.notices).toEqual([]);
    const { request: made } = request({}, { config: { providers: { s: local } } });
    const settings = { ...made.options.settings, effort: "low" as const, thinking: false };
    const set = await launch({ ...made, options: { ...made.options, settings } });
    expect(set.notices).toEqual(["provider s is not sent: effort, thinking"]);
  });

  it("says nothing of that for a script, which is sent none", async () => {
    const agent = await launch(request({ otherwise: { text: "x" } }).request);
    expect(agent.notices).toEqual([]);
  });

  it("leaves out the tools that are not wanted, and refuses a name that no tool has", async () => {
    const only = await launch(
      request({ otherwise: { text: "x" } }, { tools: ["fs_read", "fs_list", "ask_user"], off: ["fs_list"] })
        .request,
    );
    expect(only.tools).toEqual(["fs_read"]);
    await expect(
      launch(request({ otherwise: { text: "x" } }, { tools: ["fs_reed"] }).request),
    ).rejects.toThrow('no tool is called "fs_reed" (did you mean fs_read?)');
  });

  it("says which guards are about no tool that there is", async () => {
    const hooks = [["fs_write"], ["fs_write", "shel"]].map((tools) => ({
      ...{ ...EMPTY_HOOK, event: "pre_tool" as const },
      ...{ tools, command: ["true"] },
    }));
    const server = { ...EMPTY_MCP, name: "notes", command: "none", disabled: true };
    const config = {
      outbox: { ...defaultConfig().outbox, tools: ["send_mail", "notes__send"] },
      hook: hooks,
      mcp: [server],
    };
    const { request: made } = request(
      { otherwise: { text: "x" } },
      { config, off: ["fs_raed", "fs_list", "shell", "web_search"] },
    );
    expect((await launch(made)).notices).toEqual([
      'tools.disabled: no tool is called "fs_raed" (did you mean fs_read?)',
      'outbox.tools: no tool is called "send_mail"',
      'hook[1].tools: no tool is called "shel" (did you mean shell?)',
    ]);
    const off = await launch({ ...made, surface: { ...made.surface, hooks: false, outbox: false } });
    expect(off.notices).toHaveLength(1);
  });

  it("keeps a call for the outbox, and asks hooks", async () => {
    const base = defaultConfig();
    const hook = { ...EMPTY_HOOK, event: "pre_tool" as const, tools: ["fs_list"], command: ["false"] };
    const config = { outbox: { ...base.outbox, tools: ["fs_write"] }, hook: [hook] };
    const script = {
      rules: [
        { when: { results: 0 }, steps: [call("fs_write", { path: "b.txt", content: "x" })] },
        { when: { results: 1 }, steps: [call("fs_list")] },
      ],
      otherwise: { text: "done" },
    };
    const { dir, request: made } = request(script, { config });
    const agent = await launch(made);
    expect((await agent.send("x", watch())).outcome).toMatchObject({ tool_staged: 1, tool_denied: 1 });
    expect(readdirSync(path.join(dir, "outbox"))).toHaveLength(1);
    const off = await launch({ ...made, surface: { ...made.surface, hooks: false, outbox: false } });
    expect((await off.send("x", watch())).outcome).toMatchObject({ tool_staged: 0, tool_denied: 0 });
  });

  it("says what a hook at the end of the session could not do, once", async () => {
    const hook = { ...EMPTY_HOOK, event: "session_end" as const, command: ["false"] };
    const agent = await launch(request({ otherwise: { text: "x" } }, { config: { hook: [hook] } }).request);
    await agent.send("x", watch());
    await Promise.all([agent.close(), agent.close()]);
    expect(agent.notices.filter((one) => one.startsWith("hook at the end"))).toHaveLength(1);
  });

  it("takes one prompt at a time, and none after its transcript could not be written", async () => {
    const { request: made } = request({ otherwise: { text: "x", delay_ms: 20 } });
    const agent = await launch(made);
    const first = agent.send("one", watch());
    await expect(agent.send("two", watch())).rejects.toThrow("one prompt at a time");
    await first;
    const { file } = agent.session ?? { file: "" };
    rmSync(file);
    await expect(agent.send("three", watch())).rejects.toThrow(
      `cannot write the transcript ${file}: it is gone`,
    );
    await expect(agent.send("four", watch())).rejects.toThrow("it is gone");
  });

  it("goes on with a session and with the list of its conversation, which a summary then carries over", async () => {
    const says = (role: Message["role"]): Message => ({ role, content: [{ type: "text", text: "so" }] });
    const input = { items: [{ content: "sweep the yard", status: "pending" }] };
    const messages: Message[] = [
      says("user"),
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "todo", input }] },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "1", content: "kept", is_error: false }],
      },
      ...(["assistant", "user", "assistant", "user", "assistant"] as const).map(says),
    ];
    const { request: made } = request(once("fs_list"));
    const first = await launch(made);
    await first.close();
    const { session } = first;
    const { limits } = made.options;
    const again = await launch({
      ...made,
      options: {
        ...made.options,
        limits: { ...limits, compactAtTokens: 1, compactKeepRecent: 2, compactValidate: false },
      },
      session: { kind: "resume", ...(session ?? { id: "", file: "" }) },
      conversation: { ...NEW, messages },
    });
    expect(again.session).toEqual(session);
    expect((await again.send("x", watch())).outcome.compactions).toBe(1);
    expect(JSON.stringify(again.conversation().messages)).toContain("[ ] sweep the yard");
    const text = readFileSync(session?.file ?? "", "utf8");
    expect(text.match(/"record":"config"/g)).toHaveLength(2);
  });

  it("is the only one to go on with a session, and says so to a second one", async () => {
    const { request: made } = request({ otherwise: { text: "x" } });
    const agent = await launch(made);
    const { file, id } = agent.session ?? { file: "", id: "" };
    const bytes = statSync(file).size;
    const again = () => launch({ ...made, session: { kind: "resume", id, file, bytes } });
    await expect(again()).rejects.toThrow(/another process is going on with this session/);
    expect((await agent.send("one", watch())).failure).toBeNull();
    await agent.close();
    // What it read before the other one wrote is out of date.
    await expect(again()).rejects.toThrow(/something else has written to it meanwhile/);
    expect(checkSession(readFileSync(file), { id, order: "chat" }).problems).toEqual([]);
    const last = await launch({ ...made, session: { kind: "resume", id, file, bytes: statSync(file).size } });
    expect((await last.send("two", watch())).failure).toBeNull();
    await last.close();
  });

  it.each([
    ["emptied", (file: string) => truncateSync(file)],
    ["added to", (file: string) => appendFileSync(file, '{"record":"message","role":"user","content":[]}\n')],
    ["replaced by a folder", (file: string) => [rmSync(file), mkdirSync(file)]],
    ["removed", (file: string) => rmSync(file)],
  ])("ends where its transcript is %s under it", async (_, change) => {
    const { request: made } = request({ otherwise: { text: "x" } });
    const agent = await launch(made);
    change(agent.session?.file ?? "");
    await expect(agent.send("one", watch())).rejects.toThrow(UserError);
    await agent.close();
  });

  it("holds what a killed run has called for arrived", async () => {
    const { request: made } = request({ otherwise: { text: "x" } });
    const agent = await launch(made);
    await agent.close();
    const { file, id } = agent.session ?? { file: "", id: "" };
    const messages: Message[] = [
      { role: "user", content: [{ type: "text", text: "go" }] },
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "http_fetch", input: {} }] },
    ];
    const again = await launch({
      ...made,
      session: { kind: "resume", id, file, unsettled: new Set(["http_fetch"]) },
      conversation: { messages, taint: NEW.taint },
    });
    expect(again.conversation().taint).toEqual({ private: false, untrusted: true });
    expect(again.conversation().messages).toHaveLength(3);
    expect(loadConversation(file).taint).toEqual({ private: false, untrusted: true });
  });
});

describe("which tools there are", () => {
  const tool = (name: string, over: Partial<Tool["capabilities"]> = {}): Tool => ({
    spec: { name, description: "", parameters: {} },
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, ...over },
    execute: async () => toolText(""),
  });
  const all = [tool("a", { private_data: true }), tool("b", { untrusted_input: true })];

  it.each([
    [null, [], ["a", "b"], []],
    [["b"], [], ["b"], []],
    [["a", "b"], ["a"], ["b"], []],
    [["shell", "a"], [], ["a"], []],
    [["zzzz"], [], [], ['"zzzz"']],
  ])("only %j without %j", (only, off, names, unknown) => {
    const selected = selectTools(all, only, off);
    expect(selected.tools.map(({ spec }) => spec.name)).toEqual(names);
    expect(selected.unknown).toEqual(unknown);
  });

  it("takes a tool that is gone for one that may bring in anything", () => {
    expect(declaredTaint(["a"], all)).toEqual({ private: true, untrusted: false });
    expect(declaredTaint(["gone"], all)).toEqual({ private: true, untrusted: true });
    expect(declaredTaint([], all)).toEqual({ private: false, untrusted: false });
  });

  it("names a dropped setting only where somebody has set it, off included", () => {
    const settings = {
      maxTokens: 1,
      effort: null,
      temperature: null,
      seed: 7,
      thinking: false,
      cachePrompt: true,
    };
    expect(droppedNotice("p", ["seed", "effort"], settings)).toBe("provider p is not sent: seed");
    expect(droppedNotice("p", ["thinking", "cachePrompt"], settings)).toBe(
      "provider p is not sent: thinking",
    );
    expect(droppedNotice("p", ["effort", "temperature", "cachePrompt"], settings)).toBeNull();
    const usual = { ...settings, effort: "high" as const, thinking: true };
    expect(droppedNotice("p", ["effort", "thinking", "cachePrompt"], usual)).toBeNull();
  });
});
