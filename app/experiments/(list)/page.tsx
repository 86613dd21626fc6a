import type { Metadata } from "next";
import { ExperimentForm } from "#app/_ui/experiments/experiment-form.tsx";
import { ExperimentHead, ExperimentRow } from "#app/_ui/experiments/experiment-row.tsx";
import { FromProposal } from "#app/_ui/experiments/from-proposal.tsx";
import { KeyedList } from "#app/_ui/keyed-list.tsx";
import { Live } from "#app/_ui/live.tsx";
import { Empty, PageHead, Problem, Section, Trouble } from "#app/_ui/page-head.tsx";
import { ZonePicker } from "#app/_ui/zone-picker.tsx";
import { attempt } from "#app/attempt.ts";
import { type ExperimentsPage, loadExperiments } from "#app/experiment-loaders.ts";
import type { NewExperiment } from "#app/new-experiment.ts";
import type { Params } from "#app/search.ts";
import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import { enqueueAction, estimateAction } from "../actions.ts";

export const metadata: Metadata = { title: "Experiments" };

const LOOK_MS = 2_000;

export default async function Experiments({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const loaded = await attempt(() => loadExperiments(params));
  if (!loaded.ok) return <Trouble title="Experiments" problem={loaded.problem} />;
  const page = loaded.value;
  const busy = page.rows.some(({ view }) => view.state === "queued" || view.state === "running");
  return (
    <>
      {busy && <Live everyMs={LOOK_MS} />}
      <PageHead
        title="Experiments"
        controls={
          <div className="flex flex-wrap items-center gap-2 print:hidden">
            {page.form === null && (
              <a
                href="/experiments?new=1"
                className="control inline-flex items-center font-semibold no-underline"
              >
                New experiment
              </a>
            )}
            <ZonePicker server={page.serverZone} />
          </div>
        }
        facts={<p>One change, measured over the same cases with and without it, and judged by the gate.</p>}
      />
      {page.problems.map((problem) => (
        <Problem key={problem}>{problem}</Problem>
      ))}
      {page.form !== null && <NewOne form={page.form} />}
      <Section title="Experiments, newest first">
        <List page={page} />
      </Section>
    </>
  );
}

function NewOne({ form }: { form: NewExperiment }) {
  const { choices, values, from, estimate } = form;
  return (
    <Section title="New experiment">
      {from?.kind === "proposal" && <FromProposal diagnosis={from.diagnosis} />}
      {choices.sets.length === 0 ? (
        <Empty why="There are no cases to measure with.">
          Write a case set into {EVAL_DEFAULTS.casesFile} in the folder in which mecha was started.
        </Empty>
      ) : (
        <ExperimentForm
          key={JSON.stringify(values)}
          choices={choices}
          initial={values}
          estimated={estimate}
          enqueue={enqueueAction}
          estimate={estimateAction}
        />
      )}
    </Section>
  );
}

function List({ page: { rows, next, older, zone } }: { page: ExperimentsPage }) {
  if (rows.length === 0 && older === null) {
    return (
      <Empty why="Nothing was measured yet.">
        The form above starts an experiment; so does “Measure it” on a{" "}
        <a href="/proposals" className="link">
          proposal
        </a>
        .
      </Empty>
    );
  }
  return (
    <>
      <ExperimentHead />
      <KeyedList label="Experiments" count={rows.length}>
        {rows.map((row, at) => (
          <ExperimentRow key={row.view.id} row={row} index={at} zone={zone} />
        ))}
      </KeyedList>
      <p className="mt-3 flex gap-4 text-sm print:hidden">
        {older !== null && (
          <a href="/experiments" className="link">
            newest
          </a>
        )}
        {next !== null && (
          <a href={`/experiments?older=${encodeURIComponent(next)}`} className="link">
            older
          </a>
        )}
      </p>
    </>
  );
}
