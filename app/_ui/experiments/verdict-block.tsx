import type { VerdictView } from "#lib/verdict/view.ts";
import { verdictHref } from "../cards/hrefs.ts";
import { Section } from "../page-head.tsx";
import { Lead, Remarks } from "../verdict/lead.tsx";
import { Outcome } from "../verdict/outcome.tsx";
import { Slices } from "../verdict/tallies.tsx";

/** The verdict, in the place where the arms were; all of it stands on its own page. */
export function VerdictBlock({ verdict, zone }: { verdict: VerdictView; zone: string }) {
  return (
    <Section
      title="Verdict"
      aside={
        verdict.id !== null && (
          <a href={verdictHref(verdict.id)} className="control inline-flex items-center no-underline">
            Read and share the verdict
          </a>
        )
      }
    >
      <p className="mb-1 text-lg">
        <Outcome outcome={verdict.outcome} />
      </p>
      <Lead view={verdict} zone={zone} />
      <Remarks lines={verdict.remarks} />
      <Slices slices={verdict.slices} />
    </Section>
  );
}
