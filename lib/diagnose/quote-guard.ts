import { visible } from "#lib/format.ts";
import type { Proposal } from "./proposal.ts";

/** Shorter runs of words are shared by honest technical prose; a check that goes off for that would be turned off. */
export const WINDOW = 8;

/**
 * Why a proposal may not be acted on; null when it may. Its text is made to be read and pasted by a person, so nothing in
 * it may be unseen; and an instruction that was lifted from a page must not travel through it, so no eight words in a row
 * may stand like that in anything the diagnostician read. `sources` are looked at one by one.
 */
export function refusalOf({ rationale, change }: Proposal, sources: readonly string[]): string | null {
  for (const [field, text] of [
    ["rationale", rationale],
    ["change", change],
  ] as const)
    if (visible(text) !== text) return `its ${field} holds characters that a reader cannot see`;
  const grams = windowsOf(sources);
  for (const [field, text] of [
    ["rationale", rationale],
    ["change", change],
  ] as const) {
    const hit = firstHit(text, grams);
    if (hit !== null) return `its ${field} repeats what was read: "${hit}"`;
  }
  return null;
}

/** The first eight words of `text` that stand in a row in one of the sources too; null when there are none. */
export function carryOver(text: string, sources: readonly string[]): string | null {
  return firstHit(text, windowsOf(sources));
}

function firstHit(text: string, known: ReadonlySet<string>): string | null {
  return windowsIn(wordsOf(text)).find((window) => known.has(window)) ?? null;
}

function windowsOf(sources: readonly string[]): ReadonlySet<string> {
  const known = new Set<string>();
  for (const source of sources) for (const window of windowsIn(wordsOf(source))) known.add(window);
  return known;
}

function windowsIn(words: readonly string[]): string[] {
  return words.slice(WINDOW - 1).map((_, at) => words.slice(at, at + WINDOW).join(" "));
}

/**
 * Lower case, without marks at either end of a word. Letters that are drawn as nothing, and other spellings of a letter
 * (ligatures, full width), must not make two equal texts differ.
 */
function wordsOf(text: string): string[] {
  return text
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .split(/\p{White_Space}+/u)
    .map((word) => word.replace(MARKS_AROUND, "").toLowerCase())
    .filter((word) => word !== "");
}

/** The end is looked for behind letters only: begun at each mark anew, a page of nothing but marks would take for ever. */
const MARKS_AROUND = /^[^\p{Alphabetic}\p{N}]+|(?<=[\p{Alphabetic}\p{N}])[^\p{Alphabetic}\p{N}]+$/gu;
