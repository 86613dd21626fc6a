import { visible } from "#lib/format.ts";
import type { DoctorReport, Finding, Notice, Severity } from "./finding.ts";

/** How a terminal marks a severity whose word stands there in any case. */
export type Paint = Record<Severity, (text: string) => string>;

const PLAIN: Paint = { broken: (text) => text, attention: (text) => text };

/** The text of `mecha doctor`, without a final newline: findings by component, then their number, then notices. */
export function doctorText({ findings, notices }: DoctorReport, paint = PLAIN): string {
  const told = notices.flatMap(noticeLines);
  if (findings.length === 0) return ["healthy: no check found anything", ...told].join("\n");
  const components = [...new Set(findings.map(({ component }) => component))];
  const broken = findings.filter(({ severity }) => severity === "broken").length;
  return [
    ...components.flatMap((component) => [
      `${component}:`,
      ...findings
        .filter((finding) => finding.component === component)
        .flatMap((finding) => findingLines(finding, paint)),
    ]),
    "",
    `${findings.length} finding(s): ${broken} broken, ${findings.length - broken} attention`,
    ...told,
  ].join("\n");
}

/** One finding, its severity first, what it rests on and what to do about it indented below. */
export function findingLines({ severity, summary, detail, remedy }: Finding, paint = PLAIN): string[] {
  return [
    `  ${paint[severity](`[${severity}]`)} ${visible(summary)}`,
    ...detail.split("\n").map((line) => `      ${visible(line)}`),
    ...(remedy === undefined ? [] : [`      remedy: ${remedy.argv.map(visible).join(" ")}`]),
  ];
}

function noticeLines({ summary, detail }: Notice): string[] {
  return [`note: ${visible(summary)}`, ...detail.split("\n").map((line) => `      ${visible(line)}`)];
}

/** The array behind `doctor --json`: findings in order, known keys first; `[]` when healthy. */
export function doctorJson({ findings }: DoctorReport): unknown {
  return findings.map(({ component, severity, summary, detail, remedy, id, evidence }) => ({
    component,
    severity,
    summary,
    detail,
    ...(remedy === undefined
      ? {}
      : {
          remedy: {
            description: remedy.description,
            argv: remedy.argv,
            needs_terminal: remedy.needs_terminal,
          },
        }),
    id,
    evidence,
  }));
}
