import type { Metadata } from "next";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import { ArmsLive } from "#app/_ui/experiments/arms-live.tsx";
import { CaseStrips } from "#app/_ui/experiments/case-strips.tsx";
import { CancelButton, RetryButton } from "#app/_ui/experiments/experiment-buttons.tsx";
import { ExperimentFacts } from "#app/_ui/experiments/experiment-facts.tsx";
import { Log } from "#app/_ui/experiments/log.tsx";
import { Prediction } from "#app/_ui/experiments/prediction.tsx";
import { STATES, State } from "#app/_ui/experiments/state.tsx";
import { VerdictBlock } from "#app/_ui/experiments/verdict-block.tsx";
import { decodedPart, hrefTo } from "#app/_ui/href.ts";
import { Live } from "#app/_ui/live.tsx";
import { counted } from "#app/_ui/number.ts";
import { PageHead, PagePath, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { attempt } from "#app/attempt.ts";
import { type ExperimentPage, loadExperiment } from "#app/experiment-loaders.ts";
import type { Params } from "#app/search.ts";
import { visible } from "#lib/format.ts";
import type { ExperimentView } from "#lib/queue/experiment.ts";
import { cancelAction, retryAction } from "../actions.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Params> };

/** While it is measured the page is drawn anew this often. */
const LOOK_MS = 1_000;
/** While it runs, the last lines are what a person looks for. */
const LINES_LIVE = 12;

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const loaded = await load(await params, await searchParams);
  if (!loaded.ok) return { title: "Experiment" };
  if (loaded.value === null) return { title: "Not found" };
  const { state, request } = loaded.value.view;
  return { title: `${STATES[state].word} ${visible(request.overrides.join(" ").slice(0, 120))}` };
}

export default async function Experiment({ params, searchParams }: Props) {
  const loaded = await load(await params, await searchParams);
  if (!loaded.ok) return <Trouble title="Experiment" problem={loaded.problem} />;
  if (loaded.value === null) notFound();
  const page = loaded.value;
  const { view, zone, verdict, verdictProblem } = page;
  const open = isOpen(view);
  return (
    <>
      {open && <Live everyMs={LOOK_MS} />}
      <PagePath href="/experiments" name="Experiments">
        {visible(view.id.slice(0, 8))}
      </PagePath>
      <PageHead
        title={
          <>
            <State state={view.state} />{" "}
            <bdi className="font-mono text-base">{visible(view.request.overrides.join(" "))}</bdi>
          </>
        }
        controls={<Controls view={view} />}
        facts={<ExperimentFacts page={page} />}
      />
      {page.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {view.problem !== null && <Problem>{visible(view.problem)}</Problem>}
      {view.state === "failed" && view.swept && (
        <p className="mb-4 text-muted text-sm">
          It ended so long ago that its runs are not kept ready to be run again. “Another one like it”
          measures the same change anew.
        </p>
      )}
      {verdictProblem !== null && <Problem>{visible(verdictProblem)}</Problem>}
      {verdict === null ? (
        <>
          <Prediction view={view} zone={zone} />
          <ArmsLive view={view} now={page.now} />
        </>
      ) : (
        <VerdictBlock verdict={verdict} zone={zone} />
      )}
      <Rest page={page} open={open} />
    </>
  );
}

function load({ id }: { id: string }, params: Params) {
  return attempt(() => loadExperiment(decodedPart(id), params));
}

function isOpen({ state }: ExperimentView): boolean {
  return state === "queued" || state === "running";
}

function Controls({ view }: { view: ExperimentView }): ReactNode {
  const { id, state, arms, swept } = view;
  const errored = arms === null ? 0 : arms.a.errored + arms.b.errored;
  const retry = state === "failed" || (state === "running" && errored > 0);
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      {retry && !swept && (
        <RetryButton
          id={id}
          label={arms === null ? "Try again" : "Run again what errored"}
          retry={retryAction}
        />
      )}
      {isOpen(view) ? (
        <CancelButton id={id} cancel={cancelAction} />
      ) : (
        <a
          href={hrefTo("/experiments", { from: id })}
          className="control inline-flex items-center no-underline"
        >
          Another one like it
        </a>
      )}
    </div>
  );
}

/** The single runs and the log: while it runs side by side with its newest lines, later to be opened. */
function Rest({ page, open }: { page: ExperimentPage; open: boolean }) {
  const { marks, log, zone } = page;
  const lines = open ? log.slice(-LINES_LIVE) : log;
  return (
    <div className="grid gap-x-12 lg:grid-cols-2">
      {marks.cases.length > 0 && (
        <Section title={open ? "Cases" : "Case runs"}>
          <CaseStrips marks={marks} open={open} />
        </Section>
      )}
      {log.length > 0 && (
        <Section title={open ? "Last lines of the log" : "Log"}>
          {open ? (
            <Log lines={lines} zone={zone} />
          ) : (
            <details>
              <summary className="w-fit text-muted text-sm hover:text-ink">
                {counted(log.length, "line", "last lines")}
              </summary>
              <Log lines={lines} zone={zone} />
            </details>
          )}
        </Section>
      )}
    </div>
  );
}
