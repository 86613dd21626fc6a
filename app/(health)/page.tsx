import { CoverageAccount, CoverageStrip, SourceList } from "#app/_ui/coverage.tsx";
import { Chart } from "#app/_ui/health/chart-section.tsx";
import { Headline, MinorCounts } from "#app/_ui/health/headline.tsx";
import { ModelTable } from "#app/_ui/health/model-table.tsx";
import { NoRuns } from "#app/_ui/no-runs.tsx";
import { counted } from "#app/_ui/number.ts";
import { PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { DerivedTag } from "#app/_ui/rate.tsx";
import { CauseList } from "#app/_ui/stop-causes.tsx";
import { WindowBar } from "#app/_ui/window-bar.tsx";
import { attempt } from "#app/attempt.ts";
import { sessionsHref } from "#app/health-href.ts";
import type { HealthView, TotalView } from "#app/health-view.ts";
import { loadHealth } from "#app/loaders.ts";
import type { Params } from "#app/search.ts";
import { visible } from "#lib/format.ts";

export default async function HealthPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadHealth(params));
  if (!loaded.ok) return <Trouble title="Health" problem={loaded.problem} />;
  const { view, origin } = loaded.value;
  const { coverage, runs, sessions, tookMs, asOf, ask } = view;
  return (
    <>
      <PageHead
        title="Health"
        controls={
          <WindowBar ask={ask} models={view.knownModels} serverZone={origin.serverZone} daysUnlessSaid="30" />
        }
        facts={
          <CoverageStrip
            runs={runs}
            sessions={sessions}
            coverage={coverage}
            tookMs={tookMs}
            asOf={asOf}
            zone={ask.zone}
          />
        }
      />
      {origin.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {origin.found.map(
        ({ source, problem }) =>
          problem !== null && (
            <Problem key={`${source.kind} ${source.place}`}>
              {visible(`${source.kind}: ${source.place} ${problem}`)}
            </Problem>
          ),
      )}
      {view.totals.length === 0 ? <NoRuns view={view} found={origin.found} /> : <Numbers view={view} />}
      <Section id="coverage" title="What was read, and what was left out">
        <SourceList sources={view.sources} found={origin.found} zone={ask.zone} />
        <div className="mt-4">
          <CoverageAccount coverage={coverage} />
        </div>
      </Section>
    </>
  );
}

function Numbers({ view }: { view: HealthView }) {
  const several = view.totals.length > 1;
  return (
    <>
      {view.totals.map((total) => (
        <Total
          key={total.provenance}
          total={total}
          view={view}
          named={several || total.provenance === "derived"}
        />
      ))}
      <Chart view={view} />
      <Section title="By model">
        <ModelTable rows={view.models} />
        {view.modelsLeftOut > 0 && (
          <p className="mt-2 text-muted text-xs">{`${counted(view.modelsLeftOut, "more model with fewer runs is", "more models with fewer runs are")} not in this table.`}</p>
        )}
      </Section>
      <Section title="Why runs stopped">
        <div className={several ? "grid gap-8 lg:grid-cols-2" : ""}>
          {view.totals.map(({ provenance, causes, tally }) => (
            <div key={provenance}>
              {several && <h3 className="mb-1 text-muted text-xs">{provenance}</h3>}
              <CauseList
                causes={causes}
                runs={tally.runs}
                hrefOf={(cause) => sessionsHref(view.ask, { stop_cause: cause })}
              />
            </div>
          ))}
        </div>
      </Section>
      {view.subagents.length > 0 && (
        <Section
          title="Sub-agent runs"
          aside={<p className="text-muted text-xs">Kept out of every number above.</p>}
        >
          <ModelTable rows={view.subagents} />
        </Section>
      )}
    </>
  );
}

function Total({ total, view, named }: { total: TotalView; view: HealthView; named: boolean }) {
  const { provenance, tally, cost } = total;
  return (
    <section aria-label={`Totals, ${provenance}`} className="mb-8">
      {named && (
        <h2 className="mb-3 text-sm">
          {provenance === "derived" ? <DerivedTag /> : "Recorded"}{" "}
          <span className="text-muted text-xs">{`${counted(tally.runs, "run")} in ${counted(tally.sessions, "session")}`}</span>
        </h2>
      )}
      <Headline tally={tally} cost={cost} hrefOf={(filter) => sessionsHref(view.ask, filter)} />
      <MinorCounts tally={tally} derived={provenance === "derived"} />
    </section>
  );
}
