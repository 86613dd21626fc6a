import { healthHref } from "#app/health-href.ts";
import type { HealthView } from "#app/health-view.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { Command } from "./command.tsx";
import { dateOnly } from "./dates.ts";
import { counted } from "./number.ts";
import { Empty } from "./page-head.tsx";

/** Why there are no numbers: no store, no finished run, or a window with none in it. */
export function NoRuns({ view, found }: { view: HealthView; found: FoundSource[] }) {
  const { ask, newest, coverage } = view;
  if (newest !== null) {
    const where = ask.model === null ? "" : " of this model";
    return (
      <Empty
        why={`No run${where} finished in this window. The newest one started on ${dateOnly(newest, ask.zone)}.`}
      >
        <AllTime view={view} />
      </Empty>
    );
  }
  if (!found.some((one) => one.found)) {
    return (
      <Empty why="No transcripts were found on this machine, so there is nothing to count yet.">
        <p className="mb-2">Run an agent, or name the folder it writes to and start again:</p>
        <Command line="MECHA_SESSION_DIR=~/path/to/sessions npm start" />
      </Empty>
    );
  }
  if (coverage.sessions_read === 0 && coverage.sessions_cutoff > 0) {
    const outside = counted(coverage.sessions_cutoff, "session lies", "sessions lie");
    return (
      <Empty why={`No session started in this window; ${outside} outside it.`}>
        <AllTime view={view} />
      </Empty>
    );
  }
  if (ask.model !== null) {
    return (
      <Empty why="No run of this model is in the stores.">
        <a href={healthHref(ask, { model: null })} className="link">
          Show all models
        </a>
      </Empty>
    );
  }
  return (
    <Empty
      why={`${counted(coverage.sessions_read, "session was", "sessions were")} read, and none of them holds a finished run.`}
    >
      A run counts once it has ended. What was left out stands below.
    </Empty>
  );
}

function AllTime({ view: { ask } }: { view: HealthView }) {
  return (
    <a href={healthHref(ask, { days: "all", as_of: null })} className="link">
      Show all time
    </a>
  );
}
