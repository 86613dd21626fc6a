import type { Taint } from "#lib/transcript/record.ts";
import type { TrifectaPolicy } from "./parts.ts";
import type { Capabilities } from "./tool.ts";

/** `ask`: a person decides, whatever the permission mode. */
export type SendVerdict = "run" | "blocked" | "ask";

export type InterlockRules = { trifecta: TrifectaPolicy; blockSendsAfterPrivate: boolean };

/**
 * May this call carry something out? `arrived` is what had entered the conversation before the model wrote the call,
 * and nothing else counts: what the model had not read when it wrote the call cannot leak through it, so neither what the call itself declares
 * nor its neighbours in the batch matter.
 */
export function judgeSend(
  capabilities: Capabilities,
  arrived: Taint,
  { trifecta, blockSendsAfterPrivate }: InterlockRules,
): SendVerdict {
  const leaks = blockSendsAfterPrivate && arrived.private;
  if (!capabilities.external_send) return "run";
  if (!leaks && !(arrived.private && arrived.untrusted)) return "run";
  switch (trifecta) {
    case "block":
      return "blocked";
    case "ask":
      return "ask";
    case "allow":
      return leaks ? "ask" : "run";
    default:
      return trifecta satisfies never;
  }
}
