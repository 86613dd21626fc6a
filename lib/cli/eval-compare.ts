import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { compareCards } from "#lib/eval/compare.ts";
import { compareText } from "#lib/eval/compare-text.ts";
import { foundIn, nothingLeftOut } from "#lib/eval/find-reports.io.ts";
import { LIST_LIMITS } from "#lib/eval/list-reports.io.ts";
import { reliabilityOf } from "#lib/eval/reliability.ts";
import { readCard } from "#lib/eval/reports.io.ts";
import type { Card } from "#lib/eval/scorecard.ts";
import { visible } from "#lib/format.ts";
import { fileNamed, type NamedFile, resultsFolders } from "./eval-places.ts";
import { reliabilityText } from "./eval-reliability.ts";
import type { CompareFlags } from "./flags.ts";
import { isFolder } from "./folder.ts";
import { type CliIo, EXIT } from "./io.ts";
import { jsonText } from "./json.ts";

/** `mecha eval --compare`: cards side by side; whatever is none is named and passed over. Exit code 1 without a card. */
export async function evalCompare(io: CliIo, paths: readonly string[], flags: CompareFlags): Promise<number> {
  const files = await filesAt(io, paths, resultsFolders(io, flags.results));
  const cards: Card[] = [];
  const passed_over: { file: string; problem: string }[] = [];
  for (const { place, name } of files) {
    const card = await readCard(place, name);
    if (card.ok) cards.push(card.value);
    else passed_over.push({ file: name, problem: card.problem });
  }
  for (const { problem } of passed_over) io.err(`mecha: passed over: ${problem}\n`);
  const groups = compareCards(cards);
  const reliability = flags.repeats ? reliabilityOf(cards) : null;
  if (flags.json) io.out(jsonText({ schema_version: 1, groups, reliability, passed_over }));
  else if (cards.length > 0) {
    io.out(compareText(groups));
    if (reliability !== null) io.out(`\n${reliabilityText(reliability)}`);
  }
  if (cards.length > 0) return EXIT.fine;
  io.err("mecha: there is no scorecard to compare\n");
  return EXIT.problem;
}

/** Files that are read for one table. */
const FILES_MAX = 500;

/** The files that the paths mean, in their order; a folder stands for the JSON files in it. */
async function filesAt(
  io: CliIo,
  paths: readonly string[],
  folders: readonly string[],
): Promise<NamedFile[]> {
  const files: NamedFile[] = [];
  for (const given of paths) {
    const named = fileNamed(io, folders, given);
    if (isFolder(named.place)) files.push(...(await filesIn(io, named.place, given, folders)));
    else files.push(named);
  }
  if (files.length <= FILES_MAX) return files;
  throw new UserError(
    "usage",
    `${files.length} files are more than the ${FILES_MAX} that are compared: name those that matter`,
  );
}

async function filesIn(
  io: CliIo,
  folder: string,
  given: string,
  folders: readonly string[],
): Promise<NamedFile[]> {
  const left_out = nothingLeftOut();
  const found = await foundIn([folder], LIST_LIMITS.depth_max, left_out);
  for (const { folder: unread, problem } of left_out.folders) {
    io.err(`mecha: passed over: ${visible(unread)}: ${problem}\n`);
  }
  if (left_out.folders_too_deep > 0) {
    io.err(`mecha: passed over: ${left_out.folders_too_deep} folder(s) deep inside ${visible(given)}\n`);
  }
  return found.map(({ name }) => fileNamed(io, folders, path.join(given, name)));
}
