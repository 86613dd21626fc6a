import type { Metadata } from "next";
import { counted, grouped } from "#app/_ui/number.ts";
import { Empty, PageHead, PagePath, Section, Trouble } from "#app/_ui/page-head.tsx";
import { CalibrationTable } from "#app/_ui/proposals/calibration-table.tsx";
import { intervalWords, KeptBar } from "#app/_ui/proposals/kept-bar.tsx";
import { attempt } from "#app/attempt.ts";
import { loadCalibration } from "#app/proposal-loaders.ts";
import type { Calibration } from "#lib/diagnose/calibration.ts";
import { percent } from "#lib/format.ts";

export const metadata: Metadata = { title: "Calibration of proposals" };

export default async function CalibrationPage() {
  const loaded = await attempt(loadCalibration);
  if (!loaded.ok) return <Trouble title="Calibration" problem={loaded.problem} />;
  const calibration = loaded.value;
  return (
    <>
      <PagePath href="/proposals" name="Proposals">
        calibration
      </PagePath>
      <PageHead
        title="How many predictions held"
        facts={
          <p className="max-w-[90ch]">
            A prediction is kept when the predicted counter is better on the selection slice and not worse on
            the holdout. Only what was measured after it was predicted counts, each measurement once.
          </p>
        }
      />
      {calibration.total.kept.of === 0 ? (
        <NothingYet calibration={calibration} />
      ) : (
        <Numbers calibration={calibration} />
      )}
      <Scripted calibration={calibration} />
    </>
  );
}

function Numbers({
  calibration: { total, by_class, by_metric, by_diagnostician },
}: {
  calibration: Calibration;
}) {
  const { kept } = total;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <p>
          <span className="text-xl">{percent(kept, 0)}</span>{" "}
          <span className="text-muted">{`${grouped(kept.hits)} of ${grouped(kept.of)} held, 95% interval ${intervalWords(kept)}`}</span>
        </p>
        <div aria-hidden="true" className="flex items-center gap-2 text-muted text-xs">
          0%
          <KeptBar rate={kept} />
          100%
        </div>
      </div>
      <Section title="By who predicted">
        <CalibrationTable label="Provider and model" groups={by_diagnostician} mono />
      </Section>
      <Section title="By metric">
        <CalibrationTable label="Predicted to fall" groups={by_metric} mono />
      </Section>
      <Section title="By class">
        <CalibrationTable label="Class of the change" groups={by_class} mono={false} />
      </Section>
    </>
  );
}

/** What is missing, step by step. */
function NothingYet({ calibration: { total } }: { calibration: Calibration }) {
  if (total.proposals === 0) {
    return (
      <Empty why="There is no proposal of a model yet, so there is no prediction that could hold.">
        <a href="/proposals" className="link">
          Run a diagnosis
        </a>
      </Empty>
    );
  }
  const why =
    total.unknown > 0
      ? `${counted(total.unknown, "prediction was", "predictions were")} measured, and the measurements do not tell: too few pairs, or another counter was judged.`
      : `There ${total.proposals === 1 ? "is 1 proposal" : `are ${grouped(total.proposals)} proposals`}, and none was measured yet.`;
  return (
    <Empty why={why}>
      <a href="/proposals" className="link">
        Measure one of them
      </a>
    </Empty>
  );
}

function Scripted({ calibration: { scripted } }: { calibration: Calibration }) {
  if (scripted.proposals === 0) return null;
  const { kept, proposals } = scripted;
  return (
    <p className="mt-8 max-w-[72ch] text-muted text-xs">
      {`Left out of all numbers here: ${counted(proposals, "proposal")} that a script played, of which ${grouped(kept.of)} measured and ${grouped(kept.hits)} kept. They are nobody's opinion.`}
    </p>
  );
}
