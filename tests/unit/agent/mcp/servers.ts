import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import type { Tool, ToolResult } from "#lib/agent/tool.ts";
import type { McpServerConfig } from "#lib/config/config.ts";

const fixtures = path.join(import.meta.dirname, "../../../fixtures");
const NOTHING_ADDED = {
  private_data: false,
  untrusted_input: false,
  external_send: false,
  destructive: false,
};

/** The kit's server as one file that plain Node runs; it starts in a third of the time. */
export async function bundledServer(): Promise<string> {
  const outfile = path.join(mkdtempSync(path.join(tmpdir(), "mecha-mcp-")), "server.mjs");
  await build({
    entryPoints: [path.join(fixtures, "mcp-server.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    logLevel: "error",
  });
  return outfile;
}

export const rogueServer = path.join(fixtures, "mcp-rogue.mjs");

export function aServer(name: string, args: string[], what: Partial<McpServerConfig> = {}): McpServerConfig {
  return {
    name,
    command: process.execPath,
    args,
    env: {},
    env_passthrough: [],
    sandbox: false,
    network: false,
    prefix_tools: true,
    capabilities: NOTHING_ADDED,
    disabled: false,
    ...what,
  };
}

export async function call(
  tools: readonly Tool[],
  name: string,
  input: Record<string, unknown> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolResult> {
  const tool = tools.find(({ spec }) => spec.name === name);
  if (tool === undefined) throw new Error(`no tool ${name} among ${tools.map(({ spec }) => spec.name)}`);
  return tool.execute(input, { signal });
}
