import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { readText } from "#lib/read-whole.io.ts";
import { type AbFile, checkAbConfig, parseAbFile } from "./ab-file.ts";
import { VERDICT_SCHEMA, type VerdictDocument } from "./document.ts";
import { parseDocument } from "./parse-document.ts";
import { type Verification, verifyDocument } from "./verify.ts";

/** A verdict of 50 000 episodes has some 15 MB. */
export const VERDICT_BYTES_MAX = 64 * 1024 * 1024;

export type VerdictFile = { kind: "verdict"; document: VerdictDocument } | { kind: "ab"; file: AbFile };

/** Reads an exported verdict, or the result of an A/B. The problem is one line that names the file. */
export async function readVerdictFile(place: string, name: string): Promise<Parsed<VerdictFile>> {
  const text = await readText(place, VERDICT_BYTES_MAX);
  if (!text.ok) return named(name, text.problem);
  const value = parseJsonText(text.value);
  if (!value.ok) return named(name, value.problem);
  if (isVerdict(value.value)) {
    const document = parseDocument(value.value);
    if (!document.ok) return named(name, document.problem);
    return { ok: true, value: { kind: "verdict", document: document.value } };
  }
  const file = parseAbFile(value.value);
  if (!file.ok) return named(name, `neither a verdict nor an A/B result: ${file.problem}`);
  return { ok: true, value: { kind: "ab", file: file.value } };
}

/** Checks a file: a verdict by its hash and numbers, a config A/B, which carries no id, by its numbers. */
export async function verifyFile(place: string): Promise<Verification> {
  const text = await readText(place, VERDICT_BYTES_MAX);
  if (!text.ok) return broken(text.problem);
  const value = parseJsonText(text.value);
  const ab = value.ok && !isVerdict(value.value) ? parseAbFile(value.value) : null;
  if (ab?.ok && ab.value.kind === "ab_config") {
    const disagreements = checkAbConfig(ab.value.file);
    return { id: null, ok: disagreements.length === 0, disagreements, more: 0 };
  }
  if (ab?.ok) return broken("a rules A/B states no judgement that could be checked");
  if (ab !== null) return broken("neither a verdict nor an A/B result");
  return verifyDocument(text.value);
}

/** The outcome of a check, a line for the file and one for each disagreement. */
export function verificationText(name: string, { id, ok, disagreements, more }: Verification): string {
  const [first] = disagreements;
  if (first !== undefined && (first.where === "file" || first.where === "document")) {
    return `${visible(name)}: CANNOT BE CHECKED: ${visible(first.stored)}\n`;
  }
  const carries = id === null ? "carries no id" : `id ${visible(id)}`;
  const lines = [`${visible(name)}: ${ok ? "every number follows" : "DOES NOT AGREE"} (${carries})`];
  for (const { where, stored, recomputed } of disagreements) {
    lines.push(
      `  ${visible(where)}: ${visible(stored)} in the file, ${visible(recomputed)} by its own measurements`,
    );
  }
  if (more > 0) lines.push(`  and ${more} more`);
  return `${lines.join("\n")}\n`;
}

function isVerdict(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("schema" in value)) return false;
  return typeof value.schema === "string" && value.schema.startsWith(VERDICT_SCHEMA.replace(/\d+$/, ""));
}

function broken(problem: string): Verification {
  const disagreement = { where: "file", stored: problem, recomputed: "a verdict document" };
  return { id: null, ok: false, disagreements: [disagreement], more: 0 };
}

function named(name: string, problem: string): { ok: false; problem: string } {
  return { ok: false, problem: `${visible(name)}: ${visible(problem)}` };
}
