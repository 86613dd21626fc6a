import { duration, visible } from "#lib/format.ts";
import type { ArmProgress, ExperimentView } from "#lib/queue/experiment.ts";
import { ARM_NAMES } from "#lib/verdict/words.ts";
import { grouped } from "../number.ts";
import { isLeft, NoWorker } from "../proposals/open-diagnoses.tsx";
import { ProgressBar } from "./progress.tsx";

/** Both arms side by side while they are measured, and after that where there is no verdict in their place. */
export function ArmsLive({ view, now }: { view: ExperimentView; now: number }) {
  const { arms, state, request } = view;
  if (arms === null) {
    if (state !== "queued" && state !== "running") return null;
    return (
      <div role="status" className="text-sm">
        <p>Waits for a worker, which looks at everything that can be wrong before a model is asked.</p>
        {isLeft(view.createdAt, now) && <NoWorker />}
      </div>
    );
  }
  return (
    <>
      <div className="grid gap-x-12 gap-y-5 sm:grid-cols-2">
        <Arm name={ARM_NAMES.baseline} label="as configured" arm={arms.a} />
        <Arm name={ARM_NAMES.candidate} label={request.overrides.join(" ")} arm={arms.b} />
      </div>
      {(state === "queued" || state === "running") && <Left view={view} arms={arms} />}
    </>
  );
}

function Arm({ name, label, arm }: { name: string; label: string; arm: ArmProgress }) {
  const { total, done, failing, errored } = arm;
  return (
    <section aria-label={name} className="min-w-0">
      <h2 className="mb-1 text-sm">
        <span className="font-semibold">{name}</span>{" "}
        <bdi className="font-mono text-muted text-xs">{visible(label)}</bdi>
      </h2>
      <p className="mb-1.5">
        <span className="text-lg">{grouped(done)}</span>
        <span className="text-muted">{` of ${grouped(total)} case runs done`}</span>
      </p>
      <ProgressBar arm={arm} label={`${name}: case runs done`} />
      <p className="mt-1.5 flex flex-wrap gap-x-4 text-sm">
        <Count n={done - failing - errored} glyph="✓" word="passed" tone="text-fine" />
        <Count n={failing} glyph="✗" word="failing" tone="text-broken" />
        <Count n={errored} glyph="!" word="errored" tone="text-attention" />
      </p>
    </section>
  );
}

function Count({ n, glyph, word, tone }: { n: number; glyph: string; word: string; tone: string }) {
  return (
    <span className={n === 0 ? "text-muted" : tone}>
      <span aria-hidden="true">{`${glyph} `}</span>
      {`${grouped(n)} ${word}`}
    </span>
  );
}

/** A length that is a guess: in whole seconds at most. */
function lengthWords(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000));
  return seconds < 60 ? `${seconds} s` : duration(seconds * 1000);
}

function Left({ view, arms }: { view: ExperimentView; arms: { a: ArmProgress; b: ArmProgress } }) {
  const remaining = arms.a.total + arms.b.total - arms.a.done - arms.b.done;
  const words =
    remaining === 0
      ? "All case runs have ended; the verdict is being worked out."
      : view.msLeft === null
        ? "No telling yet how long it will take."
        : `About ${lengthWords(view.msLeft)} left.`;
  return (
    <p role="status" className="mt-4 text-muted text-sm">
      {words}
    </p>
  );
}
