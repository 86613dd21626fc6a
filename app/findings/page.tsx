import type { Metadata } from "next";
import { clockTime } from "#app/_ui/dates.ts";
import { FindingItem } from "#app/_ui/findings/finding-item.tsx";
import { TriggerTable } from "#app/_ui/findings/trigger-table.tsx";
import { counted } from "#app/_ui/number.ts";
import { PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { Ago } from "#app/_ui/time.tsx";
import { WindowBar } from "#app/_ui/window-bar.tsx";
import { attempt } from "#app/attempt.ts";
import { type FindingsView, type FindingView, RUN_CHECKS_SCOPE } from "#app/findings-view.ts";
import { loadFindings } from "#app/loaders.ts";
import type { Params } from "#app/search.ts";
import { visible } from "#lib/format.ts";

export const metadata: Metadata = { title: "Findings" };

export default async function FindingsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadFindings(params));
  if (!loaded.ok) return <Trouble title="Findings" problem={loaded.problem} />;
  const { view, ask, problems, serverZone } = loaded.value;
  const { zone } = ask;
  const now = Date.parse(view.asOf);
  return (
    <>
      <PageHead
        title="Findings"
        controls={<WindowBar ask={ask} models={null} serverZone={serverZone} daysUnlessSaid={null} />}
        facts={<Facts view={view} zone={zone} />}
      />
      {problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      <Verdict view={view} />
      <Group title="Broken" findings={view.broken} now={now} zone={zone} />
      <Group title="Attention" findings={view.attention} now={now} zone={zone} />
      <Notices view={view} />
      <Section title="Triggers">
        {view.triggers.length === 0 ? (
          <p className="text-muted text-sm">No trigger is set up.</p>
        ) : (
          <TriggerTable triggers={view.triggers} now={now} zone={zone} />
        )}
      </Section>
      <ResolvedList view={view} now={now} zone={zone} />
    </>
  );
}

function Facts({ view, zone }: { view: FindingsView; zone: string }) {
  const { models, modelsTooFew, triggers } = view.looked;
  const parts = [
    `${counted(models, "model")} checked`,
    modelsTooFew > 0 ? `${modelsTooFew} with under 20 runs passed over` : null,
    `${counted(triggers, "trigger")} checked`,
    `as of ${clockTime(view.asOf, zone)}`,
  ];
  return <p>{parts.filter((part) => part !== null).join(" · ")}</p>;
}

/** No finding is good news only where something was looked at. */
function Verdict({ view: { broken, attention, looked } }: { view: FindingsView }) {
  const findings = broken.length + attention.length;
  if (findings > 0) return null;
  if (looked.models === 0 && looked.triggers === 0) {
    return (
      <p className="text-base">
        <span aria-hidden="true">— </span>
        Nothing could be checked: no model has 20 runs yet, and no trigger is set up. That is not the same as
        healthy.
      </p>
    );
  }
  return (
    <p className="text-base">
      <span aria-hidden="true" className="text-fine">
        ✓{" "}
      </span>
      No check found anything.
    </p>
  );
}

type GroupProps = { title: string; findings: FindingView[]; now: number; zone: string };

function Group({ title, findings, now, zone }: GroupProps) {
  if (findings.length === 0) return null;
  return (
    <Section
      title={`${title} (${findings.length})`}
      aside={<p className="text-muted text-xs">{`Run checks look at ${RUN_CHECKS_SCOPE}.`}</p>}
    >
      <ul>
        {findings.map((view) => (
          <FindingItem key={view.finding.id} view={view} now={now} zone={zone} />
        ))}
      </ul>
    </Section>
  );
}

function Notices({ view: { notices } }: { view: FindingsView }) {
  if (notices.length === 0) return null;
  return (
    <Section
      title={`Notices (${notices.length})`}
      aside={<p className="text-muted text-xs">Worth knowing; nothing is wrong.</p>}
    >
      <ul>
        {notices.map(({ id, summary, detail }) => (
          <li key={id} className="flex gap-3 border-line border-b py-2 text-sm">
            <span aria-hidden="true" className="w-4 shrink-0 text-center text-muted">
              i
            </span>
            <div className="min-w-0">
              <h3>{visible(summary)}</h3>
              <p className="max-w-[72ch] whitespace-pre-line text-muted">
                {detail.split("\n").map(visible).join("\n")}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ResolvedList({ view: { resolved }, now, zone }: { view: FindingsView; now: number; zone: string }) {
  if (resolved.length === 0) return null;
  return (
    <Section title="Resolved in the last 90 days">
      <ul className="text-sm">
        {resolved.map(({ finding, since, resolved_at }) => (
          <li key={finding.id} className="flex flex-wrap gap-x-4 border-line border-b py-1.5">
            <span aria-hidden="true" className="w-4 text-center text-fine">
              ✓
            </span>
            <bdi>{visible(finding.summary)}</bdi>
            <span className="ml-auto text-muted text-xs">
              stood from <Ago at={since} now={now} zone={zone} /> until{" "}
              <Ago at={resolved_at} now={now} zone={zone} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
