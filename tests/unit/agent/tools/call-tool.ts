import { mkdtempSync, realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { JsonObject } from "#lib/agent/model.ts";
import type { Tool, ToolResult } from "#lib/agent/tool.ts";

export function call(
  tool: Tool,
  input: JsonObject,
  signal = new AbortController().signal,
): Promise<ToolResult> {
  return tool.execute(input, { signal });
}

/** What a call gave, for a call that has to go well. */
export async function good(tool: Tool, input: JsonObject): Promise<string> {
  const result = await call(tool, input);
  if (result.isError) throw new Error(`an error result: ${result.content}`);
  return result.content;
}

/** The error's text, for a call that has to fail, and to bring nothing in from outside. */
export async function bad(tool: Tool, input: JsonObject): Promise<string> {
  const result = await call(tool, input);
  if (!result.isError || result.fromOutside) throw new Error(`no plain error: ${JSON.stringify(result)}`);
  return result.content;
}

/** A folder that goes when the test ends. */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(path.join(os.tmpdir(), "mecha-tools-")));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Goes off in a moment, as when a person interrupts. */
export function abortSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 50);
  return controller.signal;
}
