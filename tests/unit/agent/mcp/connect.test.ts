import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type Connected, type ConnectRequest, connectServers } from "#lib/agent/mcp/connect.io.ts";
import { limitResult } from "#lib/agent/output-limit.ts";
import { UserError } from "#lib/errors.ts";
import { aServer, bundledServer, call, rogueServer } from "./servers.ts";

let plain = "";
const open: Connected[] = [];
beforeAll(async () => {
  plain = await bundledServer();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function connect(request: Partial<ConnectRequest>): Promise<Connected> {
  const connected = await connectServers({
    servers: [],
    workspace: tmpdir(),
    env: { PATH: process.env.PATH },
    ...request,
  });
  open.push(connected);
  return connected;
}

const rogue = (kind: string) => aServer("rogue", [rogueServer, kind]);

describe("a server that keeps the rules", () => {
  let shared: Connected;
  beforeAll(async () => {
    shared = await connectServers({
      servers: [aServer("kit", [plain])],
      workspace: tmpdir(),
      env: { PATH: process.env.PATH, HOME: "/home/ada", SECRET_KEY: "s3cret" },
    });
  });
  afterAll(() => shared.close());

  test("its tools carry the server's name, what they may do, and clean words", () => {
    expect(shared.notices).toEqual([]);
    const of = (name: string) => shared.tools.find(({ spec }) => spec.name === name);
    const echo = of("kit__echo");
    expect(echo?.spec.description).toBe("Says[31m it again.\nTwice.");
    expect(echo?.spec.parameters).toMatchObject({
      type: "object",
      properties: { words: { type: "string", description: "what to say" } },
      required: ["words"],
    });
    const nothing = { untrusted_input: false, external_send: false, destructive: false };
    expect(echo).toMatchObject({ readOnly: true, capabilities: { private_data: true, ...nothing } });
    expect(of("kit__fetch")).toMatchObject({
      readOnly: true,
      capabilities: { private_data: true, untrusted_input: true, external_send: true, destructive: false },
    });
    expect(of("kit__wipe")).toMatchObject({ readOnly: false, capabilities: { destructive: true } });
    expect(of("kit__picture")).toMatchObject({
      readOnly: false,
      capabilities: { private_data: true, ...nothing },
    });
  });

  test("an answer is its text, and always from outside", async () => {
    const said = await call(shared.tools, "kit__echo", { words: "grüezi" });
    expect(said).toEqual({ content: "grüezi", isError: false, fromOutside: true });
  });

  test("what is no text stands in brackets", async () => {
    const { content } = await call(shared.tools, "kit__picture");
    expect(content.split("\n")).toEqual([
      "a cat",
      "[image image/png, 3 bytes, not shown]",
      "[link to file:///cat: cat]",
      "[resource file:///cat.txt]",
      "meow",
      "[resource file:///cat.bin, unknown type, 6 bytes, not shown]",
    ]);
    expect((await call(shared.tools, "kit__figures")).content).toBe('{"n":3}');
  });

  test("an error of the tool, and arguments it does not take, are error results", async () => {
    const thrown = await call(shared.tools, "kit__wipe");
    expect(thrown).toMatchObject({ isError: true, content: "there is nothing to remove" });
    const wrong = await call(shared.tools, "kit__echo", { words: 3 });
    expect(wrong.isError).toBe(true);
    expect(wrong.content).toMatch(/words/);
  });

  test("a long answer comes whole, so that the limit of every result counts all that it leaves out", async () => {
    const { content } = await call(shared.tools, "kit__long", { bytes: 300_001 });
    expect(content).toBe("é".repeat(150_000));
    const [kept = "", marker] = limitResult({ content }).split("\n");
    const left = 300_000 - Buffer.byteLength(kept);
    expect(kept).toMatch(/^é{90000,100000}$/);
    expect(marker).toBe(`[truncated: ${left} bytes left out; one result may have at most 200000 bytes]`);
  });

  test("it sees a few variables, runs in the workspace, and no key reaches it", async () => {
    const { content } = await call(shared.tools, "kit__environment");
    const seen = JSON.parse(content);
    expect(seen).toMatchObject({ HOME: "/home/ada", PATH: process.env.PATH });
    expect(seen).not.toHaveProperty("SECRET_KEY");
    expect(path.resolve(seen.cwd)).toBe(path.resolve(tmpdir()));
  });

  test("several calls at once each get their own answer", async () => {
    const words = Array.from({ length: 50 }, (_, i) => `w${i}`);
    const said = await Promise.all(words.map((one) => call(shared.tools, "kit__echo", { words: one })));
    expect(said.map(({ content }) => content)).toEqual(words);
  });

  test("a cancelled call ends at once and the next one works", async () => {
    const stop = new AbortController();
    const waiting = call(shared.tools, "kit__wait", {}, stop.signal);
    setTimeout(() => stop.abort(), 20);
    expect(await waiting).toMatchObject({
      isError: true,
      content: "the call was cancelled",
      fromOutside: false,
    });
    expect((await call(shared.tools, "kit__echo", { words: "on" })).content).toBe("on");
  });
});

describe("what the configuration says", () => {
  test("capabilities are added, variables passed on and set, the prefix left off", async () => {
    const capabilities = {
      private_data: false,
      untrusted_input: true,
      external_send: false,
      destructive: true,
    };
    const server = aServer("kit", [plain], {
      capabilities,
      prefix_tools: false,
      env: { SET: "1" },
      env_passthrough: ["SECRET_KEY", "NOT_THERE"],
    });
    const { tools, notices } = await connect({
      servers: [server],
      env: { PATH: process.env.PATH, SECRET_KEY: "s3cret" },
    });
    expect(notices).toEqual(['MCP server "kit": env_passthrough names NOT_THERE, which is not set']);
    const echo = tools.find(({ spec }) => spec.name === "echo");
    expect(echo).toMatchObject({
      readOnly: false,
      capabilities: { private_data: true, untrusted_input: true, external_send: false, destructive: true },
    });
    const seen = JSON.parse((await call(tools, "environment")).content);
    expect(seen).toMatchObject({ SET: "1", SECRET_KEY: "s3cret" });
  });

  test("a disabled server is not started", async () => {
    const { tools, notices } = await connect({ servers: [aServer("kit", [plain], { disabled: true })] });
    expect({ tools, notices }).toEqual({ tools: [], notices: [] });
  });
});

const bwrap = spawnSync("bwrap", ["--version"]).status === 0;

describe("a server that is locked in", () => {
  afterEach(() => vi.unstubAllEnvs());

  test.skipIf(!bwrap)(
    "answers, sees its workspace and the variables it is given, and nothing else",
    async () => {
      const workspace = mkdtempSync(path.join(tmpdir(), "mecha-workspace-"));
      const outside = mkdtempSync(path.join(tmpdir(), "mecha-outside-"));
      const server = aServer("kit", [plain], { sandbox: true, env: { SET: "1" } });
      const { tools, notices } = await connect({ servers: [server], workspace });
      expect(notices).toEqual([]);
      const seen = JSON.parse((await call(tools, "kit__environment")).content);
      expect(seen).toMatchObject({ SET: "1", cwd: workspace });
      expect(seen.HOME).not.toBe(homedir());
      expect((await call(tools, "kit__echo", { words: "from inside" })).content).toBe("from inside");
      const looked = await call(tools, "kit__look", { place: outside });
      expect(looked.isError).toBe(true);
    },
  );

  test("where nothing can be locked in, it is not started at all", async () => {
    vi.stubEnv("PATH", "/nonexistent");
    const { tools, notices } = await connect({ servers: [aServer("kit", [plain], { sandbox: true })] });
    expect(tools).toEqual([]);
    expect(notices[0]).toMatch(/^MCP server "kit": cannot be used: (bubblewrap|commands can be confined)/);
  });
});

describe("names", () => {
  test("each becomes one that every provider takes, and the first of two has it", async () => {
    const { tools, notices } = await connect({ servers: [rogue("names"), rogue("names")], taken: [] });
    const names = tools.map(({ spec }) => spec.name);
    expect(names).toHaveLength(3);
    expect(names.slice(0, 1)).toEqual(["rogue__a_b"]);
    expect(names[1]).toMatch(/^rogue__x{48}_[0-9a-f]{8}$/);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(notices.filter((line) => line.includes("the name is taken"))).toHaveLength(5);
    expect(notices).toContain('MCP server "rogue": a tool without a name is left out');
  });

  test("a tool of mecha's own is never replaced", async () => {
    const server = aServer("rogue", [rogueServer, "names"], { prefix_tools: false });
    const { tools, notices } = await connect({ servers: [server], taken: ["fs_read"] });
    expect(tools.map(({ spec }) => spec.name)).not.toContain("fs_read");
    expect(notices).toContain('MCP server "rogue": its tool fs_read is left out: the name is taken');
  });
});

describe("a server that breaks the rules", () => {
  test.each<[string, RegExp]>([
    ["exits", /it ended with exit code 4; it said: cannot read its\\u\{1b}\[31m settings$/],
    ["mute", /it did not answer within 1 s$/],
    ["html", /it did not answer within 1 s$/],
    ["slow-list", /it did not answer within 1 s$/],
    ["no-protocol", /Invalid result for initialize: .*protocolVersion/],
    ["no-list", /its list of tools is no array$/],
    ["huge-list", /it sent a message that is too large to take$/],
  ])("%s: one line that names it", async (kind, said) => {
    // Those that answer may take their time.
    const more = said.source.includes("within 1 s") ? { connectMs: 1000 } : {};
    const { tools, notices } = await connect({ servers: [rogue(kind)], ...more });
    expect(tools).toEqual([]);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toMatch(/^MCP server "rogue": cannot be used: /);
    expect(notices[0]).toMatch(said);
  });

  test("a program that is not there is said", async () => {
    const missing = aServer("gone", [], { command: "no-such-program-here" });
    const { notices } = await connect({ servers: [missing, rogue("fine")] });
    expect(notices).toEqual([
      'MCP server "gone": cannot be used: no program "no-such-program-here" is in PATH',
    ]);
    expect(open[0]?.tools.map(({ spec }) => spec.name)).toEqual(["rogue__act"]);
  });

  test("where failures are fatal, the others are ended and it is said in one line", async () => {
    const asked = connect({ servers: [rogue("fine"), rogue("exits")], onFailure: "fatal" });
    await expect(asked).rejects.toThrow(UserError);
    await expect(asked).rejects.toThrow(/MCP server "rogue": cannot be used: it ended with exit code 4/);
  });

  test("noise between its messages is passed over", async () => {
    const { tools } = await connect({ servers: [rogue("noisy")] });
    expect((await call(tools, "rogue__act")).content).toBe("done");
  });

  test("schemas that no provider would take cost their tool, not the server", async () => {
    const { tools, notices } = await connect({ servers: [rogue("schemas")] });
    expect(tools.map(({ spec }) => spec.name)).toEqual(["rogue__fine"]);
    expect(notices[0]).toMatch(/"deep\\?" is left out: its schema is nested more than 64 deep/);
    expect(notices[1]).toMatch(/"large\\?" is left out: its schema has \d+ bytes/);
  });

  test("tools out of shape cost themselves at most, not the server", async () => {
    const { tools, notices } = await connect({ servers: [rogue("shapes")] });
    const parameters = Object.fromEntries(tools.map(({ spec }) => [spec.name, spec.parameters]));
    expect(parameters).toEqual({
      rogue__bare: { type: "object" },
      rogue__nulls: { type: "object" },
      rogue__either: { type: "object", properties: { a: {} } },
      rogue__fine: { type: "object" },
    });
    expect(tools.every(({ readOnly }) => !readOnly)).toBe(true);
    expect(notices).toEqual([
      'MCP server "rogue": its tool "choice" is left out: its schema is not that of an object',
      'MCP server "rogue": its tool "words" is left out: its schema is not that of an object',
      'MCP server "rogue": a tool without a name is left out',
      'MCP server "rogue": a tool without a name is left out',
    ]);
  });

  test("a cursor that is empty leads nowhere", async () => {
    const { tools, notices } = await connect({ servers: [rogue("cursor")] });
    expect(tools).toHaveLength(1);
    expect(notices).toEqual([]);
  });

  test("lists without end, and very long ones, are cut and said", async () => {
    const { tools, notices } = await connect({ servers: [rogue("many")] });
    expect(tools).toHaveLength(500);
    expect(notices).toEqual(['MCP server "rogue": it lists more than 500 tools; the rest is left out']);
    const endless = await connect({ servers: [rogue("endless")] });
    expect(endless.tools).toHaveLength(1);
  });

  test.each(["no-tools", "null-tools"])("%s: a server without tools is one without tools", async (kind) => {
    expect(await connect({ servers: [rogue(kind)] })).toMatchObject({ tools: [], notices: [] });
  });

  test.each(["null-capabilities", "listed-tools", "no-capabilities", "no-name", "number-version"])(
    "%s: a handshake in a shape of its own is one",
    async (kind) => {
      const { tools, notices } = await connect({ servers: [rogue(kind)] });
      expect(notices).toEqual([]);
      expect((await call(tools, "rogue__act")).content).toBe("done");
    },
  );

  test.each<[string, RegExp]>([
    ["refuses", /refused the call: .*Unknown tool: act/],
    ["error-words", /refused the call: no such thing$/],
    ["silent", /gives no reason$/],
    ["huge", /sent an answer that is too large to take$/],
    ["flood", /sent an answer that is too large to take$/],
    ["closes", /closed its output; its tools cannot be used any more$/],
  ])("%s: the call is an error result", async (kind, said) => {
    const { tools } = await connect({ servers: [rogue(kind)] });
    const result = await call(tools, "rogue__act");
    expect(result.isError).toBe(true);
    expect(result.content).toMatch(said);
  });

  test.each(["mark", "error-null", "several", "words", "figures", "marks"])(
    "%s: an answer out of shape is an answer",
    async (kind) => {
      const { tools } = await connect({ servers: [rogue(kind)], callMs: 2000 });
      expect(await call(tools, "rogue__act")).toEqual({ content: "done", isError: false, fromOutside: true });
    },
  );

  test("an id that a double would round arrives as it was said", async () => {
    const { tools } = await connect({ servers: [rogue("large-id")] });
    expect((await call(tools, "rogue__act")).content).toBe('{"id":"1915883588174806058","n":1}');
  });

  test("an answer that was too large does not end the server", async () => {
    const { tools } = await connect({ servers: [rogue("huge")] });
    expect((await call(tools, "rogue__act")).content).toMatch(/too large/);
    expect((await call(tools, "rogue__act")).content).toMatch(/too large/);
  });

  test("what it asks of us, and answers nobody waits for, change nothing", async () => {
    const { tools } = await connect({ servers: [rogue("lone")] });
    const result = { content: "[strange, not shown]\nok", isError: false, fromOutside: true };
    expect(await call(tools, "rogue__act")).toEqual(result);
    expect(await call(tools, "rogue__act")).toEqual(result);
  });

  test("no answer in time is an error result", async () => {
    const { tools } = await connect({ servers: [aServer("kit", [plain])], callMs: 2000 });
    expect(await call(tools, "kit__wait")).toEqual({
      content: 'the MCP server "kit" did not answer within 2 s',
      isError: true,
      fromOutside: false,
    });
    expect((await call(tools, "kit__echo", { words: "still here" })).content).toBe("still here");
  });

  test("one that dies in a call is named, then and ever after, with its last words", async () => {
    const { tools } = await connect({ servers: [aServer("kit", [plain])] });
    const waiting = call(tools, "kit__wait");
    const died =
      'the MCP server "kit" ended with exit code 3; its tools cannot be used any more. It said: out of luck';
    expect(await call(tools, "kit__die")).toEqual({ content: died, isError: true, fromOutside: true });
    expect((await waiting).content).toBe(died);
    expect((await call(tools, "kit__echo", { words: "?" })).content).toBe(died);
  });
});

describe("the end", () => {
  test("closing takes the server and what it started along, however often it is called", async () => {
    const connected = await connect({ servers: [aServer("kit", [plain])] });
    const pid = Number((await call(connected.tools, "kit__child")).content);
    expect(isAlive(pid)).toBe(true);
    await Promise.all([connected.close(), connected.close()]);
    await connected.close();
    expect(await goneSoon(pid)).toBe(true);
  });

  test("one that ignores signals is killed", async () => {
    const { server, pid } = traced("stubborn");
    const connected = await connect({ servers: [server] });
    await connected.close();
    expect(isAlive(await pid())).toBe(false);
  });

  test("when this process is killed, server and children go too", async () => {
    const program = `
      const { connectServers } = await import(${JSON.stringify(path.resolve("lib/agent/mcp/connect.io.ts"))});
      const { aServer, call } = await import(${JSON.stringify(path.join(import.meta.dirname, "servers.ts"))});
      const { tools } = await connectServers({ servers: [aServer("kit", [${JSON.stringify(plain)}])], workspace: "/tmp",
        env: { PATH: process.env.PATH } });
      console.log((await call(tools, "kit__child")).content);
      setInterval(() => undefined, 1000);`;
    const host = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said = await new Promise<string>((resolve) =>
      host.stdout.once("data", (chunk) => resolve(String(chunk))),
    );
    const pid = Number(said);
    expect(isAlive(pid)).toBe(true);
    host.kill("SIGKILL");
    expect(await goneSoon(pid)).toBe(true);
  });

  test("giving up while they start leaves nothing", async () => {
    const stop = new AbortController();
    const { server, pid } = traced("mute");
    const connecting = connect({ servers: [server], signal: stop.signal });
    void pid().then(() => stop.abort(new Error("enough")));
    await expect(connecting).rejects.toThrow("enough");
    expect(isAlive(await pid())).toBe(false);
  });
});

/** A server, and the number of its process once it has started. */
function traced(kind: string) {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "mecha-mcp-pid-")), "pid");
  const pid = async () => {
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, "utf8") !== "", { timeout: 20_000 });
    return Number(readFileSync(file, "utf8"));
  };
  return { server: aServer("rogue", [rogueServer, kind], { env: { PID_FILE: file } }), pid };
}

/** A process that has ended and waits to be asked about is no longer alive. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // No such process.
    return false;
  }
}

async function goneSoon(pid: number): Promise<boolean> {
  for (let i = 0; i < 500 && isAlive(pid); i += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  return !isAlive(pid);
}
