import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import type { JsonObject } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";
import type { Annotations } from "./tool-terms.ts";

/** A tool as a server lists it, with what is wrong about it. */
export type ListedTool = {
  name: string;
  description: string;
  inputSchema: JsonObject;
  annotations: Annotations;
  problem: string | null;
};

export type ToolPage = { tools: ListedTool[]; nextCursor: string | null };

/**
 * What the kit checks an answer to `tools/list` with, in the place of its own schema: to that one, a tool that is out of
 * shape makes the whole list wrong, and with it every tool of the server.
 */
export const TOOL_PAGE: StandardSchemaV1<unknown, ToolPage> = {
  "~standard": {
    version: 1,
    vendor: "mecha",
    validate: (answer: unknown) => {
      if (!isObject(answer) || !Array.isArray(answer.tools))
        return { issues: [{ message: "its list of tools is no array" }] };
      const { nextCursor } = answer;
      // An empty one leads to the first page again.
      const next = typeof nextCursor === "string" && nextCursor !== "" ? nextCursor : null;
      return { value: { tools: answer.tools.map(listedTool), nextCursor: next } };
    },
  },
};

function listedTool(tool: unknown): ListedTool {
  const { name, description, inputSchema, annotations } = isObject(tool) ? tool : {};
  const schema = objectSchema(inputSchema ?? {});
  return {
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description : "",
    inputSchema: schema ?? {},
    annotations: isObject(annotations) ? annotations : {},
    problem: schema === null ? "its schema is not that of an object" : null,
  };
}

const CHOICES = ["anyOf", "oneOf", "allOf", "not", "enum"];

/**
 * Providers take a schema that says `type: "object"`, and refuse a whole request over a choice between several beside
 * it: that is left out, for the server checks what it is given. Null: it is no object's.
 */
function objectSchema(schema: unknown): JsonObject | null {
  if (!isObject(schema) || (schema.type ?? "object") !== "object") return null;
  if (schema.type === undefined && CHOICES.some((key) => schema[key] !== undefined)) return null;
  const said = Object.entries(schema).filter(([key, value]) => value !== null && !CHOICES.includes(key));
  return { ...(Object.fromEntries(said) as JsonObject), type: "object" };
}
