"use client";

import { useState, useTransition } from "react";

type Act = (form: FormData) => Promise<void>;

/** Ends an experiment, asked once more: what is in flight is thrown away. */
export function CancelButton({ id, cancel }: { id: string; cancel: Act }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <button type="button" onClick={() => setSure(true)} className="control">
        Cancel
      </button>
    );
  }
  return (
    <form action={cancel} className="flex flex-wrap items-center gap-2 text-sm">
      <input type="hidden" name="id" value={id} />
      <span>End it without a verdict?</span>
      <button type="submit" className="control text-broken">
        Cancel it
      </button>
      <button type="button" onClick={() => setSure(false)} className="control">
        Go on
      </button>
    </form>
  );
}

/** Puts what errored back into the queue. */
export function RetryButton({ id, label, retry }: { id: string; label: string; retry: Act }) {
  const [pending, startTransition] = useTransition();
  return (
    <form
      action={retry}
      onSubmit={(event) => {
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        startTransition(() => retry(form));
      }}
    >
      <input type="hidden" name="id" value={id} />
      <button type="submit" disabled={pending} aria-busy={pending} className="control">
        {label}
      </button>
    </form>
  );
}
