import type { Command } from "commander";
import { addBasics, addStores, type Does, required } from "./command-parts.ts";
import type { ReviewFlags } from "./flags.ts";

/** `mecha review`: a week against the eight before it. */
export function addReview(program: Command, does: Does): void {
  const review = program
    .command("review")
    .description("what changed in a week, against the eight weeks before")
    .option("--week <week>", "an ISO week, such as 2026-W48 (default: this week so far)", required)
    .option("--html <file>", "write it as one page that needs nothing else", required)
    .option("--markdown [file]", "as Markdown; printed where no file is named")
    .option("--json", "print JSON")
    .action((flags: ReviewFlags) => does(async (io) => (await import("./review.ts")).review(io, flags)));
  addStores(review, "time zone that weeks are cut in, such as Europe/Zurich");
  addBasics(review).addHelpText("after", HELP);
}

const HELP = `
It remembers nothing: the same transcripts give the same review of a week that is
over. Exit code 0 whatever it says; mecha doctor is what fails on findings.`;
