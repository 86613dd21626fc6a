import { createHash } from "node:crypto";

declare const safe: unique symbol;
/** A model's name as it may stand in front of a diagnostician. Only `modelLabel` makes one. */
export type ModelLabel = string & { readonly [safe]: true };

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,63}$/;
/** Letters alone, between the marks that names are made with. */
const WORD = /^[A-Za-z]{2,}$/;
const WORDS_MAX = 3;

/**
 * The name of a model, or `model-` and eight digits of its hash. A name comes out of a transcript, and whoever wrote that
 * may have written a sentence into it. So it has to look like a name: plain letters, digits and marks, with a digit in it
 * and at most three words. `vouched` are names that the person has configured; they only have to be plain.
 */
export function modelLabel(model: string, vouched: ReadonlySet<string>): ModelLabel {
  const kept = PLAIN.test(model) && (vouched.has(model) || looksLikeName(model));
  return (kept ? model : hashed(model)) as ModelLabel;
}

function looksLikeName(model: string): boolean {
  const words = model.split(/[._:/-]/).filter((part) => WORD.test(part));
  return /\d/.test(model) && words.length <= WORDS_MAX;
}

function hashed(model: string): string {
  return `model-${createHash("sha256").update(model).digest("hex").slice(0, 8)}`;
}
