import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { reviewHtml } from "#lib/review/html.ts";
import { reviewJson } from "#lib/review/json.ts";
import { reviewMarkdown } from "#lib/review/markdown.ts";
import { type ReviewReport, reviewReport } from "#lib/review/report.ts";
import { NOTHING_STORED, type Stored } from "#lib/review/stored.ts";
import { readWeek, type Week, weekKeyAt } from "#lib/review/week.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";
import type { StoreProblem } from "#lib/trigger/store.ts";
import type { ReviewFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { jsonText } from "./json.ts";
import { checkOut, outFile, saidWritten, writeOut } from "./out-file.ts";
import { reviewText } from "./review-text.ts";
import { scanAll } from "./scan.ts";
import { asOf, nothingFound, openStore, type Store, scheduleZone } from "./store.ts";
import { styleFor } from "./style.ts";
import { fromDb, verdictDb } from "./verdict-db.ts";

/** `mecha review`: one scan up to the end of the week, and what the database holds of it. */
export async function review(io: CliIo, flags: ReviewFlags): Promise<number> {
  if (flags.json && flags.markdown === true)
    throw new UserError("usage", "review: only one of --markdown and --json can be printed; name a file");
  const store = await openStore(io, flags);
  const at = asOf(io, flags, store.settings.zone);
  const week = weekAsked(flags.week, store.settings.zone, at);
  const isText = !flags.json && flags.html === undefined && flags.markdown === undefined;
  if (store.sources.length === 0 && isText) {
    io.out(`${nothingFound(store.looked)}\n`);
    return store.code;
  }
  const report = await readReview(io, store, week, at);
  await writeFiles(io, report, flags);
  if (flags.json) io.out(jsonText(reviewJson(report)));
  else if (flags.markdown === true) io.out(reviewMarkdown(report));
  else if (isText) io.out(`${reviewText(report, styleFor(io), io.isTty.stdout ? io.columns : null)}\n`);
  return store.code;
}

function weekAsked(asked: string | undefined, zone: string, at: number): Week {
  const read = readWeek(asked ?? weekKeyAt(at, zone), zone, at);
  if (read.ok) return read.week;
  throw new UserError("usage", `--week: ${visible(read.problem)}`);
}

async function readReview(io: CliIo, store: Store, week: Week, at: number): Promise<ReviewReport> {
  const scans = await scanAll(io, store.sources, { ...store.limits, as_of_ms: week.until_ms });
  const { stored, problem } = await storedOf(io, week, at);
  return reviewReport({
    week,
    scans,
    triggers: await readTriggers(store.settings.triggersDir),
    schedule_zone: scheduleZone(io),
    problems: [
      ...store.looked.flatMap(({ source, problem }) =>
        problem === null ? [] : [{ place: source.place, problem }],
      ),
      ...problem,
    ],
    stored,
  });
}

/** The numbers stand in other files: a database that cannot be used must not take them along. */
async function storedOf(
  io: CliIo,
  week: Week,
  at: number,
): Promise<{ stored: Stored; problem: StoreProblem[] }> {
  try {
    const { readStored } = await import("#lib/review/stored.io.ts");
    return { stored: (await fromDb(io, (db) => readStored(db, week, at))) ?? NOTHING_STORED, problem: [] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    io.err(`mecha: ${visible(error.message)}; no verdict or proposal is in this review\n`);
    return { stored: NOTHING_STORED, problem: [{ place: verdictDb(io), problem: error.message }] };
  }
}

async function writeFiles(io: CliIo, report: ReviewReport, flags: ReviewFlags): Promise<void> {
  const files = [
    { name: flags.html, text: reviewHtml },
    { name: flags.markdown, text: reviewMarkdown },
  ];
  const named = files.flatMap(({ name, text }) =>
    typeof name === "string" ? [{ file: outFile(io, name), text }] : [],
  );
  const targets = await Promise.all(named.map(({ file }) => checkOut(file, [])));
  const [first, second] = targets;
  if (typeof first === "string" && first === second)
    throw new UserError("usage", "review: --html and --markdown name the same file");
  for (const { file, text } of named) {
    await writeOut(file, text(report), []);
    saidWritten(io, file);
  }
}
