import type { Metadata } from "next";
import { clockTime } from "#app/_ui/dates.ts";
import { hrefTo } from "#app/_ui/href.ts";
import { counted, grouped } from "#app/_ui/number.ts";
import { Empty, PageHead, Problem, Trouble } from "#app/_ui/page-head.tsx";
import { Picker, TextFilter, Toggle } from "#app/_ui/picker.tsx";
import { SessionList } from "#app/_ui/sessions/session-list.tsx";
import { WindowBar } from "#app/_ui/window-bar.tsx";
import { attempt } from "#app/attempt.ts";
import { loadSessions, type SessionsView } from "#app/loaders.ts";
import { CAUSE_FILTERS, type Params } from "#app/search.ts";

export const metadata: Metadata = { title: "Sessions" };

export default async function SessionsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadSessions(params, 0));
  if (!loaded.ok) return <Trouble title="Sessions" problem={loaded.problem} />;
  const { view, origin } = loaded.value;
  const { ask, page, models } = view;
  const query = queryText(params);
  return (
    <>
      <PageHead
        title="Sessions"
        controls={<WindowBar ask={ask} models={models} serverZone={origin.serverZone} daysUnlessSaid="all" />}
        facts={<p role="status">{factsOf(view)}</p>}
      />
      {origin.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      <Filters />
      {page.total === 0 ? (
        <Nothing view={view} />
      ) : (
        <SessionList
          key={`${query} ${page.as_of}`}
          first={page}
          query={query}
          zone={ask.zone}
          sort={`${ask.sort.descending ? "-" : ""}${ask.sort.by}`}
        />
      )}
    </>
  );
}

function factsOf({ ask, page }: SessionsView): string {
  const showing = page.total === page.of ? "Showing all" : `Showing ${grouped(page.total)} of`;
  const snapshots = page.files - page.of;
  return [
    `${showing} ${counted(page.of, "session")}`,
    ...(snapshots > 0 ? [`${counted(snapshots, "earlier snapshot")} of them not listed`] : []),
    `as of ${clockTime(page.as_of, ask.zone)}`,
  ].join(" · ");
}

function Filters() {
  return (
    <form method="get" aria-label="Filters" className="mb-4 flex flex-wrap items-center gap-2 print:hidden">
      <TextFilter name="q" label="Title, id, folder or model" />
      <Picker
        name="stop_cause"
        label="Stop cause"
        passedOver=""
        choices={[
          { value: "", name: "any stop cause" },
          ...CAUSE_FILTERS.map((cause) => ({
            value: cause,
            name: cause === "cut_short" ? "any cut short" : cause,
          })),
        ]}
      />
      <Toggle name="errors" label="has errors" />
      <Toggle name="ended_on_failed_call" label="ended on a failed call" />
      <Picker
        name="subagents"
        label="Sub-agents"
        passedOver=""
        choices={[
          { value: "", name: "with sub-agents" },
          { value: "without", name: "without sub-agents" },
          { value: "only", name: "only sub-agents" },
        ]}
      />
      <span className="lg:hidden">
        <Picker
          name="sort"
          label="Order"
          choices={[
            { value: "", name: "newest first" },
            { value: "created", name: "oldest first" },
            { value: "-errors", name: "most errors" },
            { value: "-calls", name: "most calls" },
            { value: "-runs", name: "most runs" },
            { value: "-denied", name: "most denied" },
          ]}
        />
      </span>
    </form>
  );
}

function Nothing({ view: { page } }: { view: SessionsView }) {
  if (page.of === 0) {
    return (
      <Empty why="No sessions were found.">
        <a href="/#coverage" className="link">
          See where mecha looked
        </a>
      </Empty>
    );
  }
  return (
    <Empty
      why={
        page.of === 1
          ? "The one session does not fit these filters."
          : `None of the ${grouped(page.of)} sessions fits these filters.`
      }
    >
      <a href={hrefTo("/sessions", {})} className="link">
        Clear all filters
      </a>
    </Empty>
  );
}

/** The address of the list without what only the browser adds. */
function queryText(params: Params): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(params)) {
    const text = Array.isArray(value) ? value[0] : value;
    if (text !== undefined && text !== "") query.set(key, text);
  }
  query.sort();
  return query.toString();
}
