"use client";

import { useActionState, useEffect, useRef, useTransition } from "react";
import type { EstimateView } from "#app/experiment-estimate.ts";
import type { FormChoices, FormValues } from "#app/experiment-form.ts";
import type { Refusal } from "#app/experiments/actions.ts";
import { visible } from "#lib/format.ts";
import { ClaimFields } from "./claim-fields.tsx";
import { EstimateText } from "./estimate-text.tsx";
import type { FieldParts } from "./field-parts.ts";
import { Knobs } from "./knobs.tsx";
import { MeasuringFields } from "./measuring-fields.tsx";
import { useEstimate } from "./use-estimate.ts";

type FormProps = {
  choices: FormChoices;
  initial: FormValues;
  estimated: EstimateView;
  enqueue: (before: Refusal | null, form: FormData) => Promise<Refusal>;
  estimate: (form: FormData) => Promise<EstimateView>;
};

/** Everything that an experiment is asked for with, and what it would take, before it is sent. */
export function ExperimentForm({ choices, initial, estimated, enqueue, estimate }: FormProps) {
  const [refusal, act, acting] = useActionState(enqueue, null);
  const [pending, startTransition] = useTransition();
  const { view, busy, ask } = useEstimate(estimated, estimate);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The first field that could not be used, for the keyboard and the screen reader.
    if (refusal !== null) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [refusal]);
  const parts: FieldParts = {
    textOf: (field) => (refusal?.values ?? initial)[field] ?? "",
    problemOf: (field) => {
      const problem = refusal?.problems[field];
      return problem === undefined ? null : visible(problem);
    },
  };
  return (
    <form
      ref={form}
      action={act}
      onSubmit={(event) => {
        // Sent by hand, so that the fields keep what was typed when something in them is wrong.
        event.preventDefault();
        const sent = new FormData(event.currentTarget);
        startTransition(() => act(sent));
      }}
      onChange={(event) => ask(event.currentTarget)}
      aria-label="New experiment"
      className="grid gap-x-12 gap-y-6 lg:grid-cols-[minmax(0,46rem)_21rem]"
    >
      <input type="hidden" name="proposal" value={parts.textOf("proposal")} />
      <div className="min-w-0 space-y-6">
        <Knobs parts={parts} />
        <ClaimFields parts={parts} />
        <MeasuringFields parts={parts} choices={choices} />
      </div>
      <div className="min-w-0 self-start lg:sticky lg:top-16">
        <EstimateText view={view} busy={busy} />
        <button
          type="submit"
          disabled={pending || acting}
          aria-busy={pending || acting}
          className="control mt-3 font-semibold"
        >
          Put it into the queue
        </button>
        <Refused refusal={refusal} />
      </div>
    </form>
  );
}

function Refused({ refusal }: { refusal: Refusal | null }) {
  if (refusal === null) return null;
  const fields = Object.keys(refusal.problems).length;
  const words =
    refusal.problem ??
    (fields === 1 ? "One field cannot be used as it is." : `${fields} fields cannot be used as they are.`);
  return (
    <p role="alert" className="mt-2 text-broken text-sm">
      {`✕ ${visible(words)}`}
    </p>
  );
}
