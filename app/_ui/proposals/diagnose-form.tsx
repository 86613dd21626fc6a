"use client";

import { useActionState, useTransition } from "react";
import type { DiagnoseField, Sent } from "#app/proposals/actions.ts";
import type { Providers } from "#app/provider-choices.ts";
import { visible } from "#lib/format.ts";
import { clipped } from "#lib/utf8.ts";
import { Field, invalid } from "../field.tsx";
import { ProviderOptions } from "../provider-options.tsx";

type FormProps = {
  subjects: string[];
  providers: Providers;
  send: (before: Sent | null, form: FormData) => Promise<Sent>;
};

/** Asks a model for one change that would help. It goes into the queue; nothing is asked while somebody waits. */
export function DiagnoseForm({ subjects, providers, send }: FormProps) {
  const [sent, act, acting] = useActionState(send, null);
  const [pending, startTransition] = useTransition();
  const problemAt = (field: DiagnoseField) =>
    sent?.kind === "problem" && sent.field === field ? sent.problem : null;
  return (
    <form
      action={act}
      onSubmit={(event) => {
        // Sent by hand, so that the fields keep what was typed when something in them is wrong.
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        startTransition(() => act(form));
      }}
      aria-label="Run a diagnosis"
      className="grid grid-cols-2 items-start gap-x-3 gap-y-3 lg:flex lg:flex-wrap"
    >
      <Field name="subject" label="Whose runs" problem={problemAt("subject")}>
        <select
          name="subject"
          className="control w-full text-ink lg:w-56"
          {...invalid("subject", problemAt("subject"))}
        >
          <option value="">the model with the most runs</option>
          {subjects.map((model) => (
            <option key={model} value={model}>
              {visible(clipped(model, SHOWN_MAX))}
            </option>
          ))}
        </select>
      </Field>
      <Field name="days" label="Of the last days" problem={problemAt("days")}>
        <input
          name="days"
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          placeholder="all time"
          className="control w-full text-ink lg:w-28"
          {...invalid("days", problemAt("days"))}
        />
      </Field>
      <Field name="provider" label="Who is asked" problem={problemAt("provider")}>
        <select
          name="provider"
          className="control w-full text-ink lg:w-56"
          {...invalid("provider", problemAt("provider"))}
        >
          <ProviderOptions providers={providers} />
        </select>
      </Field>
      <Field name="model" label="Which model of it" problem={problemAt("model")}>
        <input
          name="model"
          autoComplete="off"
          spellCheck={false}
          maxLength={300}
          placeholder="its own"
          className="control w-full text-ink lg:w-44"
          {...invalid("model", problemAt("model"))}
        />
      </Field>
      <label className="flex h-7 items-center gap-2 self-end text-sm">
        <input type="checkbox" name="web" value="1" className="accent-accent" />
        it may read the web
      </label>
      <div className="self-end">
        <button
          type="submit"
          aria-busy={pending || acting}
          disabled={pending || acting}
          className="control font-semibold"
        >
          Run a diagnosis
        </button>
      </div>
      <div className="col-span-2 basis-full text-sm">
        {sent?.kind === "problem" && sent.field === null && (
          <p role="alert" className="text-broken">{`✕ ${visible(sent.problem)}`}</p>
        )}
        <p className="text-muted text-xs">
          The model is told counters and findings, never a word of a transcript. What it suggests is stored;
          nothing is changed.
        </p>
      </div>
    </form>
  );
}

const SHOWN_MAX = 80;
