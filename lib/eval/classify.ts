import { looksLikeReport } from "./parse-report.ts";

/** What a JSON file in a results folder is. */
export type ReportKind =
  | "scorecard"
  /** Means to be a scorecard and is wrong somewhere. */
  | "invalid_scorecard"
  | "ab_config"
  | "ab_rules"
  | "verdict"
  /** Trial rows of another harness: `mecha eval import` makes a scorecard of them. */
  | "rows"
  /** A note with figures of several runs, made by hand. */
  | "notes"
  | "other_json"
  | "broken_json"
  | "empty"
  /** Over the size that is read whole; its headline may still be known. */
  | "too_large"
  | "unreadable";

/** The kind of a parsed JSON value, by its outer shape alone. */
export function kindOf(value: unknown): ReportKind {
  if (looksLikeReport(value)) return "scorecard";
  if (Array.isArray(value)) return rowsIn(value) ? "rows" : "other_json";
  if (typeof value !== "object" || value === null) return "other_json";
  const it = value as Record<string, unknown>;
  if (it.ab_rules === true) return "ab_rules";
  if (Array.isArray(it.ab_config)) return "ab_config";
  if (typeof it.schema === "string" && it.schema.startsWith("mecha.verdict")) return "verdict";
  if (rowsIn(it.rows)) return "rows";
  if (typeof it.note === "string" && Array.isArray(it.runs)) return "notes";
  if ("scorecard" in it && "cases" in it) return "invalid_scorecard";
  return "other_json";
}

function rowsIn(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === "object" && value[0] !== null;
}

/** A kind in words that fit after "is". */
export function kindWords(kind: ReportKind): string {
  switch (kind) {
    case "scorecard":
      return "a scorecard";
    case "invalid_scorecard":
      return "a scorecard with a fault";
    case "ab_config":
      return "the result of a config A/B, whose arms are no ordinary scorecards";
    case "ab_rules":
      return "the result of a rules A/B, whose arms are no ordinary scorecards";
    case "verdict":
      return "a verdict, not a scorecard";
    case "rows":
      return "trial rows, not a scorecard (mecha eval import makes one of them)";
    case "notes":
      return "a note about several runs, not a scorecard";
    case "other_json":
      return "JSON, but not a scorecard";
    case "broken_json":
      return "not JSON";
    case "empty":
      return "empty";
    case "too_large":
      return "too large to read";
    case "unreadable":
      return "unreadable";
    default:
      return kind satisfies never;
  }
}
