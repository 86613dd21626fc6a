import type { JsonObject, ToolSpec } from "./model.ts";

/** What a tool can do to the person it works for. The interlock reads nothing else. */
export type Capabilities = {
  /** Its output may hold what is private. */
  private_data: boolean;
  /** Its output may have been written by a stranger. */
  untrusted_input: boolean;
  /** It can carry something out of this machine. */
  external_send: boolean;
  /** It can destroy or change something. */
  destructive: boolean;
};

export const NO_CAPABILITIES: Capabilities = {
  private_data: false,
  untrusted_input: false,
  external_send: false,
  destructive: false,
};

/** What a call gave. A failure is a result the model reads. */
export type ToolResult = {
  content: string;
  isError: boolean;
  /** Some of `content` really came from outside: only then does the call make the conversation untrusted. */
  fromOutside: boolean;
  /** It says at its end what matters most: where it has to be cut, its middle goes. */
  keepsEnd?: true;
};

export type ToolContext = { signal: AbortSignal };

export type Tool = {
  readonly spec: ToolSpec;
  readonly readOnly: boolean;
  readonly capabilities: Capabilities;
  /**
   * Runs one call. The input is an object, but nothing else about it has been checked: a tool says in its result what
   * it cannot use. A throw becomes an error result with the message of the thrown value.
   */
  execute(input: JsonObject, context: ToolContext): Promise<ToolResult>;
};

export function toolError(content: string): ToolResult {
  return { content, isError: true, fromOutside: false };
}

export function toolText(content: string): ToolResult {
  return { content, isError: false, fromOutside: false };
}
