import type { ToolSpec } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";

const TAKEN = /^[a-zA-Z0-9_.-]{1,64}$/;

/**
 * A tool as Anthropic takes it, which refuses every request over one argument with a `$` or a bracket in its name: such an
 * argument is not offered, and the description says so.
 */
export function withTakenNames(tool: ToolSpec): ToolSpec {
  const { properties, required } = tool.parameters;
  if (!isObject(properties)) return tool;
  const refused = Object.keys(properties).filter((name) => !TAKEN.test(name));
  if (refused.length === 0) return tool;
  const kept = Object.entries(properties).filter(([name]) => TAKEN.test(name));
  return {
    ...tool,
    description: `${tool.description}\n(Arguments that cannot be given here: ${refused.map((name) => JSON.stringify(name)).join(", ")}.)`,
    parameters: {
      ...tool.parameters,
      properties: Object.fromEntries(kept),
      ...(Array.isArray(required) ? { required: required.filter((name) => TAKEN.test(String(name))) } : {}),
    },
  };
}
