"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState, useTransition } from "react";
import { dateOnly } from "./dates.ts";

/** The moment the page looks from: now, or the end of a day in the page's zone. */
export function AsOfPicker({ asOf, zone }: { asOf: string | null; zone: string }) {
  const [pending, startTransition] = useTransition();
  const [choosing, setChoosing] = useState(false);
  const [, setAsOf] = useQueryState(
    "as_of",
    parseAsString.withOptions({ shallow: false, history: "push", startTransition }),
  );
  if (asOf === null && !choosing) {
    return (
      <button type="button" onClick={() => setChoosing(true)} aria-busy={pending} className="control">
        as of now
      </button>
    );
  }
  return (
    <span className="inline-flex items-center gap-1">
      <label className="inline-flex items-center gap-1 text-muted text-xs">
        as of
        <input
          type="date"
          name="as_of"
          // biome-ignore lint/a11y/noAutofocus: the person has just pressed the button that this field replaces
          autoFocus={choosing}
          defaultValue={asOf === null ? "" : dateOnly(asOf, zone)}
          aria-busy={pending}
          onChange={(event) => void setAsOf(event.target.value === "" ? null : event.target.value)}
          className="control text-ink"
        />
      </label>
      <button
        type="button"
        onClick={() => {
          setChoosing(false);
          void setAsOf(null);
        }}
        className="control"
      >
        now
      </button>
    </span>
  );
}
