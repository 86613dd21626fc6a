import type { Fate } from "#lib/diagnose/fate.ts";
import { visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import { fateArrow, kindText, proposalWords } from "#lib/review/outcome-words.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import { CELL_MAX, short } from "#lib/review/words.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { pathPart } from "../href.ts";
import { Instant } from "../time.tsx";
import { More, None } from "./more.tsx";
import { WordsView } from "./words-view.tsx";

/** The diagnoses of the week and what became of them, oldest first. */
export function Proposals({ report, zone }: { report: ReviewReport; zone: string }) {
  const { shown, more } = firstOf(report.proposals, SHOWN.proposals);
  if (shown.length === 0) return <None>No diagnosis was run.</None>;
  return (
    <ul className="text-sm">
      {shown.map((proposal) => (
        <li key={proposal.id} className="py-1">
          <span className="font-semibold">{kindText(proposal)}</span>{" "}
          <span className="font-mono text-xs">
            <WordsView words={proposalWords(proposal)} />
          </span>{" "}
          <FateLink fate={proposal.fate} />
          <span className="text-muted text-xs">
            {" for "}
            <bdi>{visible(short(proposal.subject, CELL_MAX))}</bdi>
            {" by "}
            <bdi>{visible(short(proposal.model, CELL_MAX))}</bdi>
            {proposal.scripted && " (scripted)"}
            {" · "}
            <Instant at={proposal.created_at} zone={zone} />
          </span>
        </li>
      ))}
      <More more={more + report.proposals_left_out} href="/proposals" />
    </ul>
  );
}

function FateLink({ fate }: { fate: Fate }) {
  const said = fateArrow(fate);
  const href = hrefOf(fate);
  if (href === null) return <span>{said}</span>;
  return (
    <a href={href} className="link">
      {said}
    </a>
  );
}

function hrefOf(fate: Fate): string | null {
  if (fate.kind === "verdict") return verdictHref(fate.verdict_id);
  return "experiment_id" in fate ? `/experiments/${pathPart(fate.experiment_id)}` : null;
}
