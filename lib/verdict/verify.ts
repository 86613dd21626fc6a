import type { Parsed } from "#lib/errors.ts";
import { RULE_VERSION } from "#lib/gate/rules.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import { assemble, rawOf, verdictId } from "./assemble.ts";
import { canonicalJson, withoutSpace } from "./canonical.ts";
import type { VerdictDocument } from "./document.ts";
import { parseDocument } from "./parse-document.ts";

/** One thing in a document that is not as it has to be. `where` is its path: `judgement.selection.wins`. */
export type Disagreement = { where: string; stored: string; recomputed: string };

export type Verification = {
  /** The id the document carries; null when it is not readable as one. */
  id: string | null;
  ok: boolean;
  disagreements: Disagreement[];
  /** How many disagreements are not listed. */
  more: number;
};

const LISTED_MAX = 100;

/**
 * Checks a verdict's text in three independent ways: that the text is the canonical one (white space apart), so that
 * no number hides a digit and no key stands twice; that the id is the hash of the rest; and that every number which
 * follows from the measurements does follow.
 */
export function verifyDocument(text: string): Verification {
  const value = parsed(text);
  if (!value.ok) return unreadable(value.problem);
  const form = formDisagreement(text, value.value);
  const document = parseDocument(value.value);
  if (!document.ok) return { ...unreadable(document.problem), id: idIn(value.value) };
  const found = [
    ...form,
    ...idDisagreement(document.value, value.value),
    ...derived(document.value, value.value),
  ];
  return {
    id: document.value.id,
    ok: found.length === 0,
    disagreements: found.slice(0, LISTED_MAX),
    more: Math.max(0, found.length - LISTED_MAX),
  };
}

/** The text of a document as it is stored and exported. */
export function documentText(document: VerdictDocument): string {
  return `${canonicalJson(document)}\n`;
}

/** Verdicts nest six deep. What nests thousands deep would exhaust the stack of those who walk it. */
const DEPTH_MAX = 40;

function parsed(text: string): Parsed<unknown> {
  if (depthOf(text) > DEPTH_MAX) return { ok: false, problem: "nested too deep" };
  return parseJsonText(text);
}

function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const char of withoutSpace(text)) {
    if (char === "{" || char === "[") depth += 1;
    if (char === "}" || char === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function unreadable(problem: string): Verification {
  const disagreement = { where: "document", stored: problem, recomputed: "a verdict document" };
  return { id: null, ok: false, disagreements: [disagreement], more: 0 };
}

function idIn(value: unknown): string | null {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : null;
  return typeof id === "string" ? id : null;
}

function formDisagreement(text: string, value: unknown): Disagreement[] {
  const told = withoutSpace(text);
  const meant = canonicalOrNull(value);
  if (meant === null) {
    return [{ where: "text", stored: "a string that is no Unicode", recomputed: "Unicode text" }];
  }
  if (told === meant) return [];
  let at = 0;
  while (told[at] === meant[at]) at += 1;
  const near = (from: string) => from.slice(Math.max(0, at - 20), at + 20);
  return [{ where: `text, character ${at}`, stored: near(told), recomputed: near(meant) }];
}

function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Over the value as it stands, keys that nobody knows included. */
function idDisagreement(document: VerdictDocument, value: unknown): Disagreement[] {
  if (canonicalOrNull(value) === null) return [];
  const id = verdictId(value as VerdictDocument);
  return id === document.id ? [] : [{ where: "id", stored: document.id, recomputed: id }];
}

function derived(document: VerdictDocument, value: unknown): Disagreement[] {
  const { rule_version } = document.judgement;
  if (rule_version !== RULE_VERSION) {
    const recomputed = `judged by rules ${RULE_VERSION} here`;
    return [{ where: "judgement.rule_version", stored: String(rule_version), recomputed }];
  }
  const { id: _, ...again } = assemble(rawOf(document));
  const { id: __, ...told } = value as VerdictDocument;
  return [...differences(told, again, ""), ...repeatsIn(document)];
}

/** How often an arm ran its cases is told with it, and follows from its episodes; null where the arm does not tell. */
function repeatsIn({ arms, episodes }: VerdictDocument): Disagreement[] {
  return (["baseline", "candidate"] as const).flatMap((arm) => {
    const stored = arms[arm].runs_per_case;
    const most = episodes.reduce((n, one) => Math.max(n, one[arm]?.runs ?? 0), 0);
    // An arm without episodes tells nothing against it.
    if (stored === null || most === 0 || stored === most) return [];
    return [{ where: `arms.${arm}.runs_per_case`, stored: String(stored), recomputed: String(most) }];
  });
}

/** Every leaf on which two JSON values differ, by its path. */
export function differences(stored: unknown, recomputed: unknown, where: string): Disagreement[] {
  if (isObject(stored) && isObject(recomputed)) {
    const keys = [...new Set([...Object.keys(recomputed), ...Object.keys(stored)])];
    return keys.flatMap((key) =>
      differences(own(stored, key), own(recomputed, key), where === "" ? key : `${where}.${key}`),
    );
  }
  if (Array.isArray(stored) && Array.isArray(recomputed) && stored.length === recomputed.length) {
    return recomputed.flatMap((part, at) => differences(stored[at], part, `${where}[${at}]`));
  }
  const [a, b] = [shown(stored), shown(recomputed)];
  return a === b ? [] : [{ where, stored: a, recomputed: b }];
}

function own(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
