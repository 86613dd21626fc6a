import type { Metadata } from "next";
import { Command } from "#app/_ui/command.tsx";
import { KeyedList } from "#app/_ui/keyed-list.tsx";
import { Live } from "#app/_ui/live.tsx";
import { counted } from "#app/_ui/number.ts";
import { Empty, PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { DiagnoseForm } from "#app/_ui/proposals/diagnose-form.tsx";
import { OpenDiagnoses } from "#app/_ui/proposals/open-diagnoses.tsx";
import { ProposalItem } from "#app/_ui/proposals/proposal-item.tsx";
import { ZonePicker } from "#app/_ui/zone-picker.tsx";
import { attempt } from "#app/attempt.ts";
import { loadProposals, type ProposalsPage } from "#app/proposal-loaders.ts";
import type { Params } from "#app/search.ts";
import { diagnoseAction } from "./actions.ts";

export const metadata: Metadata = { title: "Proposals" };

const LOOK_MS = 1_000;

export default async function Proposals({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadProposals(params));
  if (!loaded.ok) return <Trouble title="Proposals" problem={loaded.problem} />;
  const page = loaded.value;
  const busy = page.open.some(({ state }) => state !== "failed");
  return (
    <>
      {busy && <Live everyMs={LOOK_MS} />}
      <PageHead
        title="Proposals"
        controls={<ZonePicker server={page.serverZone} />}
        facts={
          <p>
            What models suggested, what they predicted, and what became of it.{" "}
            <a href="/proposals/calibration" className="link">
              How many predictions held
            </a>
          </p>
        }
      />
      {page.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      <div className="print:hidden">
        <DiagnoseForm subjects={page.subjects} providers={page.providers} send={diagnoseAction} />
      </div>
      <OpenDiagnoses jobs={page.open} now={page.now} />
      <Section title="Diagnoses, newest first">
        <List page={page} />
      </Section>
    </>
  );
}

function List({ page }: { page: ProposalsPage }) {
  const { rows, next, older, zone, open } = page;
  if (rows.length === 0 && older === null) {
    if (open.length > 0) return <Empty why="The first diagnosis is on its way." />;
    return (
      <Empty why="Nothing was diagnosed yet.">
        <p className="mb-2">
          {page.subjects.length === 0
            ? "A diagnosis needs finished runs to look at, and none was found on this machine. Then the form above asks a model; so does:"
            : "The form above asks a model; so does:"}
        </p>
        <Command line="mecha diagnose" />
      </Empty>
    );
  }
  return (
    <>
      <KeyedList label="Diagnoses" count={rows.length} className="-mt-3">
        {rows.map((row, at) => (
          <ProposalItem key={row.diagnosis.id} row={row} index={at} zone={zone} />
        ))}
      </KeyedList>
      <p className="mt-3 flex gap-4 text-sm print:hidden">
        <span className="text-muted text-xs leading-5">
          {counted(rows.length, "diagnosis", "diagnoses")} shown
        </span>
        {older !== null && (
          <a href="/proposals" className="link">
            newest
          </a>
        )}
        {next !== null && (
          <a href={`/proposals?older=${encodeURIComponent(next)}`} className="link">
            older
          </a>
        )}
      </p>
    </>
  );
}
