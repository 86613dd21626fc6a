import type { ReactNode } from "react";
import { DASH, percent } from "#lib/format.ts";
import { type Rate, RUNS_FLOOR } from "#lib/rate.ts";
import { grouped } from "./number.ts";

/** A rate with its pair: `7.4% 233 / 3162`. Nothing to count is a dash; under the floor of runs it fades and says so. */
export function RateValue({ rate, runs }: { rate: Rate; runs: number }) {
  const thin = runs < RUNS_FLOOR;
  return (
    <span className="inline-grid grid-cols-[3.25rem_auto] items-baseline gap-x-2 text-left sm:whitespace-nowrap">
      <span className={`text-right ${thin ? "text-muted" : ""}`}>
        {rate.of === 0 ? <Unknown why="nothing to count" /> : percent(rate, 1)}
      </span>
      <span className="min-w-20 text-muted text-xs">
        {rate.of > 0 && `${grouped(rate.hits)} / ${grouped(rate.of)}${thin ? ` · n = ${runs}, too few` : ""}`}
      </span>
    </span>
  );
}

/** What cannot be known: a dash, with the reason on hover and for a screen reader. */
export function Unknown({ why }: { why: string }) {
  return (
    <span title={why} className="text-muted">
      <span aria-hidden="true">{DASH}</span>
      <span className="sr-only">unknown: {why}</span>
    </span>
  );
}

/** Says of rows that they were worked out from another tool's transcripts. */
export function DerivedTag() {
  return (
    <span
      title="Worked out from another tool's transcript, not recorded by the harness itself. Never mixed with recorded rates."
      className="inline-block rounded border border-line px-1 align-middle text-muted text-xs leading-4"
    >
      derived
    </span>
  );
}

/** Text of a transcript in one line: never markup, and without effect on what stands beside it. */
export function Untrusted({ children, mono = false }: { children: string; mono?: boolean }): ReactNode {
  return <bdi className={mono ? "font-mono text-xs" : undefined}>{children}</bdi>;
}
