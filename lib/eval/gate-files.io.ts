import { createHash } from "node:crypto";
import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { readWhole } from "#lib/read-whole.io.ts";
import { utf8 } from "#lib/utf8.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { type ArmInput, armOfCard } from "./card-arm.ts";
import { kindOf, kindWords } from "./classify.ts";
import { armOfEpisodeLines, looksLikeEpisode } from "./episode-lines.ts";
import { type GateOptions, pairArms } from "./gate-arms.ts";
import { doubtsOf } from "./head-check.ts";
import { parseReport } from "./parse-report.ts";
import { REPORT_BYTES_MAX } from "./reports.io.ts";
import { doubtLines } from "./scorecard-text.ts";

/** A file to be judged: where it is, and what its arm is called. */
export type ArmFile = { place: string; name: string; label: string };

/**
 * Judges two files: two scorecards, or two files of episode lines, which need a metric. The problem says what is wrong
 * with which file; `say` gets what a reader of the verdict should know of a file that is judged all the same.
 */
export async function judgeFiles(
  baseline: ArmFile,
  candidate: ArmFile,
  options: GateOptions,
  say: (line: string) => void = () => undefined,
): Promise<Parsed<VerdictDocument>> {
  const arms: ArmInput[] = [];
  const kinds = new Set<string>();
  for (const file of [baseline, candidate]) {
    const arm = await readArm(file, options, say);
    if (!arm.ok) return arm;
    arms.push(arm.value.arm);
    kinds.add(arm.value.kind);
  }
  if (kinds.size > 1) {
    return {
      ok: false,
      problem: "one file is a scorecard and the other holds episodes: both have to be the same",
    };
  }
  const [a, b] = arms;
  if (a === undefined || b === undefined) throw new Error("two files give two arms");
  const raw = pairArms(a, b, options);
  return raw.ok ? { ok: true, value: assemble(raw.value) } : raw;
}

async function readArm(
  file: ArmFile,
  { metric }: GateOptions,
  say: (line: string) => void,
): Promise<Parsed<{ kind: string; arm: ArmInput }>> {
  const read = await contentOf(file);
  if (!read.ok) return read;
  const { text, sha256 } = read.value;
  const { name, label } = file;
  const whole = parseJsonText(text);
  if (whole.ok && !looksLikeEpisode(whole.value)) {
    const kind = kindOf(whole.value);
    if (kind !== "scorecard" && kind !== "invalid_scorecard") {
      return { ok: false, problem: `${visible(name)} is ${kindWords(kind)}` };
    }
    const report = parseReport(whole.value);
    if (!report.ok) return { ok: false, problem: `${visible(name)}: ${visible(report.problem)}` };
    const arm = armOfCard({ name, report: report.value }, metric, { label, sha256 });
    if (arm.ok) for (const line of doubtLines(doubtsOf(report.value))) say(`${visible(name)}: ${line}`);
    return of("scorecard", arm);
  }
  if (!beginsWithEpisode(text)) {
    const problem = whole.ok ? "it is neither a scorecard nor lines of episodes" : whole.problem;
    return { ok: false, problem: `${visible(name)}: ${visible(problem)}` };
  }
  if (metric === null) {
    return {
      ok: false,
      problem: `${visible(name)} holds episodes: say with --metric which counter is judged`,
    };
  }
  return of("episodes", armOfEpisodeLines(text, metric, { label, name, sha256 }));
}

/** Only what begins like a line of an episode is read as lines: a cut-off report is no file of episodes. */
function beginsWithEpisode(text: string): boolean {
  const [line = ""] = text
    .replace(/^\uFEFF/, "")
    .trimStart()
    .split("\n", 1);
  const first = parseJsonText(line);
  return first.ok && looksLikeEpisode(first.value);
}

function of(kind: string, arm: Parsed<ArmInput>): Parsed<{ kind: string; arm: ArmInput }> {
  return arm.ok ? { ok: true, value: { kind, arm: arm.value } } : arm;
}

async function contentOf({ place, name }: ArmFile): Promise<Parsed<{ text: string; sha256: string }>> {
  const content = await readWhole(place, REPORT_BYTES_MAX);
  if (!content.ok) return { ok: false, problem: `${visible(name)}: ${visible(content.problem)}` };
  const text = utf8(content.value);
  if (text === null) return { ok: false, problem: `${visible(name)}: it is not UTF-8 text` };
  if (text.trim() === "") return { ok: false, problem: `${visible(name)}: the file is empty` };
  return { ok: true, value: { text, sha256: createHash("sha256").update(content.value).digest("hex") } };
}
