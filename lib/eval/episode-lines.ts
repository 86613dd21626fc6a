import { z } from "zod";
import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { type CostMetric, costOf } from "#lib/gate/metrics.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { schemaProblem } from "#lib/schema-problem.ts";
import { mended } from "#lib/utf8.ts";
import type { RawCell } from "#lib/verdict/document.ts";
import type { ArmInput } from "./card-arm.ts";
import { statsSchema } from "./parse-report.ts";

/** What harnesses write in place of an error where there was none. */
const NO_ERROR: readonly unknown[] = [undefined, null, false];

/**
 * A run of an episode that ended in an error, or one that finished. The error is asked for first: counters beside it
 * tell how far the run came, and a run that died early would win by them.
 */
const lineSchema = z.union([
  z.object({ episode: z.string().min(1), error: z.unknown().refine((error) => !NO_ERROR.includes(error)) }),
  z.object({ episode: z.string().min(1), stats: statsSchema }),
]);
type Line = z.infer<typeof lineSchema>;

/** True for the first line of a file of episodes: an object that names one. */
export function looksLikeEpisode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "episode" in value;
}

/**
 * An arm from lines of `{"episode": id, "stats": outcome row}`, as a replay of recorded sessions gives them. Several
 * lines of one episode are several runs of it; `{"episode": id, "error": text}` is a run that did not finish.
 */
export function armOfEpisodeLines(
  text: string,
  metric: CostMetric,
  { label, name, sha256 }: { label: string; name: string; sha256: string | null },
): Parsed<ArmInput> {
  const runs = new Map<string, Line[]>();
  for (const [at, line] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const parsed = parseLine(line);
    if (!parsed.ok)
      return { ok: false, problem: `${visible(name)}, line ${at + 1}: ${visible(parsed.problem)}` };
    const own = runs.get(parsed.value.episode) ?? [];
    own.push(parsed.value);
    runs.set(parsed.value.episode, own);
  }
  if (runs.size === 0) return { ok: false, problem: `${visible(name)}: it has no episodes` };
  const cells = new Map([...runs].map(([episode, lines]) => [episode, cellOf(lines, metric)]));
  return { ok: true, value: { source: sourceOf(runs, label, name, sha256), cells } };
}

function parseLine(line: string): Parsed<Line> {
  const value = parseJsonText(line);
  if (!value.ok) return value;
  const parsed = lineSchema.safeParse(value.value);
  if (parsed.success) {
    const sound = !/\p{Cs}/u.test(parsed.data.episode);
    return sound ? { ok: true, value: parsed.data } : { ok: false, problem: "episode: is not valid Unicode" };
  }
  // A union says only that nothing fits; the reader of a row of counters wants the key.
  const row = z.object({ episode: z.string().min(1), stats: statsSchema }).safeParse(value.value);
  return {
    ok: false,
    problem: row.success ? "it has the wrong shape" : schemaProblem(row.error, "the line"),
  };
}

function cellOf(lines: readonly Line[], metric: CostMetric): RawCell {
  const finished = lines.filter((line) => "stats" in line);
  return {
    runs: lines.length,
    errored: lines.length - finished.length,
    passed: null,
    values: finished.map(({ stats }) => costOf(stats, metric)),
    work: finished.reduce((sum, { stats }) => sum + stats.tool_calls, 0),
  };
}

function sourceOf(
  runs: ReadonlyMap<string, Line[]>,
  label: string,
  name: string,
  sha256: string | null,
): ArmInput["source"] {
  const sizes = new Set([...runs.values()].map((lines) => lines.length));
  return {
    label: mended(label),
    name: mended(name),
    sha256,
    model: null,
    provider: null,
    runs_per_case: sizes.size === 1 ? ([...sizes][0] ?? null) : null,
    case_set_sha256: null,
    fixture_sha256: null,
    judge: null,
    grader_version: null,
    sandbox: null,
    seed: null,
    concurrency: null,
    created_at: null,
    partial: null,
    not_scored: 0,
  };
}
