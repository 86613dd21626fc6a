import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { NO_CAPABILITIES, type Tool, toolText } from "#lib/agent/tool.ts";
import { fsRead } from "#lib/agent/tools/fs-read.io.ts";
import { onlyPublic } from "#lib/agent/tools/public-files.ts";
import { systemAddressing } from "#lib/agent/tools/workspace-walk.io.ts";
import { scratchDir } from "#tests/support/session-files.ts";

const NAMES = ["README.md", "docs/"];
const context = { signal: new AbortController().signal };

function reaching(name: string): { tool: Tool; reached: unknown[] } {
  const reached: unknown[] = [];
  const tool: Tool = {
    spec: { name, description: "", parameters: {} },
    readOnly: true,
    capabilities: { ...NO_CAPABILITIES, private_data: true },
    execute: async ({ path: given }) => {
      reached.push(given);
      return toolText("reached");
    },
  };
  return { tool: onlyPublic(tool, NAMES), reached };
}

it("is not private, and says at the top what there is", async () => {
  const { tool, reached } = reaching("fs_list");
  expect(tool.capabilities.private_data).toBe(false);
  for (const input of [{}, { path: "." }, { path: "./" }, { path: "" }])
    expect(await tool.execute(input, context)).toEqual(toolText("README.md\ndocs/"));
  expect(reached).toEqual([]);
});

it.each(["README.md", "docs", "./docs//a.md", "docs/./b/c"])("lets %s through", async (given) => {
  const { tool, reached } = reaching("fs_read");
  await tool.execute({ path: given }, context);
  expect(reached).toEqual([given]);
});

it.each([
  "README.mdx",
  "docs/..",
  "docs/../.env",
  "/docs/a",
  "//docs",
  "..",
  ".git/config",
  "Docs/a",
  "docs\\..\\x",
  "",
  ".",
])("reaches nothing by %j", async (given) => {
  const { tool, reached } = reaching("fs_read");
  expect(await tool.execute({ path: given }, context)).toMatchObject({ isError: true });
  expect(reached).toEqual([]);
});

it("what is no path is left to the tool to refuse", async () => {
  const { tool, reached } = reaching("fs_read");
  await tool.execute({ path: 7 }, context);
  expect(reached).toEqual([7]);
});

it("a link in a public folder that leads out of the workspace is not followed", async () => {
  const dir = scratchDir();
  const secret = path.join(scratchDir(), "secret.txt");
  writeFileSync(secret, "secret");
  mkdirSync(path.join(dir, "docs"));
  symlinkSync(secret, path.join(dir, "docs", "link.md"));
  const tool = onlyPublic(fsRead({ workspace: dir, addressing: systemAddressing(), bytesMax: 1000 }), NAMES);
  const result = await tool.execute({ path: "docs/link.md" }, context);
  expect(result.isError).toBe(true);
  expect(result.content).not.toContain("secret\n");
});
