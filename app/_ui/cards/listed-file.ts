import type { ReportKind } from "#lib/eval/classify.ts";
import type { Coverage } from "#lib/eval/head.ts";
import type { ReportFile } from "#lib/eval/list-reports.io.ts";
import { doubtLines } from "#lib/eval/scorecard-text.ts";

/** What one line of the list shows, and nothing that it does not. */
export type ListedFile = {
  name: string;
  kind: ReportKind;
  problem: string | null;
  bytes: number;
  modified_ms: number;
  /** RFC 3339, by the card itself. */
  made: string | null;
  doubts: string[];
  card: {
    model: string;
    provider: string;
    passed: number;
    total: number;
    passed_any: number | null;
    runs_per_case: number;
    coverage: Coverage | null;
    mean_turns: number | null;
    median_latency_ms: number | null;
    partial: boolean;
  } | null;
};

const DOUBTS_MAX = 8;

export function listedFile({ name, kind, problem, bytes, modified_ms, card }: ReportFile): ListedFile {
  const doubts = card?.doubts ? doubtLines(card.doubts) : [];
  return {
    name,
    kind,
    problem,
    bytes,
    modified_ms,
    made: card?.meta.created_at ?? null,
    doubts:
      doubts.length > DOUBTS_MAX
        ? [...doubts.slice(0, DOUBTS_MAX), `and ${doubts.length - DOUBTS_MAX} more`]
        : doubts,
    card: card && {
      model: card.model,
      provider: card.provider,
      passed: card.head.passed,
      total: card.head.total,
      passed_any: card.head.passed_any,
      runs_per_case: card.head.runs_per_case,
      coverage: card.coverage,
      mean_turns: card.head.mean_turns,
      median_latency_ms: card.head.median_latency_ms,
      partial: card.meta.partial === true,
    },
  };
}
