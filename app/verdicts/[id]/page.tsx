import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHead, PagePath, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { Untrusted } from "#app/_ui/rate.tsx";
import { Arms } from "#app/_ui/verdict/arms.tsx";
import { ChangedCases, LeftOutCases } from "#app/_ui/verdict/changed-cases.tsx";
import { Disagreements, Lead, Remarks, VerdictFacts } from "#app/_ui/verdict/lead.tsx";
import { Outcome } from "#app/_ui/verdict/outcome.tsx";
import { Recheck } from "#app/_ui/verdict/recheck.tsx";
import { SharePart } from "#app/_ui/verdict/share-part.tsx";
import { Passes, Slices, Work } from "#app/_ui/verdict/tallies.tsx";
import { attempt } from "#app/attempt.ts";
import type { Params } from "#app/search.ts";
import { loadVerdict, type VerdictPage } from "#app/verdict-loaders.ts";
import { visible } from "#lib/format.ts";
import type { VerdictView } from "#lib/verdict/view.ts";
import { flipSentences, OUTCOMES, titleOf } from "#lib/verdict/words.ts";
import { makeShareAction, revokeShareAction } from "./actions.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Params> };

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const loaded = await load(await params, await searchParams);
  if (!loaded.ok) return { title: "Verdict" };
  if (loaded.value === null) return { title: "Not found" };
  const { view, disagreements } = loaded.value;
  if (disagreements.length > 0) return { title: "Verdict" };
  return { title: `${OUTCOMES[view.outcome ?? "unknown"].word} ${visible(titleOf(view).slice(0, 120))}` };
}

export default async function VerdictPageView({ params, searchParams }: Props) {
  const loaded = await load(await params, await searchParams);
  if (loaded.ok && loaded.value === null) notFound();
  return (
    <>
      <PagePath href="/scorecards#verdicts" name="Verdicts" />
      {!loaded.ok && <Trouble title="Verdict" problem={loaded.problem} />}
      {loaded.ok && loaded.value !== null && <Verdict page={loaded.value} />}
    </>
  );
}

function load({ id }: { id: string }, searchParams: Params) {
  return attempt(() => loadVerdict(id, searchParams));
}

function Verdict({ page }: { page: VerdictPage }) {
  const { view, zone, file, problems, disagreements } = page;
  return (
    <>
      <PageHead
        title={
          <>
            {disagreements.length === 0 ? (
              <Outcome outcome={view.outcome} />
            ) : (
              <span className="text-broken">✕ DOES NOT AGREE</span>
            )}{" "}
            <Untrusted>{visible(titleOf(view))}</Untrusted>
          </>
        }
        facts={<VerdictFacts view={view} zone={zone} file={file?.name ?? null} />}
      />
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {disagreements.length === 0 ? (
        <Lead view={view} zone={zone} />
      ) : (
        <Disagreements lines={disagreements} />
      )}
      <Remarks lines={view.remarks} />
      <div className="grid gap-x-12 xl:grid-cols-[minmax(0,1fr)_21rem] print:block">
        <div className="min-w-0">
          <Numbers view={view} zone={zone} />
        </div>
        <div className="min-w-0">
          <Consequences page={page} />
        </div>
      </div>
    </>
  );
}

/** What was measured and how it was weighed. */
function Numbers({ view, zone }: { view: VerdictView; zone: string }) {
  return (
    <>
      <Section title="Better, worse, the same">
        <Slices slices={view.slices} />
      </Section>
      <Section title="Work">
        <Work view={view} />
      </Section>
      {view.passes !== null && (
        <Section title="Case passes beside it">
          <Passes view={view} />
        </Section>
      )}
      <Section title="Changed cases">
        <ChangedCases view={view} />
      </Section>
      <Section title="Listed, never scored">
        <LeftOutCases view={view} />
      </Section>
      <Section title="The arms">
        <Arms arms={view.arms} zone={zone} />
      </Section>
    </>
  );
}

/** What would change it, how to check it, and who may see it. */
function Consequences({ page: { view, shares, zone, file } }: { page: VerdictPage }) {
  const flips = view.flips === null ? [] : flipSentences(view.flips);
  return (
    <>
      {flips.length > 0 && (
        <Section title="What would flip it">
          <Lines lines={flips} />
        </Section>
      )}
      {view.unknown.length > 0 && (
        <Section title="Unknown in this file">
          <Lines lines={view.unknown} />
        </Section>
      )}
      <Recheck view={view} place={file?.place ?? null} />
      {shares !== null && view.id !== null && (
        <div className="print:hidden">
          <Section id="share" title="Share">
            <SharePart
              links={shares}
              zone={zone}
              make={makeShareAction.bind(null, view.id)}
              revoke={revokeShareAction}
            />
          </Section>
        </div>
      )}
    </>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul className="list-disc pl-5 text-sm">
      {lines.map((line) => (
        <li key={line}>{visible(line)}</li>
      ))}
    </ul>
  );
}
