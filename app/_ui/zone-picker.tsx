"use client";

import { parseAsString, useQueryState } from "nuqs";
import { useState, useTransition } from "react";
import { isZone } from "#lib/time.ts";

/** The zone that days and weeks are cut in. The whole list is made in the browser, when somebody opens it. */
export function ZonePicker({ server }: { server: string }) {
  const [pending, startTransition] = useTransition();
  const [more, setMore] = useState<string[]>([]);
  const [asked, setZone] = useQueryState(
    "zone",
    parseAsString.withDefault("").withOptions({ shallow: false, history: "push", startTransition }),
  );
  // What is no zone was passed over: the page is in the server's, and says why.
  const zone = isZone(asked) ? asked : "";
  const openList = () => setMore(allZones());
  const zones = [...new Set([zone, ...more])].filter((name) => name !== "" && name !== server);
  return (
    <label className="inline-flex min-w-0 max-w-full">
      <span className="sr-only">Time zone</span>
      <select
        name="zone"
        value={zone === server ? "" : zone}
        aria-busy={pending}
        onPointerDown={openList}
        onFocus={openList}
        onChange={(event) => void setZone(event.target.value === "" ? null : event.target.value)}
        className="control max-w-44 aria-busy:animate-pulse"
      >
        <option value="">{server}</option>
        {zones.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The reader's own zone first, then UTC, then all that the browser knows. */
function allZones(): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([own, "UTC", ...Intl.supportedValuesOf("timeZone")])];
}
