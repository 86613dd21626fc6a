import type { Command } from "commander";
import { EFFORT_WORDS } from "#lib/config/effort.ts";
import { addBasics, type Does, effort, required } from "./command-parts.ts";
import type { ConfigShowFlags, JsonFlag } from "./flags.ts";

/** `mecha config`: what runs are launched with, and which files say so. Nothing here writes. */
export function addConfig(program: Command, does: Does): void {
  const config = program
    .command("config")
    .description("show, path: what runs are launched with, and where it is set");
  addBasics(config);
  const show = config
    .command("show")
    .description("print every setting and where it comes from; secrets are masked")
    .option("-p, --provider <name>", "as a run with this provider has it", required)
    .option("-m, --model <name>", "as a run with this model has it", required)
    .option("-e, --effort <effort>", `as a run with this effort has it: ${EFFORT_WORDS}`, effort)
    .option("--all", "also what no file sets in providers, servers, backends and hooks")
    .option("--json", "print JSON: every value")
    .action((flags: ConfigShowFlags) =>
      does(async (io) => (await import("./config-show.ts")).configShow(io, flags)),
    );
  addBasics(show);
  show.addHelpText("after", SHOW_HELP);
  const paths = config
    .command("path")
    .description("print the files that are looked at, and whether they are there")
    .option("--json", "print JSON")
    .action((flags: JsonFlag) =>
      does(async (io) => (await import("./config-path.ts")).configPath(io, flags)),
    );
  addBasics(paths);
}

const SHOW_HELP = `
The later wins: defaults, config.toml in the mecha home, mecha.toml in this
folder, MECHA_PROVIDER, MECHA_MODEL and MECHA_EFFORT, flags. What a mecha.toml
may say is limited unless its folder is listed under trusted_projects.`;
