import { PERMISSION_MODES, TRIFECTA_POLICIES } from "#lib/transcript/record.ts";
import type { AgentSection, OutboxSection, SandboxSection, SecuritySection, ToolsSection } from "./config.ts";
import type { Reading, Rules } from "./read-table.ts";
import { amount, effort, flag, hosts, oneOf, place, text, texts, whole, zone } from "./rules.ts";

const U32_MAX = 4_294_967_295;

export type Sections = {
  agent: AgentSection;
  tools: ToolsSection;
  security: SecuritySection;
  sandbox: SandboxSection;
  outbox: OutboxSection;
};
export type SectionRules = { readonly [S in keyof Sections]: Rules<Sections[S]> };

/** The keys of the sections that merge field by field. */
export function sectionRules(reading: Reading): SectionRules {
  return {
    agent: {
      system_prompt: text,
      system_prompt_file: place(reading),
      max_turns: whole(1, U32_MAX),
      max_tokens: whole(1, U32_MAX),
      effort,
      thinking: flag,
      cache_prompt: flag,
      force_final_answer: flag,
      max_output_tokens: whole(1),
      max_cost_usd: amount("above 0"),
      compact_at_tokens: whole(1),
      compact_keep_recent: whole(0, U32_MAX),
      compact_validate: flag,
      loop_guard: flag,
      timezone: zone,
    },
    tools: {
      enabled: texts,
      disabled: texts,
      workspace: place(reading),
      permission_mode: oneOf(PERMISSION_MODES),
      // A day: longer than that, nobody waits, and a timer of more than 24 days would fire at once.
      shell_timeout_secs: whole(1, 86_400),
      output_budget_bytes: whole(1),
    },
    security: {
      trifecta: oneOf(TRIFECTA_POLICIES),
      block_private_ips: flag,
      allowed_domains: hosts,
      blocked_domains: hosts,
      mark_untrusted_output: flag,
      block_sends_after_private: flag,
    },
    sandbox: { kind: oneOf(["bwrap", "none"]), network: flag },
    outbox: { tools: texts, publish_tools: texts, dir: place(reading) },
  };
}
