import type { SessionLine } from "#app/session-lines.ts";
import { modelName, visible } from "#lib/format.ts";
import { sessionHref } from "../href.ts";
import { DerivedTag, Unknown, Untrusted } from "../rate.tsx";
import { StopCauseText } from "../stop-cause-text.tsx";
import { Instant } from "../time.tsx";

/** The columns of the list where there is room for them. */
export const WIDE_COLUMNS =
  "grid-cols-[8.5rem_minmax(12rem,1fr)_minmax(6rem,14rem)_3.5rem_3.5rem_3.5rem_3.5rem_12.5rem] gap-x-3";

/** One session of the list; a row that is still on its way is a bar. */
export function SessionRow({ line, zone }: { line: SessionLine | undefined; zone: string }) {
  if (line === undefined) {
    return (
      <span className="flex h-full items-center">
        <span className="skeleton block h-3 w-1/2" />
        <span className="sr-only">on its way</span>
      </span>
    );
  }
  return (
    <div className="flex h-full flex-wrap content-center items-center gap-x-3 text-sm lg:grid lg:grid-cols-[8.5rem_minmax(12rem,1fr)_minmax(6rem,14rem)_3.5rem_3.5rem_3.5rem_3.5rem_12.5rem] lg:content-normal">
      <span className="order-2 text-muted text-xs lg:order-none lg:text-sm">
        <Instant at={line.created_at} zone={zone} />
      </span>
      <span className="order-1 flex w-full min-w-0 items-center gap-2 lg:order-none lg:w-auto">
        <a href={sessionHref(line.id, line.source)} className="truncate hover:text-accent hover:underline">
          <Title line={line} />
        </a>
        {line.subagent && <Tag>sub-agent</Tag>}
        {line.provenance === "derived" && <DerivedTag />}
      </span>
      <span
        className="order-3 min-w-0 max-w-40 truncate text-muted text-xs lg:order-none lg:max-w-none"
        title={modelNames(line).join(", ")}
      >
        <Untrusted mono>{modelNames(line)[0] ?? ""}</Untrusted>
        {line.models.length > 1 && ` +${line.models.length - 1}`}
      </span>
      <Count name={line.runs === 1 ? "run" : "runs"} n={line.runs} />
      <Count name={line.calls === 1 ? "call" : "calls"} n={line.calls} />
      <Count name={line.errors === 1 ? "error" : "errors"} n={line.errors} tone="text-broken" />
      <Count name="denied" n={line.denied} />
      <span className="order-8 flex min-w-0 items-center gap-2 text-xs lg:order-none">
        {line.stop_cause === null ? (
          <Unknown why="no finished run" />
        ) : (
          <StopCauseText cause={line.stop_cause} />
        )}
        {line.failed_ends > 0 && <FailedEnds line={line} />}
      </span>
    </div>
  );
}

/** Of a session none of whose runs has ended, nobody can say yet which model it is. */
function modelNames({ models, runs }: SessionLine): string[] {
  return runs === 0 ? models.map(visible) : models.map(modelName);
}

/** How many runs ended on a failed call: the last one may not be among them, so it is never said without the count. */
function FailedEnds({ line: { failed_ends, runs } }: { line: SessionLine }) {
  return (
    <span
      className="whitespace-nowrap text-broken"
      title={`${failed_ends} of ${runs} ${runs === 1 ? "run" : "runs"} ended on a failed call`}
    >
      {`✕ ${failed_ends} of ${runs}`}
      <span className="lg:sr-only">{" ended on a failed call"}</span>
    </span>
  );
}

function Title({ line }: { line: SessionLine }) {
  if (line.title === null || line.title.trim() === "")
    return <span className="font-mono text-xs">{visible(line.id)}</span>;
  return <Untrusted>{visible(line.title)}</Untrusted>;
}

function Count({ name, n, tone = "" }: { name: string; n: number; tone?: string }) {
  return (
    <span
      className={`order-5 text-xs lg:order-none lg:text-right lg:text-sm ${n === 0 ? "hidden text-muted lg:inline" : tone}`}
    >
      {n}
      <span className="lg:sr-only">{` ${name}`}</span>
    </span>
  );
}

function Tag({ children }: { children: string }) {
  return (
    <span className="shrink-0 rounded border border-line px-1 text-muted text-xs leading-4">{children}</span>
  );
}
