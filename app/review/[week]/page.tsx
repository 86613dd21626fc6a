import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Suspense } from "react";
import { withDateTimes } from "#app/_ui/dates.ts";
import { hrefTo } from "#app/_ui/href.ts";
import { Empty, PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { Coverage } from "#app/_ui/review/coverage.tsx";
import { FindingLists } from "#app/_ui/review/finding-lists.tsx";
import { ModelBlocks } from "#app/_ui/review/model-blocks.tsx";
import { MoreModels } from "#app/_ui/review/model-tables.tsx";
import { Proposals } from "#app/_ui/review/proposals.tsx";
import { Settings } from "#app/_ui/review/settings.tsx";
import { Verdicts } from "#app/_ui/review/verdicts.tsx";
import { ReviewWaiting } from "#app/_ui/review/waiting.tsx";
import { WeekNav } from "#app/_ui/review/week-nav.tsx";
import { WhatChanged } from "#app/_ui/review/what-changed.tsx";
import { Dated } from "#app/_ui/time.tsx";
import { WindowBar } from "#app/_ui/window-bar.tsx";
import { attempt } from "#app/attempt.ts";
import { isWeek, type LoadedReview, loadReview, type ReviewView, reviewHref } from "#app/review-loaders.ts";
import type { Params } from "#app/search.ts";
import { visible } from "#lib/format.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import { weekKeyAt } from "#lib/review/week.ts";
import { spanText, titleOf } from "#lib/review/words.ts";
import "../review.css";

type Props = { params: Promise<{ week: string }>; searchParams: Promise<Params> };

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const loaded = await load(await params, await searchParams);
  if (!loaded.ok) return { title: "Review" };
  if (!loaded.value.ok) return { title: loaded.value.why === "unknown" ? "Not found" : "Review" };
  return { title: titleOf(loaded.value.view.report) };
}

/** What is no week is said before anything is read; the review of one streams in. */
export default async function ReviewPage({ params, searchParams }: Props) {
  const [{ week }, query] = [await params, await searchParams];
  const known = await attempt(() => isWeek(week, query));
  if (known.ok && !known.value) notFound();
  return (
    <Suspense fallback={<ReviewWaiting />}>
      <LoadedPage week={week} query={query} />
    </Suspense>
  );
}

async function LoadedPage({ week, query }: { week: string; query: Params }) {
  const loaded = await load({ week }, query);
  if (!loaded.ok) return <Trouble title="Review" problem={loaded.problem} />;
  if (!loaded.value.ok) return <NotYet loaded={loaded.value} />;
  return <Review view={loaded.value.view} />;
}

function load({ week }: { week: string }, searchParams: Params) {
  return attempt(() => loadReview(week, searchParams));
}

function NotYet({ loaded }: { loaded: Extract<LoadedReview, { ok: false }> }) {
  return (
    <>
      <PageHead title="Review" />
      <Empty why={`No review yet: ${visible(loaded.problem)}.`}>
        <a href={loaded.current} className="link">
          The newest week there is
        </a>
      </Empty>
    </>
  );
}

function Review({ view }: { view: ReviewView }) {
  const { report, ask, problems, serverZone } = view;
  return (
    <div className="review">
      <PageHead
        title={titleOf(report)}
        controls={<WindowBar ask={ask} models={null} serverZone={serverZone} daysUnlessSaid={null} />}
        facts={
          <p>
            <Dated text={withDateTimes(spanText(report), report.week.zone)} />
          </p>
        }
      />
      <WeekNav
        week={report.week}
        hrefOf={(week) => reviewHref(week, ask)}
        fileHref={reviewHref(report.week.key, ask, {}, "/html")}
      />
      {problems.map((problem) => (
        <Problem key={problem}>{visible(problem)}</Problem>
      ))}
      <Section title="What changed">
        <WhatChanged report={report} />
      </Section>
      {report.models.length === 0 ? (
        <NoRuns view={view} />
      ) : (
        <Section title="By model, against the eight weeks before">
          <ModelBlocks report={report} ask={ask} />
        </Section>
      )}
      <div className={report.models.length === 0 ? undefined : "review-second"}>
        <SecondSheet view={view} />
      </div>
    </div>
  );
}

/** What stands on the second sheet when it is printed. */
function SecondSheet({ view }: { view: ReviewView }) {
  const { report, ask, found } = view;
  const { shown, more } = firstOf(report.models.slice(SHOWN.charts), SHOWN.models - SHOWN.charts);
  return (
    <>
      {shown.length > 0 && (
        <Section title="More models">
          <MoreModels models={shown} more={more} />
        </Section>
      )}
      <Section title="Settings">
        <Settings report={report} />
      </Section>
      <Section title="Findings">
        <FindingLists findings={report.findings} zone={ask.zone} href={findingsHref(view)} />
      </Section>
      <div className="review-pair">
        <Section title="Verdicts">
          <Verdicts report={report} zone={ask.zone} />
        </Section>
        <Section title="Proposals">
          <Proposals report={report} zone={ask.zone} />
        </Section>
      </div>
      <Section id="coverage" title="What these numbers rest on">
        <Coverage report={report} found={found} />
      </Section>
    </>
  );
}

/** The findings as they were at the end of the week. */
function findingsHref({ report, ask }: ReviewView): string {
  return hrefTo("/findings", { as_of: report.as_of, zone: ask.zoneAsked, source: ask.source });
}

/** Why there are no numbers, and where the newest ones are. */
function NoRuns({ view: { report, ask, found } }: { view: ReviewView }) {
  const newest = report.coverage.newest_run;
  const why = found.some((one) => one.found)
    ? "No run started in this week, or in the eight before it."
    : "No transcripts were found on this machine, so there is nothing to review yet.";
  return (
    <Section title="By model">
      <Empty why={why}>
        {newest !== null && (
          <a href={reviewHref(weekKeyAt(Date.parse(newest), ask.zone), ask)} className="link">
            The week of the newest run before it
          </a>
        )}
      </Empty>
    </Section>
  );
}
