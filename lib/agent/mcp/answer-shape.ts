import type { StandardSchemaV1 } from "@modelcontextprotocol/client";
import { isObject } from "#lib/json-text.ts";

export type CallAnswer = { [key: string]: unknown };

/**
 * What the kit checks an answer to `tools/call` with, in the place of its own schema: to that one, a piece of a kind it
 * does not know, or a null in the place of nothing, makes the whole answer wrong, and what the tool did and said is lost.
 */
export const CALL_ANSWER: StandardSchemaV1<unknown, CallAnswer> = {
  "~standard": {
    version: 1,
    vendor: "mecha",
    validate: (answer: unknown) =>
      isObject(answer) ? { value: answer } : { issues: [{ message: "its answer is no object" }] },
  },
};

const ANSWER_KEYS = ["jsonrpc", "id", "result", "error"];
const ERROR_CODE = -32603;

/**
 * The messages of a line that is JSON and that the kit refuses, in the shape it takes: it drops one that it refuses, and
 * whoever waits for that answer waits to the end. Several may share a line, as an older protocol allowed.
 */
export function mendedMessages(line: string): unknown[] {
  const value: unknown = JSON.parse(line);
  return (Array.isArray(value) ? value : [value]).map(mended);
}

/** Only what has the keys of an answer and no other is one: a line of a log may have an id and an error too. */
function mended(message: unknown): unknown {
  if (!isObject(message) || message.id === undefined || message.id === null) return message;
  const keys = Object.keys(message);
  if (!keys.some((key) => key === "result" || key === "error")) return message;
  if (!keys.every((key) => ANSWER_KEYS.includes(key))) return message;
  const { id, result, error = null } = message;
  const said = error === null ? { result: resultOf(result) } : { error: errorOf(error) };
  return { jsonrpc: "2.0", id, ...said };
}

/** A result is an object; what is none is what a tool said. A null stands for nothing. */
function resultOf(result: unknown): CallAnswer {
  if (isObject(result)) return Object.fromEntries(Object.entries(result).filter(([, part]) => part !== null));
  return result === null || result === undefined ? {} : { content: result };
}

function errorOf(error: unknown): { code: number; message: string } {
  const { code, message } = isObject(error) ? error : { code: null, message: null };
  return {
    code: typeof code === "number" && Number.isInteger(code) ? code : ERROR_CODE,
    message:
      typeof message === "string" ? message : typeof error === "string" ? error : JSON.stringify(error),
  };
}

/**
 * An answer to the handshake with what this client goes by, in the kit's shape. To the kit one null among what a server
 * can do, or a version that is a number, makes the server one that cannot be used, whatever its tools.
 */
export function handshakeOf(result: { [key: string]: unknown }): { [key: string]: unknown } {
  if (typeof result.protocolVersion !== "string") return result;
  const { protocolVersion, capabilities } = result;
  // One that says nothing of what it can do is asked for its tools.
  const tools = isObject(capabilities) ? (capabilities.tools ?? false) : true;
  return {
    protocolVersion,
    capabilities: tools === false ? {} : { tools: {} },
    serverInfo: { name: "server", version: "" },
  };
}
