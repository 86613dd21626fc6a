import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { Command } from "#app/_ui/command.tsx";
import { pathPart, sessionHref } from "#app/_ui/href.ts";
import { PageHead, PagePath, Problem, Trouble } from "#app/_ui/page-head.tsx";
import { DerivedTag, Untrusted } from "#app/_ui/rate.tsx";
import { RunList } from "#app/_ui/sessions/run-list.tsx";
import { Instant } from "#app/_ui/time.tsx";
import { Transcript } from "#app/_ui/transcript/transcript.tsx";
import { attempt } from "#app/attempt.ts";
import type { Params } from "#app/search.ts";
import { loadSession, type SessionView } from "#app/session-loaders.ts";
import { bytes, modelName, visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";

type Props = { params: Promise<{ id: string }>; searchParams: Promise<Params> };

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const { id } = await params;
  const query = await searchParams;
  const loaded = await attempt(() => loadSession(id, query));
  if (!loaded.ok) return { title: "Session" };
  return { title: loaded.value === null ? "Not found" : titleOf(loaded.value) };
}

export default async function SessionPage({ params, searchParams }: Props) {
  const { id } = await params;
  const query = await searchParams;
  const loaded = await attempt(() => loadSession(id, query));
  if (!loaded.ok) return <Trouble title="Session" problem={loaded.problem} />;
  const view = loaded.value;
  if (view === null) notFound();
  const { head, runs, first, startsAt, at, zone, problems } = view;
  return (
    <>
      <PagePath href="/sessions" name="Sessions" />
      <PageHead title={<Untrusted>{titleOf(view)}</Untrusted>} facts={<Facts view={view} />} />
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <aside
          aria-label="Runs"
          className="lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:self-start lg:overflow-y-auto print:static"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          tabIndex={0}
        >
          <RunList runs={runs} />
        </aside>
        <Transcript
          key={head.id}
          origin={{ path: `/api/sessions/${pathPart(head.id)}`, params: { source: head.source } }}
          zone={zone}
          first={first}
          startsAt={startsAt}
          pointedAt={at}
        />
      </div>
    </>
  );
}

function titleOf({ head }: SessionView): string {
  return visible(head.title?.trim() || head.id);
}

function Facts({ view: { head, runs, zone, parent, children } }: { view: SessionView }) {
  const models = [...new Set(runs.map(({ model }) => model))];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Instant at={head.created_at} zone={zone} />
      <span>
        {head.source} {head.provenance === "derived" && <DerivedTag />}
      </span>
      <Untrusted mono>{models.length > 0 ? models.map(modelName).join(", ") : visible(head.model)}</Untrusted>
      {head.workspace !== "" && <Untrusted mono>{visible(head.workspace)}</Untrusted>}
      <span>{bytes(head.bytes)}</span>
      {parent !== null && (
        <a href={sessionHref(parent, head.source)} className="link">
          sub-agent of {parent}
        </a>
      )}
      {children.map((id) => (
        <a key={id} href={sessionHref(id, head.source)} className="link font-mono">
          {id}
        </a>
      ))}
      <Command line={shellLine(["mecha", "sessions", "show", head.id])} />
    </div>
  );
}
