import { visible } from "#lib/format.ts";
import { markOf } from "./mark.ts";
import type { CaseRun, Report } from "./scorecard.ts";

/**
 * A report for tools that read JUnit's XML: a case run is a test case. A check that failed is a failure; a run that could
 * not finish, or an answer that nobody could grade, is an error, so that a broken rig does not read as a worse model.
 * Cases that were not run are skipped.
 */
export function junitXml({ model, provider, runs, meta, wall_clock_ms }: Omit<Report, "head">): string {
  const failures = runs.filter((run) => kindOf(run) === "failure").length;
  const errors = runs.filter((run) => kindOf(run) === "error").length;
  const suite = attributes({
    name: `mecha eval: ${model} (${provider})`,
    tests: runs.length + meta.not_scored.length,
    failures,
    errors,
    skipped: meta.not_scored.length,
    time: seconds(wall_clock_ms),
    ...(meta.created_at === null ? {} : { timestamp: meta.created_at.replace(/Z$/, "") }),
  });
  const perCase = runs.some((run) => run.run > 1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite ${suite}>`,
    ...runs.flatMap((run) => testCase(run, perCase)),
    ...meta.not_scored.map(
      ({ id, reason }) =>
        `    <testcase ${attributes({ classname: "not scored", name: id, time: 0 })}><skipped ${attributes({ message: reason })}/></testcase>`,
    ),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** How a run counts: `error` when it tells nothing about the model. */
function kindOf(run: CaseRun): "passed" | "failure" | "error" {
  const mark = markOf(run);
  switch (mark) {
    case "pass":
      return "passed";
    case "fail":
      return "failure";
    case "error":
    case "ungraded":
      return "error";
    default:
      return mark satisfies never;
  }
}

function testCase(run: CaseRun, perCase: boolean): string[] {
  const open = `    <testcase ${attributes({
    classname: run.tags[0] ?? "eval",
    name: perCase ? `${run.id} (run ${run.run})` : run.id,
    time: seconds(run.elapsed_ms),
  })}>`;
  const kind = kindOf(run);
  if (kind === "passed") return [`${open}</testcase>`];
  const failed = run.checks.filter((check) => !check.passed);
  const message = run.error ?? failed.map((check) => check.name).join(", ");
  const details = failed.map(({ name, detail }) => (detail === "" ? name : `${name}: ${detail}`)).join("\n");
  return [`${open}<${kind} ${attributes({ message })}>${text(details)}</${kind}></testcase>`];
}

function seconds(ms: number | null): string {
  return ((ms ?? 0) / 1000).toFixed(3);
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([key, value]) => `${key}="${text(visible(String(value))).replaceAll('"', "&quot;")}"`)
    .join(" ");
}

/** What XML 1.0 cannot hold at all becomes the character that stands for the unreadable. */
function text(value: string): string {
  return value
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}
