import type { Parsed } from "#lib/errors.ts";
import { parseJsonText } from "#lib/json-text.ts";
import type { Case } from "./case.ts";
import { parseCase } from "./case-line.ts";

/**
 * Reads a case file: JSON lines, with blank lines and lines that start with `//` between them. Nothing of it is used when
 * one line is wrong; the problem names file, line, case and key. Ids must differ: equal ones would be one case run twice.
 */
export function parseCases(text: string, file: string): Parsed<Case[]> {
  const cases: Case[] = [];
  const lines = new Map<string, number>();
  for (const [at, raw] of text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .entries()) {
    const line = raw.trim();
    if (line === "" || line.startsWith("//")) continue;
    const parsed = parseLine(line);
    if (!parsed.ok) return { ok: false, problem: `${file}:${at + 1}: ${parsed.problem}` };
    const { id } = parsed.value;
    const earlier = lines.get(id);
    if (earlier !== undefined)
      return {
        ok: false,
        problem: `${file}:${at + 1}: case ${JSON.stringify(id)}: id is taken by line ${earlier}`,
      };
    lines.set(id, at + 1);
    cases.push(parsed.value);
  }
  if (cases.length === 0) return { ok: false, problem: `${file}: no case in it` };
  return { ok: true, value: cases };
}

function parseLine(line: string): Parsed<Case> {
  const value = parseJsonText(line);
  return value.ok ? parseCase(value.value, line) : value;
}

/** The cases that have one of the tags; a tag that no case has is a mistake, not an empty slice. */
export function withTags(cases: readonly Case[], tags: readonly string[]): Parsed<Case[]> {
  if (tags.length === 0) return { ok: true, value: [...cases] };
  const known = [...new Set(cases.flatMap((one) => one.tags))];
  const unknown = tags.find((tag) => !known.includes(tag));
  if (unknown !== undefined)
    return {
      ok: false,
      problem: `no case has the tag ${JSON.stringify(unknown)}; there are: ${known.join(", ")}`,
    };
  return { ok: true, value: cases.filter((one) => one.tags.some((tag) => tags.includes(tag))) };
}
