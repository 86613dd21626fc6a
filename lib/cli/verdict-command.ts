import type { Command } from "commander";
import { addBasics, type Does, limit, paths, required } from "./command-parts.ts";
import type { ExportFlags, JsonFlag, VerdictListFlags } from "./flags.ts";

const NAMED = "the id of a stored verdict, its first 4 digits or more, or a file";

/** `mecha verdict`: what was judged, read again. */
export function addVerdict(program: Command, does: Does): void {
  const verdict = program.command("verdict").description("list, show, export, verify: read what was judged");
  addBasics(verdict);
  const list = verdict
    .command("list")
    .description("list the stored verdicts, newest first")
    .option("-n, --limit <n>", "list at most this many (default: 20)", limit)
    .option("--zone <zone>", "time zone of dates, such as Europe/Zurich", required)
    .option("--json", "print JSON")
    .action((flags: VerdictListFlags) =>
      does(async (io) => (await import("./verdict-list.ts")).verdictList(io, flags)),
    );
  addBasics(list);
  const show = verdict
    .command("show")
    .argument("<verdict>", NAMED, required)
    .description("print a verdict and what it rests on")
    .option("--json", "print the verdict document")
    .action((named: string, flags: JsonFlag) =>
      does(async (io) => (await import("./verdict-show.ts")).verdictShow(io, named, flags)),
    );
  addBasics(show);
  addExport(verdict, does);
  const verify = verdict
    .command("verify")
    .argument("<files...>", "exported verdicts, or results of a config A/B", paths)
    .description("work out a verdict's hash and numbers again")
    .option("--json", "print JSON")
    .action((files: string[], flags: JsonFlag) =>
      does(async (io) => (await import("./verdict-verify.ts")).verdictVerify(io, files, flags)),
    );
  addBasics(verify).addHelpText("after", VERIFY_HELP);
}

const VERIFY_HELP = `
Exit code 1 when anything in a file does not follow from its own measurements;
each number that does not is named.`;

function addExport(verdict: Command, does: Does): void {
  const command = verdict
    .command("export")
    .argument("<verdict>", NAMED, required)
    .description("write a verdict as a page, a comment, or the document itself")
    .option("--html <file>", "one page that needs nothing else", required)
    .option("--markdown [file]", "for a comment on a pull request; printed where no file is named")
    .option("--json [file]", "the document, which can be verified; printed where no file is named")
    .action((named: string, flags: ExportFlags) =>
      does(async (io) => (await import("./verdict-export.ts")).verdictExport(io, named, flags)),
    );
  addBasics(command);
}
