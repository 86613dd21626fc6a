"use client";

import { useSearchParams } from "next/navigation";
import { isZone } from "#lib/time.ts";

/** The version, the zone that every time on the page is told in, and the way to the audit for whoever is `inside`. */
export function Footer({ version, zone, inside }: { version: string; zone: string; inside: boolean }) {
  const asked = useSearchParams().get("zone") ?? "";
  return (
    <footer className="mt-8 border-line border-t text-muted text-xs">
      <p className="mx-auto flex max-w-[1440px] flex-wrap gap-x-4 gap-y-1 px-4 py-3 sm:px-6">
        <span>{`mecha ${version}`}</span>
        <span>{`Times in ${isZone(asked) ? asked : zone}`}</span>
        <span>Reads your transcripts where they are, and sends them nowhere.</span>
        {inside && (
          <a href="/audit" className="link ml-auto print:hidden">
            Audit
          </a>
        )}
      </p>
    </footer>
  );
}
