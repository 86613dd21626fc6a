import type { Capabilities } from "#lib/agent/tool.ts";
import type { McpCapabilities } from "#lib/config/config.ts";

/** What a server says of a tool of its own. Everything may be missing. */
export type Annotations = {
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
};

export type ToolTerms = { readOnly: boolean; capabilities: Capabilities };

/**
 * What a server's tool may be trusted with. It may always see what is private; one that says it meets an open world
 * brings in what strangers wrote and can carry things out. Saying nothing is neither open nor read-only. The
 * configuration can only add to this, for it speaks for the person, and the server speaks for itself.
 */
export function toolTerms(annotations: Annotations | undefined, added: McpCapabilities): ToolTerms {
  const open = annotations?.openWorldHint === true;
  return {
    readOnly: annotations?.readOnlyHint === true && !added.destructive,
    capabilities: {
      private_data: true,
      untrusted_input: open || added.untrusted_input,
      external_send: open || added.external_send,
      destructive: annotations?.destructiveHint === true || added.destructive,
    },
  };
}
