import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AgentHome, agentHome, bothReaders, onlySession, rowsOf } from "#tests/support/agent-home.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";

let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => temp.remove());

/** Says what it was told, how often it was spoken to before, and reads a file when asked to. */
const PARROT = {
  rules: [
    {
      when: { prompt_contains: "read", results: 0 },
      steps: [{ calls: [{ tool: "fs_read", input: { path: "notes.txt" } }] }],
      repeat: true,
    },
    { when: { prompt_contains: "read" }, steps: [{ text: "I have read it." }], repeat: true },
    { when: { prompt_contains: "break" }, steps: [{ fail: { problem: "on fire" } }] },
    { when: { seen_contains: "my name is Ada" }, steps: [{ text: "Hello Ada." }], repeat: true },
  ],
  otherwise: { text: "Hello." },
};

const chat = (place: AgentHome, answers: string[], argv: string[] = []) =>
  runCli(["chat", "-p", "s", "-w", place.workspace, ...argv], { home: place.home, answers });
const records = (file: string) =>
  readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
const kinds = (file: string) => records(file).map(({ record }) => record);

describe("mecha chat", () => {
  test("each line is a run with a row of its own, on one conversation", async () => {
    const place = agentHome(temp.home, PARROT);
    const ran = await chat(place, ["my name is Ada", "", "read it", "/quit", "never heard"]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("Hello Ada.\n");
    expect(ran.out).toContain("I have read it.\n");
    const read = await bothReaders(place.sessions, "chat");
    expect(read.checked.problems).toEqual([]);
    const { checked, scanned } = rowsOf(read);
    expect(scanned).toEqual(checked);
    expect(checked.map(({ counters }) => [counters.turns, counters.tool_calls])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    const { file } = onlySession(place.sessions);
    const first = ["message", "message", "outcome", "taint"];
    expect(kinds(file)).toEqual(["meta", "config", ...first, ...["message", "message"], ...first]);
    expect(records(file)[0]).toMatchObject({ title: "my name is Ada" });
  });

  test("the end of the input ends it, and a chat in which nothing was said leaves no session", async () => {
    const place = agentHome(temp.home, PARROT);
    const ran = await chat(place, []);
    expect(ran).toMatchObject({ code: 0, asked: ["> "] });
    expect(existsSync(place.sessions)).toBe(false);
  });

  test("a failed run is told and the chat goes on", async () => {
    const place = agentHome(temp.home, PARROT);
    const ran = await chat(place, ["break", "hello"]);
    expect(ran.err).toContain("mecha: the run failed: on fire");
    expect(ran.out).toContain("Hello.\n");
    const read = await bothReaders(place.sessions, "chat");
    expect(read.checked.problems).toEqual([]);
    expect(read.checked.rows).toHaveLength(1);
  });
});

describe("mecha chat --resume", () => {
  test("goes on with the conversation, the session's provider and its workspace", async () => {
    const place = agentHome(temp.home, PARROT);
    await chat(place, ["my name is Ada"]);
    const { id, file } = onlySession(place.sessions);
    const ran = await runCli(["chat", "--resume", id.slice(0, -2)], {
      home: place.home,
      answers: ["who am I"],
    });
    expect(ran.err).toContain(`s, s. Going on with session ${id}: 2 message(s).`);
    expect(ran.out).toContain("Hello Ada.\n");
    const read = await bothReaders(place.sessions, "chat");
    expect(read.checked.problems).toEqual([]);
    expect(read.checked.rows).toHaveLength(2);
    const configs = records(file).filter(({ record }) => record === "config");
    expect(configs).toMatchObject([
      { workspace: place.workspace },
      { workspace: place.workspace, provider: "s" },
    ]);
  });

  test("answers the calls that a killed run left open, and holds the conversation for private", async () => {
    const place = agentHome(temp.home, PARROT);
    await chat(place, ["my name is Ada"]);
    const { file } = onlySession(place.sessions);
    const asks = { record: "message", role: "user", content: [{ type: "text", text: "read it" }] };
    const call = { type: "tool_use", id: "x1", name: "fs_read", input: { path: "notes.txt" } };
    const calls = { record: "message", role: "assistant", content: [call] };
    appendFileSync(file, `${JSON.stringify(asks)}\n${JSON.stringify(calls)}\n{"record":"mess`);
    const ran = await chat(place, ["hello again"], ["--resume", file]);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain("note: 1 line(s) of its file could not be read");
    const read = await bothReaders(place.sessions, "chat", true);
    expect(read.checked.problems).toEqual([]);
    expect(read.scan.runs).toHaveLength(2);
    expect(read.scan.runs[1]).toMatchObject({ taint: { private: true, untrusted: false } });
    expect(read.scan.coverage.lines_unknown).toBe(1);
  });

  test("says what it cannot go on with", async () => {
    const place = agentHome(temp.home, PARROT);
    expect(await chat(place, ["x"], ["--resume", "2026"])).toMatchObject({ code: 1, asked: [] });
    await chat(place, ["hello"]);
    const ran = await chat(place, ["x"], ["--resume", "1999"]);
    expect(ran.code).toBe(1);
    expect(ran.err).toContain("no session has an id that starts with '1999'");
  });

  test("with another provider goes on with that one", async () => {
    const place = agentHome(temp.home, PARROT);
    await chat(place, ["my name is Ada"]);
    const { file } = onlySession(place.sessions);
    const ran = await runCli(["chat", "--resume", file, "-p", "scripted"], {
      home: place.home,
      answers: ["x"],
    });
    expect(ran.out).toContain("I listed the workspace");
    const { scan } = await bothReaders(place.sessions, "chat");
    expect(scan.runs.map(({ provider }) => provider)).toEqual(["s", "scripted"]);
  });

  test("a workspace that is gone is said", async () => {
    const place = agentHome(temp.home, PARROT);
    await chat(place, ["hello"]);
    const { file } = onlySession(place.sessions);
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(place.workspace, path.join(temp.home, "gone")));
    const ran = await runCli(["chat", "--resume", file], { home: place.home, answers: ["x"] });
    expect(ran).toMatchObject({ code: 1 });
    expect(ran.err).toContain("gone: there is no such folder; name one with --workspace");
  });
});
