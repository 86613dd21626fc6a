import { type Command, Option } from "commander";
import { addBasics, collect, required } from "./command-parts.ts";
import type { ReviewFlags } from "./flags.ts";

export type ReviewActions = { review(flags: ReviewFlags): Promise<void> };

/** `mecha review`: a week against the eight before it. */
export function addReview(program: Command, actions: ReviewActions): void {
  const source = new Option("--source <kind[=path]>", "a store to read: mecha or claude-code; repeatable");
  const review = program
    .command("review")
    .description("what changed in a week, against the eight weeks before")
    .option("--week <week>", "an ISO week, such as 2026-W48 (default: this week so far)", required)
    .option("--html <file>", "write it as one page that needs nothing else", required)
    .option("--markdown [file]", "as Markdown; printed where no file is named")
    .option("--json", "print JSON")
    .addOption(source.argParser(collect).default([], "every one found"))
    .option("--as-of <time>", "as things stood at 2026-08-05, or 2026-08-05T14:30:00Z", required)
    .option("--zone <zone>", "time zone that weeks are cut in, such as Europe/Zurich", required)
    .action((flags: ReviewFlags) => actions.review(flags));
  addBasics(review).addHelpText("after", HELP);
}

const HELP = `
It remembers nothing: the same transcripts give the same review of a week that is
over. Exit code 0 whatever it says; mecha doctor is what fails on findings.`;
