"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useTransition } from "react";
import { dateOnly } from "./dates.ts";

/** The moment the page looks from: now, or the end of a day in the page's zone. */
export function AsOfPicker({ asOf, zone }: { asOf: string | null; zone: string }) {
  const [pending, startTransition] = useTransition();
  const [, setAsOf] = useQueryState(
    "as_of",
    parseAsString.withOptions({ shallow: false, history: "push", startTransition }),
  );
  return (
    <span className="inline-flex items-center gap-1 text-muted text-xs">
      <label className="inline-flex items-center gap-1">
        as of
        <input
          type="date"
          name="as_of"
          value={asOf === null ? "" : dateOnly(asOf, zone)}
          aria-busy={pending}
          onChange={(event) => void setAsOf(event.target.value === "" ? null : event.target.value)}
          className="control w-34 text-ink"
        />
      </label>
      {asOf !== null && (
        <button type="button" onClick={() => void setAsOf(null)} className="link">
          now
        </button>
      )}
    </span>
  );
}
