import {
  type Capabilities,
  type Tool,
  type ToolContext,
  type ToolResult,
  toolError,
} from "#lib/agent/tool.ts";
import { type Arguments, type ArgumentValues, argumentSchema, readArguments } from "./arguments.ts";

/** What a tool of ours is made of; `args` both announces the arguments to the model and checks what came. */
export type ToolDefinition<A extends Arguments> = {
  name: string;
  /** Sent with every request, so short. */
  description: string;
  args: A;
  readOnly: boolean;
  capabilities: Capabilities;
  /** A `ToolProblem` it throws becomes an error result. */
  run(values: ArgumentValues<A>, context: ToolContext): Promise<ToolResult>;
};

/** Why a call could not be done, in words for the model that made it. */
export class ToolProblem extends Error {}

/** A tool whose arguments are checked before it runs; what is wrong with them is its result. */
export function defineTool<A extends Arguments>(definition: ToolDefinition<A>): Tool {
  const { name, description, args, readOnly, capabilities, run } = definition;
  return {
    spec: { name, description, parameters: argumentSchema(args) },
    readOnly,
    capabilities,
    async execute(input, context) {
      const values = readArguments(args, input);
      if (!values.ok) return toolError(`${name}: ${values.problem}`);
      try {
        return await run(values.value, context);
      } catch (error) {
        if (error instanceof ToolProblem) return toolError(error.message);
        throw error;
      }
    },
  };
}
