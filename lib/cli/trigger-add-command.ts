import { type Command, Option } from "commander";
import { addBasics, collect, type Does, dollars, limit, required } from "./command-parts.ts";
import type { TriggerAddFlags } from "./flags.ts";

/** `mecha trigger add`: what a trigger's file says, as flags. */
export function addTriggerAdd(trigger: Command, does: Does): void {
  const tools = new Option("--tool <name>", "a tool it may use; repeatable");
  const modes = new Option("--permission-mode <mode>", "what calls may do (default: read-only)");
  const add = trigger
    .command("add")
    .argument("<name>", "1 to 64 of a-z, 0-9, _ and -", required)
    .description("write the file of a new trigger")
    .requiredOption("--schedule <cron>", 'when: five fields such as "0 7 * * 1-5", or @daily', required)
    .requiredOption("--prompt <text>", "what is to be done; @FILE reads it from a file", required)
    .option("--description <text>", "what it is for", required)
    .option("--timezone <zone>", "zone of the schedule (default: this machine's)", required)
    .addOption(tools.argParser(collect).default([], "none"))
    .addOption(modes.choices(["read-only", "ask", "allow"]))
    .option("-w, --workspace <folder>", "the only folder that the tools reach (default: this one)", required)
    .option("-p, --provider <name>", "a provider of the configuration", required)
    .option("-m, --model <name>", "a model of that provider", required)
    .option("--no-mcp", "start none of the configured MCP servers")
    .option("--max-turns <n>", "end a run after this many requests to the model", limit)
    .option("--max-output-tokens <n>", "end a run once this many tokens are written", limit)
    .option("--max-cost <usd>", "end a run once this much is spent", dollars)
    .option("--timeout <duration>", "end a run after 90s, 20m or 2h (default: 20m)", required)
    .option(
      "--catch-up <how>",
      "run a missed slot always, never, or up to 2h late (default: always)",
      required,
    )
    .option("--disabled", "write it, and let it rest")
    .option("--json", "print JSON")
    .action((name: string, flags: TriggerAddFlags) =>
      does(async (io) => (await import("./trigger-add.ts")).triggerAdd(io, name, flags)),
    );
  addBasics(add);
}
