import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { toolText } from "#lib/agent/tool.ts";
import { askUser } from "#lib/agent/tools/ask-user.ts";
import { type BuiltInOptions, builtInTools } from "#lib/agent/tools/built-in.io.ts";
import { createTodo } from "#lib/agent/tools/todo.ts";
import { bad, good, scratch } from "./call-tool.ts";

function options(): BuiltInOptions {
  return {
    workspace: scratch(),
    security: {
      trifecta: "block",
      block_private_ips: true,
      allowed_domains: [],
      blocked_domains: [],
      mark_untrusted_output: true,
      block_sends_after_private: false,
    },
    search: [{ kind: "searxng", base_url: "http://127.0.0.1:1", api_key_env: null, api_key: null }],
    ask: async () => "yes",
    todo: createTodo(),
    shell: null,
    env: {},
    outputBudgetBytes: 24_000,
  };
}

const letters = (tool: ReturnType<typeof builtInTools>[number]) => {
  const { private_data, untrusted_input, external_send, destructive } = tool.capabilities;
  const has = [private_data && "P", untrusted_input && "U", external_send && "S", destructive && "D"];
  return `${tool.readOnly ? "r" : "-"}${has.filter(Boolean).join("")}`;
};

describe("the tools of this program", () => {
  it("come in one order, with the capabilities they are judged by", () => {
    const tools = builtInTools(options());
    expect(tools.map((tool) => [tool.spec.name, letters(tool)])).toEqual([
      ["fs_read", "rP"],
      ["fs_list", "rP"],
      ["fs_write", "-D"],
      ["fs_edit", "-D"],
      ["http_fetch", "rUS"],
      ["web_search", "rUS"],
      ["todo", "r"],
      ["ask_user", "r"],
    ]);
  });

  it("leave out what cannot work, and take the shell that they are given", () => {
    const shell = { ...createTodo().tool, spec: { name: "shell", description: "", parameters: {} } };
    const names = builtInTools({ ...options(), search: [], ask: null, shell }).map(({ spec }) => spec.name);
    expect(names).toEqual(["fs_read", "fs_list", "fs_write", "fs_edit", "shell", "http_fetch", "todo"]);
  });

  it("cost few words in every request", () => {
    const specs = JSON.stringify(builtInTools(options()).map(({ spec }) => spec));
    expect(specs.length).toBeLessThan(3200);
  });

  it("end a file that is read within the turn's budget, and say where to read on", async () => {
    const given = options();
    writeFileSync(path.join(given.workspace, "long"), "line\n".repeat(20_000));
    const [read] = builtInTools(given);
    const content = read === undefined ? "" : await good(read, { path: "long" });
    expect(Buffer.byteLength(content)).toBeLessThan(24_000);
    expect(content).toMatch(/more with offset 4601\]$/);
  });

  it("load nothing of the network before it is used", () => {
    const dir = path.resolve(import.meta.dirname, "../../../../lib/agent/tools");
    for (const file of readdirSync(dir))
      expect(readFileSync(path.join(dir, file), "utf8"), file).not.toMatch(
        /^import (?!type).*"(node:(http|https|net|tls|zlib|dns|dns\/promises|stream)|ai|zod|@ai-sdk.*)"/m,
      );
  });
});

describe("todo", () => {
  const items = [
    { content: "look", status: "completed" },
    { content: "fix\nit", status: "in_progress" },
    { content: "test", status: "pending" },
  ];

  it("replaces the whole list and gives it back", async () => {
    const { tool, carry } = createTodo();
    expect(carry()).toBeNull();
    const lines = "[x] look\n[~] fix it\n[ ] test";
    expect(await good(tool, { items })).toBe(`1 pending, 1 in_progress, 1 completed\n${lines}`);
    expect(carry()).toBe(lines);
    await bad(tool, { items: [{ content: "x", status: "done" }] });
    expect(carry()).toBe(lines);
    expect(await bad(tool, { items: [{ content: "x".repeat(10_001), status: "pending" }] })).toContain(
      "short",
    );
    expect(carry()).toBe(lines);
    expect(await good(tool, { items: [] })).toBe("the list is empty");
    expect(carry()).toBeNull();
  });

  it("belongs to one conversation", async () => {
    const [one, other] = [createTodo(), createTodo()];
    await good(one.tool, { items });
    expect(other.carry()).toBeNull();
  });
});

describe("ask_user", () => {
  it("gives the answer, and passes on the options", async () => {
    const asked: unknown[] = [];
    const tool = askUser(async (question, choices) => {
      asked.push([question, choices]);
      return "blue";
    });
    expect(await good(tool, { question: "which?", options: ["red", "blue"] })).toBe("blue");
    expect(await good(tool, { question: "which?" })).toBe(toolText("blue").content);
    expect(asked).toEqual([
      ["which?", ["red", "blue"]],
      ["which?", []],
    ]);
  });

  it("has failed when nobody answers", async () => {
    const tool = askUser(async () => null);
    expect(await bad(tool, { question: "which?" })).toBe("not answered");
    expect(await bad(tool, { question: "" })).toContain("`question` is empty");
  });
});
