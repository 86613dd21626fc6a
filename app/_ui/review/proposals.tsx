import { visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import type { Fate } from "#lib/review/stored.ts";
import { fateText, kindText, proposalWords, short } from "#lib/review/words.ts";
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
          {proposal.fate !== null && <FateLink fate={proposal.fate} />}
          <span className="text-muted text-xs">
            {" for "}
            <bdi>{visible(short(proposal.subject, 80))}</bdi>
            {" by "}
            <bdi>{visible(short(proposal.model, 80))}</bdi>
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
  const said = `→ ${fateText(fate)}`;
  const href = hrefOf(fate);
  if (href === null) return <span>{said}</span>;
  return (
    <a href={href} className="link">
      {said}
    </a>
  );
}

function hrefOf({ verdict, experiment_id }: Fate): string | null {
  if (verdict !== null) return verdictHref(verdict.id);
  return experiment_id === null ? null : `/experiments/${pathPart(experiment_id)}`;
}
