import type { ReactNode } from "react";
import type { ExperimentPage } from "#app/experiment-loaders.ts";
import { duration, visible } from "#lib/format.ts";
import { Instant } from "../time.tsx";

/** When and by whom it was asked for, and what it is measured with. */
export function ExperimentFacts({ page }: { page: ExperimentPage }) {
  const { view, scripted, casesName, zone } = page;
  const { request, createdAt, createdBy, startedAt, finishedAt } = view;
  const { provider, model, tags, runsPerCase, concurrency, judge, mcpFile } = request;
  const parts: { key: string; part: ReactNode }[] = [
    { key: "at", part: <Asked at={createdAt} zone={zone} /> },
    { key: "by", part: createdBy && <bdi>{`by ${visible(createdBy)}`}</bdi> },
    {
      key: "who",
      part: <Who named={whoIn(provider, model) ?? "the configured model"} scripted={scripted} />,
    },
    { key: "cases", part: <bdi className="font-mono">{visible(casesName)}</bdi> },
    { key: "tags", part: tags.length > 0 && <bdi>{`tags ${visible(tags.join(" "))}`}</bdi> },
    { key: "runs", part: `${runsPerCase} ${runsPerCase === 1 ? "run" : "runs"} of each case in each arm` },
    { key: "at once", part: `${concurrency} at once` },
    {
      key: "judge",
      part: whoIn(judge.provider, judge.model) && (
        <bdi>{`judge ${visible(whoIn(judge.provider, judge.model) ?? "")}`}</bdi>
      ),
    },
    { key: "servers", part: mcpFile && <bdi className="font-mono">{visible(mcpFile)}</bdi> },
    {
      key: "took",
      part:
        startedAt !== null && finishedAt !== null && `took ${duration(Math.max(0, finishedAt - startedAt))}`,
    },
  ];
  return (
    <ul className="flex flex-wrap gap-y-1">
      {parts
        .filter(({ part }) => Boolean(part))
        .map(({ key, part }) => (
          <li key={key} className="min-w-0 not-last:after:px-1.5 not-last:after:content-['·']">
            {part}
          </li>
        ))}
    </ul>
  );
}

function Asked({ at, zone }: { at: number; zone: string }) {
  return (
    <>
      asked for <Instant at={new Date(at).toISOString()} zone={zone} />
    </>
  );
}

function Who({ named, scripted }: { named: string; scripted: boolean }) {
  return (
    <>
      <bdi>{visible(named)}</bdi>
      {scripted && <span className="text-attention"> (a script, no model)</span>}
    </>
  );
}

function whoIn(provider: string | null, model: string | null): string | null {
  const named = [provider, model].filter((name) => name !== null);
  return named.length === 0 ? null : named.join(" / ");
}
