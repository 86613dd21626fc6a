import type { RunFlags as OptionFlags } from "#lib/agent/options.ts";
import type { ModelFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { textOrFile } from "./run-prompt.ts";

/** The flags that say how a model is run, as the agent names them; the system prompt read where it stands in a file. */
export async function optionFlags(io: CliIo, flags: ModelFlags): Promise<OptionFlags> {
  const { provider, model, effort, system, maxTurns, maxOutputTokens, maxCost, compactAt, tool, thinking } =
    flags;
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(system === undefined ? {} : { system: await textOrFile(io, system, "--system") }),
    ...(maxTurns === undefined ? {} : { maxTurns }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(maxCost === undefined ? {} : { maxCost }),
    ...(compactAt === undefined ? {} : { compactAt }),
    ...(tool.length === 0 ? {} : { tools: tool }),
    ...(thinking ? {} : { thinking: false }),
  };
}
