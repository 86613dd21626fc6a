import { bytes, duration, visible } from "#lib/format.ts";
import type { SourceSummary } from "#lib/health/report.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import type { Source } from "#lib/sources/source.ts";
import { COVERAGE_KEYS, type Coverage } from "#lib/transcript/coverage.ts";
import { clockTime } from "./dates.ts";
import { counted, grouped } from "./number.ts";
import { DerivedTag } from "./rate.tsx";

type CoverageKey = keyof Coverage;

/** What each count means; the first word or two also stand in the strip, as `one` where there is only one of it. */
const MEANING: Record<CoverageKey, { name: string; one: string; what: string }> = {
  sessions_read: {
    name: "sessions read",
    one: "session read",
    what: "Files opened for their rows, those without a finished run included.",
  },
  sessions_capped: {
    name: "sessions beyond the cap",
    one: "session beyond the cap",
    what: "Older sessions left out because a session cap was reached.",
  },
  sessions_cutoff: {
    name: "sessions outside the window",
    one: "session outside the window",
    what: "Sessions that started before the window or after its end.",
  },
  sessions_unreadable: {
    name: "unreadable",
    one: "unreadable",
    what: "Files and folders that could not be opened, or not read to their end.",
  },
  files_not_sessions: {
    name: "files not sessions",
    one: "file not a session",
    what: "Files named .jsonl that do not begin with a session header.",
  },
  lines_oversize: { name: "lines too long", one: "line too long", what: "Lines over 64 MiB, skipped." },
  lines_torn: {
    name: "lines torn",
    one: "line torn",
    what: "Unfinished last lines, left for the next look: their writer may still be at work.",
  },
  lines_unknown: {
    name: "lines unknown",
    one: "line unknown",
    what: "Lines that are no record the format knows.",
  },
  lines_not_utf8: {
    name: "lines not UTF-8",
    one: "line not UTF-8",
    what: "Lines that had to be read and are not text.",
  },
  runs_unfinished: {
    name: "runs unfinished",
    one: "run unfinished",
    what: "Runs without an end: cut off, or still going. They are no rows.",
  },
  runs_provider_error: {
    name: "runs ended by the provider",
    one: "run ended by the provider",
    what: "Runs that an error of the model's provider ended. They are no rows.",
  },
  runs_duplicate: {
    name: "runs seen twice",
    one: "run seen twice",
    what: "Runs that also stand in an earlier snapshot of the same session; counted once.",
  },
};

/** Always told, even at zero: that nothing was left out is news too. */
const ALWAYS: ReadonlySet<CoverageKey> = new Set<CoverageKey>(["lines_torn", "sessions_unreadable"]);

type StripProps = {
  runs: number;
  sessions: number;
  coverage: Coverage;
  tookMs: number;
  asOf: string;
  zone: string;
};

/** One line on what the numbers of a page rest on; each part leads to the account below. */
export function CoverageStrip({ runs, sessions, coverage, tookMs, asOf, zone }: StripProps) {
  const parts: { key: string; text: string }[] = [
    { key: "runs", text: counted(runs, "run") },
    {
      key: "sessions_read",
      text: `${grouped(sessions)} of ${counted(coverage.sessions_read, "session")}`,
    },
    ...COVERAGE_KEYS.filter((key) => key !== "sessions_read" && (coverage[key] > 0 || ALWAYS.has(key))).map(
      (key) => ({
        key,
        text: counted(coverage[key], MEANING[key].one, MEANING[key].name),
      }),
    ),
    { key: "took", text: `read in ${duration(tookMs)}` },
    { key: "as_of", text: `as of ${clockTime(asOf, zone)}` },
  ];
  return (
    <ul aria-label="What these numbers rest on" className="flex flex-wrap gap-y-1">
      {parts.map(({ key, text }) => (
        <li key={key} className="not-last:after:px-1.5 not-last:after:content-['·']">
          <a
            href={key in MEANING ? `#coverage-${key}` : "#coverage"}
            className="hover:text-ink hover:underline"
          >
            {text}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Every count of what was read and what was left out, in words. */
export function CoverageAccount({ coverage }: { coverage: Coverage }) {
  return (
    <dl className="grid gap-x-8 text-sm lg:grid-cols-2">
      {COVERAGE_KEYS.map((key) => (
        <div
          key={key}
          id={`coverage-${key}`}
          className={`flex flex-wrap gap-x-3 border-line sm:flex-nowrap border-b py-1.5 target:bg-accent-wash ${coverage[key] === 0 ? "text-muted" : ""}`}
        >
          <dt className="grow sm:w-44 sm:shrink-0 sm:grow-0">{MEANING[key].name}</dt>
          <dd className="w-14 shrink-0 text-right">{grouped(coverage[key])}</dd>
          <dd className="w-full text-muted text-xs leading-5 sm:w-auto">{MEANING[key].what}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A source with when it was last looked at and how much it holds. */
export type SourceRow = SourceSummary & { scannedAt: string; bytes: number };

/** What was read from each source, and which places hold nothing that could be. */
export function SourceList({
  sources,
  found,
  zone,
}: {
  sources: SourceRow[];
  found: FoundSource[];
  zone: string;
}) {
  const read = new Map(sources.map((row) => [keyOf(row.source), row]));
  return (
    <ul aria-label="Sources" className="text-sm">
      {found.map((one) => (
        <li
          key={keyOf(one.source)}
          className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-line border-b py-1.5"
        >
          <span className="w-44 shrink-0 whitespace-nowrap font-semibold">
            {one.source.kind} {read.get(keyOf(one.source))?.provenance === "derived" && <DerivedTag />}
          </span>
          <span className="min-w-0 break-all font-mono text-xs">{visible(one.source.place)}</span>
          <span className="ml-auto text-muted text-xs">
            <SourceState one={one} row={read.get(keyOf(one.source))} zone={zone} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function keyOf({ kind, place }: Source): string {
  return `${kind} ${place}`;
}

function SourceState({ one, row, zone }: { one: FoundSource; row: SourceRow | undefined; zone: string }) {
  if (one.problem !== null) return <span className="text-attention">{`! ${visible(one.problem)}`}</span>;
  if (row === undefined) return "not there";
  const { runs, coverage, bytes: size, took_ms, scannedAt } = row;
  return `${counted(runs, "run")} from ${counted(coverage.sessions_read, "session")} · ${bytes(size)} · read in ${duration(took_ms)} at ${clockTime(scannedAt, zone)}`;
}
